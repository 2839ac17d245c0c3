/* SPDX-License-Identifier: MIT-0 */
/*
 * Lists whose nodes lead to the next through an arm of a union, or are of three types by turns: as long as memory allows, on a stack
 * that holds no more than a few of them, whole and cut.
 */
#include "check.h"
#include "chains.h"
#include <sys/resource.h>

enum { MANY = 60000, ROOM = 64 * MANY };

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

/* Good bytes give the value, and what is cut gives nothing. */
#define WITHSTANDS(T, value)                                                                                           \
    do {                                                                                                               \
        size_t size, used, cut;                                                                                        \
        struct T got;                                                                                                  \
        CHECK(T##_encode(value, bytes, ROOM, &size) == WHITTLE_CODEC_OK);                                              \
        CHECK(T##_decode(&got, bytes, size, &used, NULL) == WHITTLE_CODEC_OK && used == size);                         \
        CHECK(T##_encode(&got, again, ROOM, &used) == WHITTLE_CODEC_OK && used == size);                               \
        CHECK(memcmp(bytes, again, size) == 0);                                                                        \
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
    for (count = 1; count <= MANY; count = count < 4 ? count + 1 : count * 15000) {
        struct link *at = links(count);
        struct first *one = turns(count);
        WITHSTANDS(link, at);
        WITHSTANDS(first, one);
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
