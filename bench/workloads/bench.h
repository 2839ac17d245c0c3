/*
 * What main.c measures: implementations of three workloads. Each takes the same data, holds it in the form that its
 * user would, and then encodes it into its own buffer, or decodes that buffer and releases what came out. All that are
 * linked together are measured together: each says so by IMPLEMENTATION.
 */
#ifndef BENCH_H
#define BENCH_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

enum workload { INTS, RECTS, DIRENTS };

struct rect_item { int32_t words[4]; };
struct dirent_item { char *name; int32_t fields[30]; unsigned char tag[16]; };

struct data {
    enum workload workload;
    size_t bytes;       /* application bytes: 4, 16 or 256 per item */
    uint32_t count;
    union { int32_t *ints; struct rect_item *rects; struct dirent_item *dirents; } items;
};

struct implementation {
    const char *who;
    /* Not in the clock. NULL: this workload is not done. */
    void *(*begin)(const struct data *);
    /* In the clock: `times` messages. Either may be NULL. */
    void (*encode)(void *state, size_t times);
    void (*decode)(void *state, size_t times);
    /* Not in the clock: encodes, decodes, compares. */
    int (*is_right)(void *state, const struct data *);
    void (*end)(void *state);
};

/* Among those that are linked, in the order of linking. */
#define IMPLEMENTATION(NAME)                                                                                           \
    static const struct implementation *const NAME##_is_linked __attribute__((section("implementations"), used)) = &NAME;

/* For is_right. */
int same_dirent(const struct dirent_item *, const char *name, const int32_t *fields, const void *tag);

/* Keeps the compiler from leaving out what nobody reads. */
#define BENCH_BARRIER() __asm__ volatile("" ::: "memory")

#ifdef __cplusplus
}
#endif
#endif
