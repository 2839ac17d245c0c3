/* SPDX-License-Identifier: MIT-0 */
/*
 * Values inside values, as deep as memory allows, on a stack that holds some thousands of them: what is too deep to be
 * encoded is an error, and is released whole. CORBA's own types have lists as sequences, too.
 */
#include "check.h"
#include "deep.h"
#include <sys/resource.h>

#ifdef CORBA
typedef tree the_tree;
typedef grove the_grove;
typedef bead the_bead;
#define HOLD(sequence, item) ((sequence)._buffer = (item), (sequence)._length = (sequence)._maximum = 1, (sequence)._release = CORBA_TRUE)
#define HOLD_TREE(place, item) HOLD(place, item)
#else
typedef struct tree the_tree;
typedef struct grove the_grove;
typedef struct bead the_bead;
#define HOLD(array, item) ((array).items = (item), (array).length = 1)
#define HOLD_TREE(place, item) ((place) = (item))
#endif

enum { ROOM = 1 << 16 };

static void *made(size_t size)
{
    void *const one = calloc(1, size);
    CHECK(one != NULL);
    return one;
}

static char *text(void)
{
    char *const one = (char *)made(2);
    one[0] = 'x';
    return one;
}

static the_tree *trees(uint32_t depth)
{
    the_tree *inner = NULL;
    while (depth-- > 0) {
        the_tree *const one = (the_tree *)made(sizeof *one);
        one->v = (int32_t)depth;
        if (inner != NULL)
            HOLD_TREE(one->left, inner);
        HOLD_TREE(one->right, (the_tree *)made(sizeof *one));
        inner = one;
    }
    return inner;
}

static the_grove *groves(uint32_t depth)
{
    the_grove *inner = NULL;
    while (depth-- > 0) {
        the_grove *const one = (the_grove *)made(sizeof *one);
        one->name = text();
        if (inner != NULL)
            HOLD(one->inside, inner);
        inner = one;
    }
    return inner;
}

static the_bead *beads(uint32_t depth)
{
    the_bead *next = NULL;
    while (depth-- > 0) {
        the_bead *const one = (the_bead *)made(sizeof *one);
        one->name = text();
        if (next != NULL)
            HOLD(one->next, next);
        next = one;
    }
    return next;
}

/* Deep values have no bytes, nor copies; `shallow` ones do, and are released as often. */
#define WITHSTANDS(T, make, depth, shallow)                                                                            \
    do {                                                                                                               \
        static char bytes[ROOM];                                                                                       \
        the_##T *const value = make(depth);                                                                            \
        the_##T copy;                                                                                                  \
        size_t size = 0;                                                                                               \
        CHECK((T##_encode(value, bytes, ROOM, &size) == WHITTLE_CODEC_OK) == (shallow));                               \
        CHECK((T##_copy(&copy, value) == WHITTLE_CODEC_OK) == (shallow));                                              \
        T##_free(&copy);                                                                                               \
        T##_free(value);                                                                                               \
        free(value);                                                                                                   \
    } while (0)

int main(void)
{
    const struct rlimit little = {16 << 20, 16 << 20};
    CHECK(setrlimit(RLIMIT_STACK, &little) == 0);
    WITHSTANDS(tree, trees, 100, true);
    WITHSTANDS(grove, groves, 100, true);
    WITHSTANDS(bead, beads, 100, true);
    WITHSTANDS(tree, trees, 1000000, false);
    WITHSTANDS(grove, groves, 1000000, false);
#ifdef CORBA
    WITHSTANDS(bead, beads, 1000000, false);
#endif
    return 0;
}
