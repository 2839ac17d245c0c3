/* Encodes, decodes and releases values of CORBA's C mapping, in storage of each kind, and says what is not as it should be. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <whittle/cdr_in.h>
#include <whittle/cdr_out.h>
#include "mapping.h"

char *encode_request(struct whittle_cdr_out *out, char *at, const void *value);
const char *decode_request(struct whittle_cdr_in *in, const char *at, void *value);
const char *decode_request_swapped(struct whittle_cdr_in *in, const char *at, void *value);
void release_request(void *value);

#define EXPECT(condition)                                                                                              \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                                    \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

static long live, objects, fail_at = -1;

/* Storage that is freed with what its items hold. */
struct block {
    void (*release)(void *);
    size_t size, count;
};
#define HEAD 32

static void *allocate(struct whittle_cdr_in *in, size_t size, uint32_t count, void (*release)(void *))
{
    (void)in;
    if (fail_at >= 0 && fail_at-- == 0)
        return NULL;
    char *const storage = malloc(HEAD + size * count);
    *(struct block *)(void *)storage = (struct block){release, size, count};
    memset(storage + HEAD, release != NULL ? 0 : 0xa5, size * count);
    live++;
    return storage + HEAD;
}

void CORBA_free(void *storage)
{
    if (storage == NULL)
        return;
    struct block *const block = (struct block *)(void *)((char *)storage - HEAD);
    for (size_t i = 0; block->release != NULL && i < block->count; i++)
        block->release((char *)storage + i * block->size);
    free(block);
    live--;
}

static void *pieces[1000];
static unsigned piece_count;

static void *arena(struct whittle_cdr_in *in, size_t size, uint32_t count, void (*release)(void *))
{
    (void)in, (void)release;
    EXPECT(piece_count < 1000);
    return memset(pieces[piece_count++] = malloc(size * count), 0xa5, size * count);
}

static void arena_end(void)
{
    while (piece_count > 0)
        free(pieces[--piece_count]);
}

/* An object is four bytes of any alignment. */
char *whittle_cdr_out_object(struct whittle_cdr_out *out, char *at, const CORBA_Object *value)
{
    const uint32_t number = (uint32_t)(uintptr_t)*value;
    at = whittle_cdr_out_need(out, at, 4);
    return at == NULL ? NULL : (char *)memcpy(at, &number, 4) + 4;
}

const char *whittle_cdr_in_object(struct whittle_cdr_in *in, const char *at, CORBA_Object *value, bool swapped)
{
    uint32_t number;
    at = whittle_cdr_in_need(in, at, 4);
    if (at == NULL)
        return NULL;
    memcpy(&number, at, 4);
    *value = (CORBA_Object)(uintptr_t)(swapped ? __builtin_bswap32(number) : number);
    objects += !in->borrow;
    return at + 4;
}

void whittle_release_object(CORBA_Object *value)
{
    objects -= *value != NULL;
    *value = NULL;
}

char *whittle_cdr_out_tagged(struct whittle_cdr_out *out, char *at, void *const *value, unsigned digits, unsigned scale)
{
    EXPECT(digits == 7 && scale == 2);
    at = whittle_cdr_out_need(out, at, 4);
    return at == NULL ? NULL : (char *)memcpy(at, *value, 4) + 4;
}

const char *whittle_cdr_in_tagged(struct whittle_cdr_in *in, const char *at, void **value, unsigned digits, unsigned scale,
                                 bool swapped)
{
    (void)swapped;
    EXPECT(digits == 7 && scale == 2);
    at = whittle_cdr_in_need(in, at, 4);
    void *const storage = at == NULL ? NULL : whittle_cdr_in_new(in, value, 4, 1, NULL);
    return storage == NULL ? NULL : at + (memcpy(storage, at, 4) == NULL) + 4;
}

void whittle_release_tagged(void **value)
{
    CORBA_free(*value);
    *value = NULL;
}

static char some[1000];
static size_t size;

static const char *decodes(const char *bytes, size_t length, bool borrow, bool swapped, request *value, CORBA_long *count)
{
    struct whittle_cdr_in in = {bytes, bytes + length, 0, 0, borrow, borrow ? arena : allocate, 0, NULL, NULL, 0};
    memset(value, 0, sizeof *value);
    value->count = count;
    return (swapped ? decode_request_swapped : decode_request)(&in, bytes, value);
}

