/* SPDX-License-Identifier: MIT-0 */
/*
 * What the tests of generated decoders share. A table, generated for each interface file, tells of its types; messages
 * come from a file. Each check stops the program at the first thing that is not so.
 */
#ifndef SAFETY_H
#define SAFETY_H
#define LEDGER_ITSELF     /* the tests' own storage is not counted */
#include "ledger.h"
#include "streams.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef bool_t (*routine)(XDR *, void *);
#define ROUTINE(name) ((routine)(void (*)(void))(name))

/* An element of an array or the target of a pointer: what it takes in memory, and at least in a message. */
struct ratio {
    size_t memory, message;
};

struct type {
    const char *name;
    size_t size;
    routine reference;              /* rpcgen's */
    const routine *routines;        /* whittle's: first with all passes */
    routine in_arena;               /* or NULL */
    size_t arena_size;              /* of the structure of value and arena */
    size_t arena_zeroed;            /* as much of it must be zeroed before */
    const struct ratio *ratios;     /* to one of zeros */
    bool recursive;
};

extern const struct type types[];
extern const unsigned variant_count;
extern const char *const variants[];

struct message {
    const struct type *type;
    char *bytes;
    size_t size;
};

/* What is being tested, for the report. */
extern char now[400];
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
_Noreturn void fail(const char *file, int line, const char *what);
#define EXPECT(condition)                                                                                              \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            fail(__FILE__, __LINE__, #condition);                                                                      \
    } while (0)

unsigned random_below(unsigned limit);
void random_seed(uint64_t seed);

/* value.c */
size_t heap_bound(const struct type *, enum stream_kind, size_t arrived, bool arena);
bool_t decode(routine, void *value, enum stream_kind, const char *bytes, size_t size);
/* From memory; says how far it came. */
bool_t decode_from_memory(routine, void *value, const char *bytes, size_t size, size_t *used);
void *empty_value(const struct type *);
/* Encoded bytes (malloc'ed), or NULL. */
char *encode(routine, void *value, enum stream_kind, size_t room, size_t *size);
bool encodes_to(routine, void *value, enum stream_kind, const char *bytes, size_t size);
void release(routine, void *value);
void release_by_reference(const struct type *, void *value);
/* Releases, twice, and by rpcgen's routine, so that a pointer that was not cleared shows. */
void release_and_expect_nothing(const struct type *, routine, void *value);

/* sparing.c: no allocation is larger, and whether one was to be. */
extern size_t sparing_most;
extern bool sparing_refused;

extern unsigned effort;     /* how many random inputs each check tries */

/* The checks. */
void agrees_with_reference(const struct message *);
void fills_storage_that_is_there(const struct message *);
void shares_storage_with_reference(const struct message *);
void encodes_only_where_there_is_room(const struct message *);
void *new_call(const struct type *);
void decodes_into_arena(const struct message *);
void every_variant_agrees(const struct message *);
void survives_truncation(const struct message *);
void survives_lies(const struct message *);
void survives_starvation(const struct message *);
void survives_any_bytes(const struct type *);
void encodes_empty_values_or_refuses(const struct type *);

/* One hostile input: TRUE or FALSE, on each kind of stream the same, and as rpcgen's. */
void survives(const struct type *, const char *bytes, size_t size);

#endif
