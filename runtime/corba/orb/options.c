/* SPDX-License-Identifier: MIT-0 */
/* What the command line says to the ORB: orb.h has the list. Source: CORBA 3.3 part 1, sections 8.5.1 and 8.5.3. */
#include "parts.h"
#include <ctype.h>
#include <stdlib.h>
#include <strings.h>

struct whittle_number {
    const char *name;
    size_t place;
    uint32_t least, most;
};
static const struct whittle_number whittle_numbers[] = {
    {"Workers", offsetof(struct whittle_options, workers), 0, 1024},
    {"Timeout", offsetof(struct whittle_options, timeout), 0, UINT32_MAX},
    {"MaxMemory", offsetof(struct whittle_options, memory), 1, 1024 * 1024},
    {"MaxDecoded", offsetof(struct whittle_options, decoded), 1024, UINT32_MAX},
    {"MaxOutgoing", offsetof(struct whittle_options, outgoing), 1, 1000000},
    {"Grace", offsetof(struct whittle_options, grace), 1, 86400000},
    {"MaxMessage", offsetof(struct whittle_options, longest), 1024, UINT32_MAX / 2},
    {"MaxFragment", offsetof(struct whittle_options, fragment), 0, UINT32_MAX / 2},
    {"MaxConnections", offsetof(struct whittle_options, connections), 1, 1000000},
    {"MaxPending", offsetof(struct whittle_options, pending), 1024, UINT32_MAX},
    {"Patience", offsetof(struct whittle_options, patience), 20, 86400000},
};

static bool whittle_number_read(const char *text, uint32_t least, uint32_t most, uint32_t *number)
{
    char *end;
    const unsigned long long value = strtoull(text, &end, 10);
    *number = (uint32_t)value;
    return isdigit((unsigned char)text[0]) && *end == 0 && value >= least && value <= most;
}

static bool whittle_text_set(char **place, const char *text, size_t length)
{
    free(*place);
    *place = strndup(text, length);
    return *place != NULL;
}

/* What shared memory is agreed on by. */
static bool whittle_local_set(struct whittle_options *options, const char *name, size_t length)
{
    char *const path = whittle_net_local_path(name, length);
    free(path);
    return path != NULL && whittle_text_set(&options->local, name, length);
}

/* giop:shm:NAME, or giop:tcp:HOST:PORT, HOST perhaps in brackets. */
static bool whittle_end_point_read(struct whittle_options *options, const char *text)
{
    if (strncmp(text, "giop:shm:", 9) == 0)
        return whittle_local_set(options, text + 9, strlen(text + 9));
    if (strncmp(text, "giop:tcp:", 9) != 0)
        return false;
    text += 9;
    const char *const colon = strrchr(text, ':');
    if (colon == NULL || (colon[1] != 0 && !whittle_number_read(colon + 1, 0, 65535, &options->port)))
        return false;
    const bool brackets = text[0] == '[' && colon > text + 1 && colon[-1] == ']';
    const size_t length = (size_t)(colon - text) - (brackets ? 2 : 0);
    options->end_point = true;
    return length == 0 || whittle_text_set(&options->host, text + brackets, length);
}

static bool whittle_initial_add(struct whittle_options *options, const char *text)
{
    const char *const equals = strchr(text, '=');
    struct whittle_initial *const initial = equals == NULL ? NULL : (struct whittle_initial *)calloc(1, sizeof *initial);
    if (initial == NULL)
        return false;
    initial->next = options->initial;
    options->initial = initial;
    return whittle_text_set(&initial->name, text, (size_t)(equals - text)) && whittle_text_set(&initial->url, equals + 1, strlen(equals + 1));
}

static bool whittle_forwards_read(struct whittle_options *options, const char *text)
{
    static const char *const words[] = {"", "any", "same-host", "off"};     /* in the order of the enumeration */
    for (size_t word = WHITTLE_FORWARDS_ANY; word < sizeof words / sizeof words[0]; word++)
        if (strcmp(text, words[word]) == 0) {
            options->forwards = (enum whittle_forwards)word;
            return true;
        }
    return false;
}

static bool whittle_option_read(struct whittle_options *options, const char *name, const char *value)
{
    for (size_t index = 0; index < sizeof whittle_numbers / sizeof whittle_numbers[0]; index++) {
        const struct whittle_number *const each = &whittle_numbers[index];
        if (strcmp(name, each->name) == 0)
            return whittle_number_read(value, each->least, each->most, (uint32_t *)(void *)((char *)options + each->place))
                && (options->fragment == 0 || options->fragment >= 1024);
    }
    if (strcmp(name, "InitRef") == 0)
        return whittle_initial_add(options, value);
    if (strcmp(name, "DefaultInitRef") == 0)
        return whittle_text_set(&options->default_initial, value, strlen(value));
    if (strcmp(name, "Publish") == 0)
        return whittle_text_set(&options->publish, value, strlen(value));
    if (strcasecmp(name, "EndPoint") == 0)      /* omniORB's users write -ORBendPoint */
        return whittle_end_point_read(options, value);
    if (strcmp(name, "Forwards") == 0)
        return whittle_forwards_read(options, value);
    if (strcmp(name, "MaxGIOPVersion") == 0) {
        options->version = (uint32_t)(value[0] == '1' && value[1] == '.' ? value[2] - '0' : 9);
        return options->version <= 2 && value[3] == 0;
    }
    return strcmp(name, "Id") == 0;     /* which ORB this is about */
}

struct whittle_options whittle_options_usual(void)
{
    return (struct whittle_options){.longest = 64 * 1024 * 1024, .memory = 256, .connections = 0, .outgoing = 64, .pending = 4 * 1024 * 1024,
                                    .patience = 30000, .grace = 5000, .version = 2, .forwards = WHITTLE_FORWARDS_ANY};
}

bool whittle_options_read(struct whittle_options *options, int *argc, char **argv, CORBA_Environment *ev)
{
    int kept = 1;
    bool good = true;
    *options = whittle_options_usual();
    for (int index = 1; argc != NULL && argv != NULL && index < *argc; index++) {
        if (argv[index] == NULL || strncmp(argv[index], "-ORB", 4) != 0) {
            argv[kept++] = argv[index];
        } else {
            good = good && index + 1 < *argc && whittle_option_read(options, argv[index] + 4, argv[index + 1]);
            index++;
        }
    }
    if (argc != NULL && argv != NULL && *argc > 0 && good) {
        *argc = kept;
        argv[kept] = NULL;
    }
    if (!good) {
        whittle_options_drop(options);
        WHITTLE_RAISE(ev, BAD_PARAM, WHITTLE_BAD_OPTION, NO);
    }
    return good;
}

void whittle_options_drop(struct whittle_options *options)
{
    while (options->initial != NULL) {
        struct whittle_initial *const initial = options->initial;
        options->initial = initial->next;
        free(initial->name);
        free(initial->url);
        free(initial);
    }
    free(options->default_initial);
    free(options->host);
    free(options->publish);
    free(options->local);
}