static void same(const request *value, bool borrowed)
{
    EXPECT(value->all->_length == 2 && value->all->_maximum == 2 && value->all->_release == !borrowed);
    const person *const second = &value->all->_buffer[1];
    EXPECT(strcmp(second->name, "Grace") == 0 && second->age == 85 && second->friend == (CORBA_Object)7);
    EXPECT(second->others._length == 2 && second->others._maximum == 2 && second->others._release == !borrowed);
    EXPECT(strcmp(second->others._buffer[1], "") == 0);
    EXPECT(value->all->_buffer[0].others._length == 0 && value->all->_buffer[0].others._buffer == NULL);
    EXPECT(*value->count == -5 && value->sorted._length == 2 && value->sorted._buffer[0]._length == 0);
    EXPECT(strcmp(value->sorted._buffer[1]._buffer[0], "one") == 0);
    EXPECT(value->raw._length == 3 && memcmp(value->raw._buffer, "\1\2\3", 3) == 0);
    EXPECT(value->weights._length == 2 && value->weights._buffer[1] == 0.25);
    EXPECT(value->small == 'x' && memcmp(value->number, "fix", 4) == 0);
}

int main(void)
{
    CORBA_char ada[] = "Ada", grace[] = "Grace", empty[] = "", one[] = "one", fix[] = "fix";
    CORBA_char *others[] = {grace, empty}, *single[] = {one};
    person persons[] = {{ada, {0, 0, NULL, 0}, (CORBA_Object)3, 36}, {grace, {2, 2, others, 0}, (CORBA_Object)7, 85}};
    people all = {2, 2, persons, 0};
    names groups_[] = {{0, 0, NULL, 0}, {1, 1, single, 0}};
    CORBA_octet raw[] = {1, 2, 3};
    CORBA_double weights[] = {1.5, 0.25};
    CORBA_long count = -5, room = 0;
    request value = {&all, &count, {2, 2, groups_, 0}, {3, 3, raw, 0}, {2, 2, weights, 0}, 'x', fix}, back;

    struct whittle_cdr_out out = {some, some + sizeof some, NULL, NULL, 0, 0, 0};
    const char *const end = encode_request(&out, some, &value);
    EXPECT(end != NULL);
    size = (size_t)(end - some);
    value.all = NULL;
    EXPECT(encode_request(&out, some + 500, &value) == NULL);
    value.all = &all;
    value.count = NULL;
    EXPECT(encode_request(&out, some + 500, &value) == NULL);

    EXPECT(decodes(some, size, false, false, &back, &room) == end);
    same(&back, false);
    const long pieces_of_it = live;
    EXPECT(objects == 2);
    release_request(&back);
    EXPECT(live == 0 && objects == 0 && room == -5);

    EXPECT(decodes(some, size, true, false, &back, &room) == end);
    same(&back, true);
    EXPECT(back.all->_buffer[1].name > some && back.all->_buffer[1].name < end);
    EXPECT((char *)back.raw._buffer > some && (char *)back.raw._buffer < end);
    arena_end();

    EXPECT(decodes(some, size, false, false, &back, NULL) == NULL);
    release_request(&back);
    EXPECT(live == 0 && objects == 0);
    for (long failing = 0; failing < pieces_of_it; failing++) {
        fail_at = failing;
        EXPECT(decodes(some, size, false, false, &back, &room) == NULL);
        release_request(&back);
        EXPECT(live == 0 && objects == 0);
    }
    fail_at = -1;
    for (size_t at = 0; at < size; at++) {
        char *const cut = malloc(at + 1);
        memcpy(cut, some, at);
        EXPECT(decodes(cut, at, false, false, &back, &room) == NULL);
        release_request(&back);
        EXPECT(live == 0 && objects == 0);
        free(cut);
        char *const changed = malloc(size);
        for (unsigned bit = 0; bit < 8; bit++) {
            memcpy(changed, some, size);
            changed[at] ^= (char)(1u << bit);
            for (unsigned swapped = 0; swapped < 2; swapped++) {
                decodes(changed, size, false, swapped, &back, &room);
                release_request(&back);
                EXPECT(live == 0);
                objects = 0;
                decodes(changed, size, true, swapped, &back, &room);
                arena_end();
            }
        }
        free(changed);
    }
    return 0;
}
