/*
 * The same calls as main prints them, whoever was linked in: every message's bytes, every result, messages that are
 * cut short, buffers that are not aligned.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "rmin.h"

#define DECLARE(TYPE)                                                                                                  \
    bool_t encode_##TYPE(char *buf, struct TYPE *value);                                                               \
    bool_t decode_##TYPE(char *buf, unsigned size, struct TYPE *value);
DECLARE(pair)
DECLARE(ints)
DECLARE(rec)
DECLARE(u)
DECLARE(list)

static char room[800];
static char *buf;

static void show(const char *what, int result, size_t bytes)
{
    printf("%s %d:", what, result);
    for (size_t i = 0; i < bytes; i++)
        printf("%02x", (unsigned char)buf[i]);
    printf("\n");
}

#define ROUND_TRIP(TYPE, VALUE, BYTES, PRINT)                                                                          \
    do {                                                                                                               \
        memset(room, 0, sizeof room);                                                                                  \
        const int result = encode_##TYPE(buf, VALUE);                                                                  \
        show(#TYPE, result, BYTES);                                                                                    \
        for (unsigned size = 0; size <= (BYTES); size += size < 24 ? 1 : 4) {                                         \
            struct TYPE out;                                                                                           \
            memset(&out, 0, sizeof out);                                                                               \
            const int decoded = decode_##TYPE(buf, size, &out);                                                        \
            printf("%u %d ", size, decoded);                                                                           \
            PRINT;                                                                                                     \
            xdr_free((xdrproc_t)xdr_##TYPE, (char *)&out);                                                             \
        }                                                                                                              \
        printf("\n");                                                                                                  \
    } while (0)

static void print_list(const struct list *list)
{
    for (; list != NULL; list = list->next)
        printf("%d,", list->v);
}

static void all(void)
{
    struct pair pair = {1, -2};
    ROUND_TRIP(pair, &pair, 8, printf("%d %d", out.int1, out.int2));
    struct ints ints;
    for (int i = 0; i < 100; i++)
        ints.v[i] = i * 77777;
    ROUND_TRIP(ints, &ints, 400, printf("%d %d", out.v[0], out.v[99]));
    struct rec recs[] = {{"", 1}, {"abc", 2}, {"exactly twenty bytes", 3}, {"this is one too long.", 4}};
    for (int i = 0; i < 4; i++)
        ROUND_TRIP(rec, &recs[i], 28, printf("%s %d", out.name == NULL ? "none" : out.name, out.kind));
    struct u us[] = {{1, {.a = 7}}, {2, {.s = "text"}}, {3, {.a = 0}}};
    for (int i = 0; i < 3; i++)
        ROUND_TRIP(u, &us[i], 16, printf("%d %s", out.k, out.k == 2 && out.u_u.s != NULL ? out.u_u.s : "-"));
    struct list links[60];
    for (int i = 0; i < 60; i++)
        links[i] = (struct list){i, i < 59 ? &links[i + 1] : NULL};
    for (int first = 59; first >= 0; first -= 7)
        ROUND_TRIP(list, &links[first], 32, print_list(&out));
}

int main(void)
{
    buf = room;
    all();
    buf = room + 1;
    all();
    return 0;
}
