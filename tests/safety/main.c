/* SPDX-License-Identifier: MIT-0 */
/* safety CHECK MESSAGES SEED EFFORT: runs one check over all messages of a file. */
#include "safety.h"
#include <unistd.h>

struct check {
    const char *name;
    void (*of_message)(const struct message *);
    void (*of_type)(const struct type *);
};
static const struct check checks[] = {
    {"agree", agrees_with_reference, NULL},
    {"agree", fills_storage_that_is_there, NULL},
    {"agree", shares_storage_with_reference, NULL},
    {"agree", encodes_only_where_there_is_room, NULL},
    {"agree", NULL, encodes_empty_values_or_refuses},
    {"arena", decodes_into_arena, NULL},
    {"passes", every_variant_agrees, NULL},
    {"truncate", survives_truncation, NULL},
    {"lie", survives_lies, NULL},
    {"starve", survives_starvation, NULL},
    {"random", NULL, survives_any_bytes},
};

/* A file of messages: of each the number of its type, its size, its bytes; words as in XDR. */
static struct message *read_messages(const char *path, size_t *count)
{
    FILE *const file = fopen(path, "rb");
    struct message *messages = NULL;
    uint32_t head[2];
    *count = 0;
    EXPECT(file != NULL);
    while (fread(head, sizeof head, 1, file) == 1) {
        messages = realloc(messages, (*count + 1) * sizeof *messages);
        struct message *const next = &messages[(*count)++];
        next->type = &types[ntohl(head[0])];
        next->size = ntohl(head[1]);
        next->bytes = malloc(next->size + 1);
        EXPECT(fread(next->bytes, 1, next->size, file) == next->size);
    }
    fclose(file);
    return messages;
}

int main(int argc, char **argv)
{
    size_t count;
    unsigned done = 0;
    if (argc != 5)
        return 2;
    say("reading %s", argv[2]);
    struct message *const messages = read_messages(argv[2], &count);
    random_seed(strtoull(argv[3], NULL, 10));
    effort = (unsigned)strtoul(argv[4], NULL, 10);
    alarm(600);     /* a hang is a failure, too */
    for (size_t k = 0; k < sizeof checks / sizeof *checks; k++) {
        if (strcmp(argv[1], "all") != 0 && strcmp(argv[1], checks[k].name) != 0)
            continue;
        done++;
        for (size_t m = 0; checks[k].of_message != NULL && m < count; m++)
            checks[k].of_message(&messages[m]);
        for (const struct type *type = types; checks[k].of_type != NULL && type->name != NULL; type++)
            checks[k].of_type(type);
    }
    for (size_t m = 0; m < count; m++)
        free(messages[m].bytes);
    free(messages);
    return done == 0 ? 2 : 0;
}
