/* SPDX-License-Identifier: MIT-0 */
/*
 * Values that hold values of their own type through arms of unions: in C behind pointers, in messages as if they stood there. With a
 * file's name the bytes of one go there.
 */
#include "check.h"
#include "conditions.h"

DEFINE_CHECK(condition, struct condition)
DEFINE_CHECK(pair, struct pair)
DEFINE_CHECK(named, struct named)
DEFINE_CHECK(holder, struct holder)

static char name[] = "a name";

static struct holder *whole(void)
{
    static struct holder v;
    static struct condition leaf = {NUMBER, {INT64_MIN}}, inner = {NOT, {0}}, several[3];
    static struct pair both;
    static struct named named;
    inner.u.inner = &leaf;
    several[0] = leaf, several[1] = inner, several[2].of = NONE;
    both.left = leaf;
    both.right.of = MANY, both.right.u.several.length = 3, both.right.u.several.items = several;
    named.name = name, named.of.left = inner, named.of.right.of = BOTH, named.of.right.u.both = &both, named.code = 7;
    v.a.of = NAMED, v.a.u.it = &named;
    v.u.deep = 1, v.u.u.p.left = inner, v.u.u.p.right = leaf;
    return &v;
}

#if defined XDR || defined PROTOBUF
#ifdef XDR
#define BYTES "\0\0\0\2\0\0\0\1\0\0\0\0\0\0\0\5\0\0\0\3\0\0\0\0"
#else
/* { both { left { number 5 }, right { inner {} } } }: the kind follows from the field. */
#define BYTES "\x12\x08\x0a\x02\x08\x05\x12\x02\x1a\x00"
#endif
/* The pointer is not in the message. */
static void check_bytes(void)
{
    static const char expected[] = BYTES;
    struct condition none = {NONE, {0}}, v = {BOTH, {0}};
    struct pair both = {{NUMBER, {5}}, {NOT, {0}}};
    char bytes[64];
    size_t size;
    both.right.u.inner = &none, v.u.both = &both;
    CHECK(condition_encode(&v, bytes, sizeof bytes, &size) == WHITTLE_CODEC_OK);
    CHECK(size == sizeof expected - 1 && memcmp(bytes, expected, size) == 0);
}

#endif

#ifdef XDR
/* As deep as bytes allow, and no deeper than that; no byte stands for two. */
static void check_hostile(void)
{
    enum { MANY_LEVELS = 100000 };
    char *const bytes = (char *)calloc(MANY_LEVELS, 4);
    const struct whittle_codec_limits limits = {1 << 20, 1000};
    struct condition got;
    size_t i;
    CHECK(bytes != NULL);
    for (i = 0; i < MANY_LEVELS; i++)
        bytes[4 * i + 3] = NOT;
    CHECK(condition_decode(&got, bytes, 4 * MANY_LEVELS, NULL, NULL) != WHITTLE_CODEC_OK && is_zero(&got, sizeof got));
    bytes[4 * 900 + 3] = NONE;
    CHECK(condition_decode(&got, bytes, 4 * 901, NULL, NULL) == WHITTLE_CODEC_OK);
    condition_free(&got);
    CHECK(condition_decode(&got, bytes, 4 * 900, NULL, NULL) == WHITTLE_CODEC_MALFORMED && is_zero(&got, sizeof got));
    for (i = 0; i < 900; i++)
        bytes[4 * i + 3] = LARGE;
    CHECK(condition_decode(&got, bytes, 4 * 901, NULL, &limits) == WHITTLE_CODEC_MALFORMED && is_zero(&got, sizeof got));
    free(bytes);
}
#endif

/* Values that no stack has room for, and such as lead back to themselves: nobody could decode them, and none is followed to its end. */
static void check_deep(void)
{
    enum { LEVELS = 200000 };
    static struct condition chain[LEVELS];
    static struct pair left[LEVELS];
    static char room[4 * LEVELS + 64];
    struct condition v = {BOTH, {0}}, several = {MANY, {0}}, copy;
    char text[64];
    size_t size, i;
    for (i = 0; i + 1 < LEVELS; i++) {
        chain[i].of = NOT, chain[i].u.inner = &chain[i + 1];
        left[i].left.of = BOTH, left[i].left.u.both = &left[i + 1];
    }
    CHECK(condition_encode(&chain[0], room, sizeof room, &size) == WHITTLE_CODEC_TOO_DEEP && size == 0);
    v.u.both = &left[0];
    several.u.several.length = 1, several.u.several.items = &several;
    struct condition *const deep[] = {&v, &several};
    for (i = 0; i < 2; i++) {
        CHECK(condition_size(deep[i], &size) == WHITTLE_CODEC_TOO_DEEP && size == 0);
        CHECK(condition_encode(deep[i], room, sizeof room, &size) == WHITTLE_CODEC_TOO_DEEP);
        CHECK(condition_copy(&copy, deep[i]) == WHITTLE_CODEC_TOO_DEEP && is_zero(&copy, sizeof copy));
        CHECK(condition_format(deep[i], text, sizeof text) > sizeof text);
    }
    CHECK(!condition_equal(&v, &several));
}

int main(int argc, char **argv)
{
    static char bytes[4096];
    struct condition nothing = {BOTH, {0}}, several = {MANY, {0}};
    struct holder *const v = whole(), copy = {0};
    size_t size;
    check_holder(v), check_condition(&v->a), check_named(v->a.u.it), check_pair(&v->u.u.p), check_condition(&several);
    CHECK(condition_size(&nothing, &size) == WHITTLE_CODEC_INVALID_VALUE && !holder_equal(v, &copy));
    check_deep();
#if defined XDR || defined PROTOBUF
    check_bytes();
#endif
#ifdef XDR
    check_hostile();
#endif
    CHECK(argc == 2 && holder_encode(v, bytes, sizeof bytes, &size) == WHITTLE_CODEC_OK);
    FILE *const file = fopen(argv[1], "wb");
    CHECK(file != NULL && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
    return 0;
}
