/* SPDX-License-Identifier: MIT-0 */
/* Writes values of forms.idl to a file, each behind its length, and what they are to standard output; and decodes what others may write. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "forms.h"
#define CHECK(condition) ((condition) ? (void)0 : (fprintf(stderr, "%d: %s\n", __LINE__, #condition), abort()))
#define BYTES(text) text, sizeof text - 1
#define VALUES 200

static uint64_t random_number(void)
{
    static uint64_t state = 1;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    /* As many short numbers as long ones, of either sign. */
    const uint64_t number = (state >> 7) >> (state >> 58);
    return (state & 64) != 0 ? ~number : number;
}

static void show(const struct forms *value)
{
    uint32_t i;
    printf("%" PRId32 " %" PRId64 " %" PRId32 " %" PRId64 " %" PRIu32 " %" PRIu64 " %d %u\n", value->a, value->b, value->c, value->d, value->e,
           value->f, value->g, value->h);
    for (i = 0; i < value->i.length; i++)
        printf(" %" PRId32, value->i.items[i]);
    for (i = 0; i < value->j.length; i++)
        printf(" %" PRIu64, value->j.items[i]);
    for (i = 0; i < value->k.length; i++)
        printf(" %d", value->k.items[i]);
    for (i = 0; i < 3; i++)
        printf(" %" PRId64, value->l[i]);
    printf(" %" PRId32 " %" PRId32 " %" PRId32 "\n", value->m == NULL ? -12345 : *value->m, value->n, value->o);
    if (value->p._d == 1)
        printf("wide %" PRIu64 "\n", value->p.u.wide);
    else if (value->p._d == 2)
        printf("far %" PRId64 "\n", value->p.u.far);
    else
        printf("plain %" PRId32 "\n", value->p.u.plain);
}

static void write_values(FILE *file)
{
    for (int round = 0; round < VALUES; round++) {
        int32_t i[4], m = (int32_t)random_number();
        uint64_t j[4];
        int16_t k[4];
        struct forms value, got;
        char bytes[512];
        size_t size, counted;
        memset(&value, 0, sizeof value);
        value.a = (int32_t)random_number(), value.b = (int64_t)random_number(), value.c = (int32_t)random_number();
        value.d = (int64_t)random_number(), value.e = (uint32_t)random_number(), value.f = random_number();
        value.g = (int16_t)random_number(), value.h = (uint8_t)random_number();
        for (int at = 0; at < 4; at++)
            i[at] = (int32_t)random_number(), j[at] = random_number(), k[at] = (int16_t)random_number();
        value.i.length = (uint32_t)round % 5, value.i.items = i;
        value.j.length = (uint32_t)round / 5 % 5, value.j.items = j;
        value.k.length = (uint32_t)round / 25 % 5, value.k.items = k;
        for (int at = 0; at < 3; at++)
            value.l[at] = (int64_t)random_number();
        value.m = round % 2 == 0 ? &m : NULL;
        value.n = (int32_t)random_number(), value.o = (int32_t)random_number();
        if (round == 0)
            value.a = INT32_MIN, value.b = INT64_MIN, value.c = INT32_MIN, value.d = INT64_MIN, value.g = INT16_MIN;
        if (round == 1)
            value.a = INT32_MAX, value.b = INT64_MAX, value.e = UINT32_MAX, value.f = UINT64_MAX, value.g = INT16_MAX, value.h = 255;
        if (round == 2)
            value.a = 0, value.b = 0, value.c = 0, value.d = 0, value.e = 0, value.f = 0, value.g = 0, value.h = 0, m = 0;
        value.p._d = round % 3 + 1;
        if (value.p._d == 1)
            value.p.u.wide = random_number();
        else if (value.p._d == 2)
            value.p.u.far = (int64_t)random_number();
        else
            value.p.u.plain = (int32_t)random_number();
        CHECK(forms_size(&value, &counted) == WHITTLE_CODEC_OK);
        CHECK(forms_encode(&value, bytes, counted, &size) == WHITTLE_CODEC_OK && size == counted);
        CHECK(forms_decode(&got, bytes, size, NULL, NULL) == WHITTLE_CODEC_OK && forms_equal(&got, &value));
        forms_free(&got);
        /* No part of a message, from its beginning, may be read beyond its end. */
        for (size_t cut = 0; cut < size; cut++) {
            char *const part = (char *)malloc(cut + 1);
            memcpy(part, bytes, cut);
            if (forms_decode(&got, part, cut, NULL, NULL) == WHITTLE_CODEC_OK)
                forms_free(&got);
            free(part);
        }
        const unsigned char head[2] = {(unsigned char)size, (unsigned char)(size >> 8)};
        CHECK(fwrite(head, 1, 2, file) == 2 && fwrite(bytes, 1, size, file) == size);
        show(&value);
    }
}

int main(int argc, char **argv)
{
    struct forms got;
    CHECK(argc == 2);
    FILE *const file = fopen(argv[1], "wb");
    CHECK(file != NULL);
    write_values(file);
    CHECK(fclose(file) == 0);
    /* Lists without packing, and both ways by turns. */
    CHECK(forms_decode(&got, BYTES("\x48\x01\x48\x03\x4a\x02\x02\x04\x5d\xff\xff\xff\xff\x5a\x04\x07\x00\x00\x00"), NULL, NULL) == WHITTLE_CODEC_OK);
    CHECK(got.i.length == 4 && got.i.items[0] == -1 && got.i.items[1] == -2 && got.i.items[2] == 1 && got.i.items[3] == 2);
    CHECK(got.k.length == 2 && got.k.items[0] == -1 && got.k.items[1] == 7);
    forms_free(&got);
    /* Another wire type is another field, which is skipped; a number of 64 bits is cut before its sign is taken. */
    CHECK(forms_decode(&got, BYTES("\x18\x05\x0d\x01\x02\x03\x04\x70\x83\x80\x80\x80\x10"), NULL, NULL) == WHITTLE_CODEC_OK);
    CHECK(got.c == 0 && got.a == 0 && got.n == -2);
    forms_free(&got);
    /* 32768 in 16 bits, 256 in 8, a run that no number ends, one that is cut. */
    CHECK(forms_decode(&got, BYTES("\x38\x80\x80\x04"), NULL, NULL) == WHITTLE_CODEC_MALFORMED);
    CHECK(forms_decode(&got, BYTES("\x45\x00\x01\x00\x00"), NULL, NULL) == WHITTLE_CODEC_MALFORMED);
    CHECK(forms_decode(&got, BYTES("\x52\x09" "123456789"), NULL, NULL) == WHITTLE_CODEC_MALFORMED);
    CHECK(forms_decode(&got, BYTES("\x1d\x00\x01\x00"), NULL, NULL) == WHITTLE_CODEC_MALFORMED);
    return 0;
}
