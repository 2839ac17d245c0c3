/* SPDX-License-Identifier: MIT-0 */
/* Messages of attackers, big-endian: ONC RPC over records (RFC 5531), GIOP 1.2 (CORBA 3.3 part 2). In: what is asked. Out: bytes. */
#include "attacker.h"
#include <stdio.h>
#include <string.h>

void bytes_add(struct bytes *bytes, const void *what, size_t size)
{
    if (bytes->size + size > bytes->room) {
        bytes->room = 2 * (bytes->size + size) + 64;
        bytes->at = (uint8_t *)realloc(bytes->at, bytes->room);
        if (bytes->at == NULL)
            abort();
    }
    if (what != NULL)
        memcpy(bytes->at + bytes->size, what, size);
    else
        memset(bytes->at + bytes->size, 0, size);
    bytes->size += size;
}

void bytes_zeros(struct bytes *bytes, size_t size)
{
    bytes_add(bytes, NULL, size);
}

void bytes_word(struct bytes *bytes, uint32_t word)
{
    const uint8_t four[4] = {(uint8_t)(word >> 24), (uint8_t)(word >> 16), (uint8_t)(word >> 8), (uint8_t)word};
    bytes_add(bytes, four, 4);
}

void bytes_free(struct bytes *bytes)
{
    free(bytes->at);
    *bytes = (struct bytes){NULL, 0, 0};
}

static void poke(struct bytes *bytes, size_t at, uint32_t word)
{
    for (int index = 0; index < 4; index++)
        bytes->at[at + (size_t)index] = (uint8_t)(word >> (24 - 8 * index));
}

static void align(struct bytes *bytes, size_t begin, size_t to)
{
    while ((bytes->size - begin) % to != 0)
        bytes_zeros(bytes, 1);
}

void giop_message(struct bytes *bytes, uint8_t minor, uint8_t flags, uint8_t type, uint32_t claimed, const void *body, size_t size)
{
    const uint8_t head[8] = {'G', 'I', 'O', 'P', 1, minor, flags, type};
    bytes_add(bytes, head, 8);
    bytes_word(bytes, claimed);
    bytes_add(bytes, body, size);
}

static size_t giop_begin(struct bytes *bytes, uint32_t id, const char *operation)
{
    const size_t begin = bytes->size;
    const uint8_t expected[4] = {3, 0, 0, 0};
    giop_message(bytes, 2, 0, 0, 0, NULL, 0);
    bytes_word(bytes, id);
    bytes_add(bytes, expected, 4);
    bytes_word(bytes, 0);       /* named by its key */
    bytes_word(bytes, aim.key_size);
    bytes_add(bytes, aim.key, aim.key_size);
    align(bytes, begin, 4);
    bytes_word(bytes, (uint32_t)strlen(operation) + 1);
    bytes_add(bytes, operation, strlen(operation) + 1);
    align(bytes, begin, 4);
    bytes_word(bytes, 0);       /* no service contexts */
    return begin;
}

size_t request_begin(struct bytes *bytes, uint32_t id, enum procedure procedure)
{
    static const char *const names[] = {"NOTHING", "ECHO", "WORDS", "LARGE", "SLOW", "PARTS", "TITLES"};
    const size_t begin = bytes->size;
    if (aim.giop) {
        giop_begin(bytes, id, aim.operation != NULL ? aim.operation : names[procedure]);
        if (procedure != NOTHING)
            align(bytes, begin, 8);
        return begin;
    }
    if (!aim.datagrams)
        bytes_word(bytes, 0);
    const uint32_t words[] = {id, 0, 2, 0x20000bad, 1, (uint32_t)procedure, 0, 0, 0, 0};
    for (size_t index = 0; index < sizeof words / sizeof words[0]; index++)
        bytes_word(bytes, words[index]);
    return begin;
}

void request_end(struct bytes *bytes, size_t begin)
{
    if (aim.giop) {
        poke(bytes, begin + 8, (uint32_t)(bytes->size - begin - 12));
        return;
    }
    align(bytes, begin, 4);
    if (!aim.datagrams)
        poke(bytes, begin, 0x80000000u | (uint32_t)(bytes->size - begin - 4));
}

void request_word(struct bytes *bytes, uint32_t id, enum procedure procedure, uint32_t word)
{
    const size_t begin = request_begin(bytes, id, procedure);
    if (procedure != NOTHING)
        bytes_word(bytes, word);
    request_end(bytes, begin);
}

void request_blob(struct bytes *bytes, uint32_t id, uint32_t size)
{
    const size_t begin = request_begin(bytes, id, ECHO);
    bytes_word(bytes, size);
    bytes_zeros(bytes, size);
    request_end(bytes, begin);
}

void fragments(struct bytes *to, const struct bytes *whole, size_t size)
{
    if (!aim.giop) {
        for (size_t at = 4; at < whole->size; at += size) {
            const size_t piece = whole->size - at < size ? whole->size - at : size;
            bytes_word(to, (at + piece == whole->size ? 0x80000000u : 0) | (uint32_t)piece);
            bytes_add(to, whole->at + at, piece);
        }
        return;
    }
    /* All but the last are a multiple of eight bytes long, headers included. */
    size = size < 8 ? 8 : size & ~(size_t)7;
    size_t first = (size < 96 ? 96 : size) + 4;
    first = (first + 12 + 7) / 8 * 8 - 12;
    if (whole->size < first + 24) {
        bytes_add(to, whole->at, whole->size);
        return;
    }
    giop_message(to, 2, 2, whole->at[7], (uint32_t)first, whole->at + 12, first);
    for (size_t at = 12 + first; at < whole->size; at += size) {
        const size_t piece = whole->size - at < size ? whole->size - at : size;
        giop_message(to, 2, at + piece == whole->size ? 0 : 2, 7, (uint32_t)piece + 4, whole->at + 12, 4);
        bytes_add(to, whole->at + at, piece);
    }
}
