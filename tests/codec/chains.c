/* SPDX-License-Identifier: MIT-0 */
/*
 * Lists whose nodes lead to the next through an arm of a union, by a sequence of one item at most, or are of three types by turns: as
 * long as memory allows, on a stack that holds no more than a few of them, whole and cut.
 */
#include "check.h"
#include "chains.h"
#include <sys/resource.h>

enum { MANY = 200000, ROOM = 64 * MANY };

static struct link *links(uint32_t count)
{
    struct link *head = NULL;
    while (count-- > 0) {
        struct link *const one = (struct link *)calloc(1, sizeof *one);
        CHECK(one != NULL);
        one->value = (int32_t)count;
        one->behind.more = head != NULL;
        one->behind.u.next = head;
        head = one;
    }
    return head;
}

static struct first *turns(uint32_t count)
{
    static uint8_t bytes[3] = {1, 2, 3};
    static char name[] = "name";
    struct first *head = NULL;
    while (count-- > 0) {
        struct first *const one = (struct first *)calloc(1, sizeof *one);
        struct second *const two = (struct second *)calloc(1, sizeof *two);
        struct third *const three = (struct third *)calloc(1, sizeof *three);
        CHECK(one != NULL && two != NULL && three != NULL);
        one->value = (int32_t)count, one->next = two;
        two->value = -(int64_t)count, two->name = name, two->next = three;
        three->bytes.length = 3, three->bytes.items = bytes, three->next = head;
        head = one;
    }
    return head;
}

static struct bead *beads(uint32_t count)
{
    struct bead *head = NULL;
    while (count-- > 0) {
        struct bead *const one = (struct bead *)calloc(1, sizeof *one);
        CHECK(one != NULL);
        one->value = -(int64_t)count;
        one->next.length = head != NULL;
        one->next.items = head;
        head = one;
    }
    return head;
}

static struct stop *stops(uint32_t count)
{
    static char name[] = "name";
    struct stop *head = NULL;
    while (count-- > 0) {
        struct stop *const one = (struct stop *)calloc(1, sizeof *one);
        struct route *const onward = (struct route *)calloc(1, sizeof *onward);
        CHECK(one != NULL && onward != NULL);
        one->name = name;
        one->onward.length = 1, one->onward.items = onward;
        onward->more = head != NULL;
        onward->u.next.length = head != NULL, onward->u.next.items = head;
        head = one;
    }
    return head;
}

/* Good bytes give the value, and what is cut gives nothing. */
#define WITHSTANDS(T, value)                                                                                           \
    do {                                                                                                               \
        size_t size, used, cut;                                                                                        \
        struct T got, copy;                                                                                            \
        CHECK(T##_encode(value, bytes, ROOM, &size) == WHITTLE_CODEC_OK);                                              \
        CHECK(T##_size(value, &used) == WHITTLE_CODEC_OK && used == size);                                             \
        CHECK(T##_decode(&got, bytes, size, &used, NULL) == WHITTLE_CODEC_OK && used == size);                         \
        CHECK(T##_encode(&got, again, ROOM, &used) == WHITTLE_CODEC_OK && used == size);                               \
        CHECK(memcmp(bytes, again, size) == 0);                                                                        \
        CHECK(T##_copy(&copy, &got) == WHITTLE_CODEC_OK && T##_equal(&copy, &got));                                    \
        T##_free(&copy);                                                                                               \
        T##_free(&got);                                                                                                \
        CHECK(is_zero(&got, sizeof got));                                                                              \
        for (cut = 1; cut < size; cut = cut * 3 + 1)                                                                   \
            CHECK(T##_decode(&got, bytes, size - cut, NULL, NULL) != WHITTLE_CODEC_OK && is_zero(&got, sizeof got));   \
    } while (0)

int main(void)
{
    const struct rlimit little = {256 * 1024, 256 * 1024};
    char *const bytes = (char *)malloc(ROOM), *const again = (char *)malloc(ROOM);
    uint32_t count;
    CHECK(bytes != NULL && again != NULL && setrlimit(RLIMIT_STACK, &little) == 0);
    for (count = 1; count <= MANY; count = count < 4 ? count + 1 : count * (MANY / 4)) {
        struct link *at = links(count);
        struct first *one = turns(count);
        struct bead *bead = beads(count);
        struct stop *stop = stops(count);
        WITHSTANDS(link, at);
        WITHSTANDS(first, one);
        WITHSTANDS(bead, bead);
        WITHSTANDS(stop, stop);
        while (bead != NULL) {
            struct bead *const next = bead->next.items;
            free(bead);
            bead = next;
        }
        while (stop != NULL) {
            struct stop *const next = stop->onward.items->u.next.items;
            free(stop->onward.items);
            free(stop);
            stop = next;
        }
        while (at != NULL) {
            struct link *const next = at->behind.u.next;
            free(at);
            at = next;
        }
        while (one != NULL) {
            struct first *const next = one->next->next->next;
            free(one->next->next);
            free(one->next);
            free(one);
            one = next;
        }
    }
    free(bytes);
    free(again);
    return 0;
}
