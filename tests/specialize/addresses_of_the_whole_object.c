/*
 * An address that is so many bytes behind an object is moved on from there by what only run time knows: it may leave the member that lies
 * there, and is not named as that member's. A pointer that was not moved yet is compared with one that was.
 * Not in the residual: tags[0].key, "never"
 */
#include <stddef.h>
#include <string.h>

extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

struct tag {
    char key[6];
    unsigned value;
};
struct shape {
    int id;
    struct tag tags[3];
};
struct field {
    size_t at, size;
};

static int sum(const char *text)
{
    int all = 0;
    while (*text != 0)
        all += *text++;
    return all;
}

static int sum_all(const struct field *field, const void *object, size_t count)
{
    const char *first = (const char *)object + field->at;
    int all = 0;
    size_t i;
    for (i = 0; i < count; i++)
        all = all * 3 + sum(first + i * field->size);
    return all;
}

static void set(const struct field *field, void *object, size_t index, const char *text)
{
    strcpy((char *)object + field->at + index * field->size, text);
}

static int starts(const char *text, const char *from)
{
    const char *at = text;
    if (at != from)
        law_output("never", 1);
    return at < from + 1 && at + 1 > from;
}

int main(void)
{
    static const struct field keys = {offsetof(struct shape, tags), sizeof(struct tag)};
    struct shape shape = {1, {{"a", 1}, {"bc", 2}, {"def", 3}}};
    static const char *const words[2] = {"north", "up"};
    const char *word = words[law_input(0, 1) & 1];
    law_output("sum", sum_all(&keys, &shape, (size_t)law_input(1, 3) & 3));
    set(&keys, &shape, (size_t)law_input(2, 2) % 3, word);
    law_output("starts", starts(word, word));
    law_output("sum", sum_all(&keys, &shape, 3));
    return 0;
}
