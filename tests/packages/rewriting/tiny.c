/* The library of `tiny.h`, and a value of `whole.x` there and back: what is written of it, before and after. */
#include "tiny.h"
#include "whole.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

static void *room(ZDR *z, size_t bytes)
{
    char *at = z->arena + z->used;
    z->used += (bytes + 15) & ~(size_t)15;
    return z->used <= sizeof z->arena ? memset(at, 0, bytes) : NULL;
}

uint32_t zdr_u_int(ZDR *z, uint32_t *value)
{
    uint32_t word = htonl(*value);
    if (z->end - z->at < 4)
        return FALSE;
    if (z->x_op == ZDR_ENCODE) {
        memcpy(z->at, &word, 4);
    } else {
        memcpy(&word, z->at, 4);
        *value = ntohl(word);
    }
    z->at += 4;
    return TRUE;
}

uint32_t zdr_int(ZDR *z, int32_t *value)
{
    return zdr_u_int(z, (uint32_t *)value);
}

uint32_t zdr_enum(ZDR *z, enum_t *value)
{
    return zdr_u_int(z, value);
}

uint32_t zdr_bool(ZDR *z, uint32_t *value)
{
    return zdr_u_int(z, value);
}

uint32_t zdr_uint64_t(ZDR *z, uint64_t *value)
{
    uint32_t high = (uint32_t)(*value >> 32), low = (uint32_t)*value;
    if (!zdr_u_int(z, &high) || !zdr_u_int(z, &low))
        return FALSE;
    *value = (uint64_t)high << 32 | low;
    return TRUE;
}

uint32_t zdr_opaque(ZDR *z, char *value, uint32_t bytes)
{
    const uint32_t all = (bytes + 3) & ~3u;
    if (z->end - z->at < (long)all)
        return FALSE;
    if (z->x_op == ZDR_ENCODE)
        memcpy(memset(z->at, 0, all), value, bytes);
    else
        memcpy(value, z->at, bytes);
    z->at += all;
    return TRUE;
}

uint32_t zdr_bytes(ZDR *z, char **value, uint32_t *bytes, uint32_t most)
{
    if (!zdr_u_int(z, bytes) || *bytes > most)
        return FALSE;
    if (z->x_op == ZDR_DECODE && (*value = room(z, *bytes + 1)) == NULL)
        return FALSE;
    return zdr_opaque(z, *value, *bytes);
}

uint32_t zdr_string(ZDR *z, char **value, uint32_t most)
{
    uint32_t bytes = z->x_op == ZDR_ENCODE ? (uint32_t)strlen(*value) : 0;
    return zdr_bytes(z, value, &bytes, most);
}

uint32_t zdr_vector(ZDR *z, char *value, uint32_t count, uint32_t size, zdrproc_t item)
{
    for (; count > 0; count--, value += size)
        if (!item(z, value))
            return FALSE;
    return TRUE;
}

uint32_t zdr_array(ZDR *z, char **value, uint32_t *count, uint32_t most, uint32_t size, zdrproc_t item)
{
    if (!zdr_u_int(z, count) || *count > most)
        return FALSE;
    if (z->x_op == ZDR_DECODE && (*value = room(z, (size_t)*count * size)) == NULL)
        return FALSE;
    return zdr_vector(z, *value, *count, size, item);
}

uint32_t zdr_pointer(ZDR *z, char **value, uint32_t size, zdrproc_t item)
{
    uint32_t is_there = *value != NULL;
    if (!zdr_u_int(z, &is_there))
        return FALSE;
    if (z->x_op == ZDR_DECODE)
        *value = is_there ? room(z, size) : NULL;
    return *value == NULL || item(z, *value);
}

static ZDR encoding, decoding;

static void show(whole *value)
{
    static char buffer[4096];
    const char *at;
    encoding.x_op = ZDR_ENCODE;
    encoding.at = buffer;
    encoding.end = buffer + sizeof buffer;
    if (!zdr_whole(&encoding, value))
        puts("not encoded");
    for (at = buffer; at < encoding.at; at++)
        printf("%02x", (unsigned char)*at);
    puts("");
    decoding.x_op = ZDR_DECODE;
    decoding.at = buffer;
    decoding.end = encoding.at;
}

int main(void)
{
    whole value = { .kind = BLUE, .id = 0x123456789abcdef0u, .name = (char *)"a name", .flag = TRUE, .mark = "mar", .sizes = { 1, 2, 3 } };
    struct choice choices[2] = { { RED, { .text = (char *)"red" } }, { BLUE, { .numbers = { 2, (int[]) { -1, -2 } } } } };
    whole next = value, back;
    memset(&back, 0, sizeof back);
    value.choices.choices_len = 2;
    value.choices.choices_val = choices;
    value.next = &next;
    show(&value);
    if (!zdr_whole(&decoding, &back) || decoding.at != decoding.end)
        puts("not decoded");
    show(&back);
    return 0;
}
