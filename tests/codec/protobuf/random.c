/* SPDX-License-Identifier: MIT-0 */
/*
 * Random values in protobuf for its other implementations. `random write FILE` writes messages, each behind its length in four bytes;
 * `random read FILE OTHER` reads what another made of them: other bytes, which must be the same values.
 */
#include "check.h"
#include "values.h"

enum { VALUES = 400, MOST = 1 << 16 };

static void *fresh(size_t count, size_t size)
{
    void *const storage = calloc(count + 1, size);
    CHECK(storage != NULL);
    return storage;
}

static uint64_t number(void)
{
    const uint64_t high = any(0x7fffffff), low = any(0x7fffffff);
    return any(5) == 0 ? 0 : (high << 33 ^ low) >> any(64);
}

static float real(void)
{
    return any(5) == 0 ? 0 : (float)any(1000000) / 64 - 1000.015625f;
}

static char *text(uint32_t most)
{
    const uint32_t length = any(most + 1);
    char *const made = (char *)fresh(length, 1);
    uint32_t i = 0;
    while (i < length)
        if (length - i > 1 && any(4) == 0)
            made[i++] = '\xc3', made[i++] = (char)(0x80 + any(0x40));
        else
            made[i++] = (char)(1 + any(0x7f));
    return made;
}

static struct blob bytes(uint32_t most)
{
    struct blob made = {any(most + 1), NULL};
    uint32_t i;
    made.items = (uint8_t *)fresh(made.length, 1);
    for (i = 0; i < made.length; i++)
        made.items[i] = (uint8_t)any(256);
    return made;
}

static struct point point(void)
{
    const struct point made = {(int32_t)number(), (uint32_t)number()};
    return made;
}

static struct points points(uint32_t most)
{
    struct points made = {any(most + 1), NULL};
    uint32_t i;
    made.items = (struct point *)fresh(made.length, sizeof *made.items);
    for (i = 0; i < made.length; i++)
        made.items[i] = point();
    return made;
}

static enum color color(void)
{
    static const enum color all[] = {RED, GREEN, BLUE};
    return all[any(3)];
}

static struct shape shape(void)
{
    struct shape made;
    memset(&made, 0, sizeof made);
    made.kind = color();
    if (made.kind == RED)
        made.u.at = point();
    else if (made.kind == GREEN)
        made.u.label = text(20);
    return made;
}

static struct coded coded(void)
{
    struct coded made;
    memset(&made, 0, sizeof made);
    made.code = any(6);
    if (made.code == 1) {
        const struct blob raw = bytes(9);
        made.u.raw.length = raw.length, made.u.raw.items = raw.items;
    } else if (made.code == 2 || made.code == 3) {
        made.u.many = points(4);
    } else {
        made.u.other = (double)real();
    }
    return made;
}

static struct node *nodes(uint32_t length)
{
    struct node *const made = length == 0 ? NULL : (struct node *)fresh(1, sizeof *made);
    if (made != NULL)
        made->value = (int32_t)number(), made->next = nodes(length - 1);
    return made;
}

static struct tree *tree(uint32_t depth)
{
    struct tree *const made = depth == 0 || any(4) == 0 ? NULL : (struct tree *)fresh(1, sizeof *made);
    if (made != NULL)
        made->key = text(5), made->left = tree(depth - 1), made->right = tree(depth - 1);
    return made;
}

static void fill_lists(struct everything *v)
{
    uint32_t i;
    v->when.length = any(5), v->when.items = (int64_t *)fresh(v->when.length, sizeof(int64_t));
    for (i = 0; i < v->when.length; i++)
        v->when.items[i] = (int64_t)number() * (any(2) == 0 ? -1 : 1);
    v->fs.length = any(40), v->fs.items = (bool *)fresh(v->fs.length, sizeof(bool));
    for (i = 0; i < v->fs.length; i++)
        v->fs.items[i] = any(2) == 0;
    v->rs.length = any(40), v->rs.items = (float *)fresh(v->rs.length, sizeof(float));
    for (i = 0; i < v->rs.length; i++)
        v->rs.items[i] = real();
    v->shapes.length = any(4), v->shapes.items = (struct shape *)fresh(v->shapes.length, sizeof(struct shape));
    for (i = 0; i < v->shapes.length; i++)
        v->shapes.items[i] = shape();
    v->names.length = any(30), v->names.items = (char **)fresh(v->names.length, sizeof(char *));
    for (i = 0; i < v->names.length; i++)
        v->names.items[i] = text(20);
}

static struct everything everything(void)
{
    struct everything v;
    uint32_t i;
    memset(&v, 0, sizeof v);
    v.i = (int32_t)number(), v.u = (uint32_t)number(), v.h = (int64_t)(number() << 1), v.uh = number() << 1;
    v.f = real(), v.d = (double)real(), v.b = any(2) == 0;
    v.s = (int16_t)number(), v.us = (uint16_t)number(), v.c = (char)any(128), v.uc = (uint8_t)number();
    v.hue = color(), v.tint = color(), v.name = text(20), v.free = text(200);
    for (i = 0; i < 5; i++)
        v.sum[i] = (uint8_t)any(256);
    v.data = bytes(300);
    for (i = 0; i < 3; i++)
        v.r[i] = (int32_t)number(), v.g[0][i] = (int32_t)number(), v.g[1][i] = (int32_t)number();
    fill_lists(&v);
    v.one = point(), v.few[0] = point(), v.few[1] = point(), v.many = points(40);
    v.form = shape(), v.opt.there = any(2) == 0, v.opt.u.number = v.opt.there ? (int64_t)number() : 0, v.code = coded();
    v.list = nodes(any(20)), v.root = tree(5);
    const struct blob tail = bytes(7);
    v.tail.length = tail.length, v.tail.items = tail.items;
    v.blobs[0] = bytes(5), v.blobs[1] = bytes(200);
    return v;
}

static size_t next(FILE *file, char *bytes_of)
{
    unsigned char head[4];
    CHECK(fread(head, 1, 4, file) == 4);
    const size_t size = head[0] | (size_t)head[1] << 8 | (size_t)head[2] << 16;
    CHECK(size <= MOST && fread(bytes_of, 1, size, file) == size);
    return size;
}

int main(int argc, char **argv)
{
    static char made[MOST], theirs[MOST];
    int i;
    CHECK(argc > 2);
    FILE *const file = fopen(argv[2], argc > 3 ? "rb" : "wb"), *const other = argc > 3 ? fopen(argv[3], "rb") : NULL;
    CHECK(file != NULL && (argc == 3 || other != NULL));
    for (i = 0; i < VALUES; i++) {
        struct everything got, value;
        size_t size;
        if (argc == 3) {
            value = everything();
            CHECK(everything_encode(&value, made, sizeof made, &size) == WHITTLE_CODEC_OK);
            const unsigned char head[4] = {(unsigned char)size, (unsigned char)(size >> 8), (unsigned char)(size >> 16), 0};
            CHECK(fwrite(head, 1, 4, file) == 4 && fwrite(made, 1, size, file) == size);
            continue;
        }
        CHECK(everything_decode(&value, made, next(file, made), NULL, NULL) == WHITTLE_CODEC_OK);
        size = next(other, theirs);
        char *const exact = exactly(theirs, size);
        CHECK(everything_decode(&got, exact, size, NULL, NULL) == WHITTLE_CODEC_OK && everything_equal(&got, &value));
        free(exact), everything_free(&got), everything_free(&value);
    }
    CHECK(fclose(file) == 0 && (other == NULL || fclose(other) == 0));
    return 0;
}
