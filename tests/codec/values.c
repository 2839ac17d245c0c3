/* SPDX-License-Identifier: MIT-0 */
/*
 * Values of every kind of type through what `--link none` makes. With a file's name the bytes of one go there, for others to
 * read; with two, those of the second file must be that value.
 */
#include "check.h"
#include "values.h"

DEFINE_CHECK(color, enum color)
DEFINE_CHECK(paint, paint)
DEFINE_CHECK(name_t, name_t)
DEFINE_CHECK(digest, digest)
DEFINE_CHECK(blob, struct blob)
DEFINE_CHECK(grid, grid)
DEFINE_CHECK(stamps, struct stamps)
DEFINE_CHECK(flags, struct flags)
DEFINE_CHECK(reals, struct reals)
DEFINE_CHECK(point, struct point)
DEFINE_CHECK(points, struct points)
DEFINE_CHECK(shape, struct shape)
DEFINE_CHECK(maybe, struct maybe)
DEFINE_CHECK(coded, struct coded)
DEFINE_CHECK(node, struct node)
DEFINE_CHECK(list, list)
DEFINE_CHECK(tree, struct tree)
DEFINE_CHECK(everything, struct everything)
DEFINE_CHECK(perhaps, perhaps)

static char empty[] = "", quotes[] = "a \"quoted\" \\ \n\t\xc3\xa9", word[] = "word", twenty[] = "12345678901234567890";

static struct everything *whole(void)
{
    static uint8_t bytes[5] = {1, 2, 3, 4, 5};
    static int64_t when[2] = {INT64_MIN, INT64_MAX};
    static bool flags[3] = {true, false, true};
    static float reals[3] = {0.5f, -0.0f, 3.5e30f};
    static struct point points[3] = {{1, 2}, {-3, 4}, {5, UINT32_MAX}};
    static struct node third = {3, NULL}, second = {2, &third}, first = {1, &second};
    static struct tree left = {empty, NULL, NULL}, right = {word, NULL, NULL}, root = {quotes, &left, &right};
    static struct shape shapes[2];
    static char *names[2] = {word, twenty};
    static struct everything v;
    memset(&v, 0, sizeof v);
    v.i = INT32_MIN, v.u = UINT32_MAX, v.h = INT64_MIN + 1, v.uh = UINT64_MAX, v.f = 1.25f, v.d = -1e300, v.b = true;
    v.s = -5, v.us = 65535, v.c = 'c', v.uc = 200;
    v.hue = BLUE, v.tint = GREEN, v.name = twenty, v.free = quotes;
    memcpy(v.sum, bytes, 5);
    v.data.length = 5, v.data.items = bytes;
    v.r[0] = 1, v.r[2] = -1, v.g[1][2] = 7;
    v.when.length = 2, v.when.items = when, v.fs.length = 3, v.fs.items = flags, v.rs.length = 3, v.rs.items = reals;
    v.one = points[1], v.few[0] = points[2];
    v.many.length = 3, v.many.items = points;
    v.form.kind = GREEN, v.form.u.label = word;
    v.opt.there = true, v.opt.u.number = 1234567890123;
    v.code.code = 7, v.code.u.other = 0.1;
    v.list = &first, v.root = &root;
    shapes[0].kind = RED, shapes[0].u.at = points[0], shapes[1].kind = BLUE;
    v.shapes.length = 2, v.shapes.items = shapes;
    v.tail.length = 3, v.tail.items = bytes;
    v.names.length = 2, v.names.items = names;
    v.blobs[1].length = 2, v.blobs[1].items = bytes;
    return &v;
}

static void check_small(void)
{
    static uint8_t bytes[4] = {0, 0xff, 7, 0x80};
    enum color hue = BLUE;
    paint tint = GREEN;
    name_t name = twenty;
    digest sum = {1, 2, 3, 4, 5};
    struct blob data = {4, bytes}, nothing = {0, NULL};
    grid numbers = {{1, 2, 3}, {-1, -2, -3}};
    struct stamps when = {0, NULL};
    bool truths[2] = {false, true};
    struct flags flags = {2, truths};
    float numbers_of_all_kinds[2] = {1e-40f, -2.0f};
    struct reals reals = {2, numbers_of_all_kinds};
    struct point at = {3, 4};
    struct points one = {1, &at};
    struct shape shape = {GREEN, {.label = quotes}};
    struct maybe without = {false, {0}};
    struct coded coded = {1, {.raw = {4, bytes}}};
    struct node node = {9, NULL};
    list none = NULL, some = &node;
    struct tree leaf = {empty, NULL, NULL};
    check_color(&hue), check_paint(&tint), check_name_t(&name), check_digest(&sum), check_blob(&data), check_blob(&nothing);
    check_grid(&numbers), check_stamps(&when), check_flags(&flags), check_reals(&reals), check_point(&at), check_points(&one);
    check_shape(&shape), check_maybe(&without), check_coded(&coded), check_node(&node), check_list(&none), check_list(&some);
    check_tree(&leaf);
    coded.code = 3, coded.u.many = one;
    check_coded(&coded);
    shape.kind = BLUE;
    check_shape(&shape);
}

/* Values that are alike but for one thing. */
static void check_differences(void)
{
    struct everything copy, *const v = whole();
    CHECK(everything_copy(&copy, v) == WHITTLE_CODEC_OK && everything_equal(v, &copy));
#define DIFFERS(change, back) change, CHECK(!everything_equal(v, &copy)), back, CHECK(everything_equal(v, &copy))
    DIFFERS(copy.uc++, copy.uc--);
    DIFFERS(copy.d = -copy.d, copy.d = -copy.d);
    DIFFERS(copy.free[0] = 'b', copy.free[0] = 'a');
    DIFFERS(copy.g[1][2]++, copy.g[1][2]--);
    DIFFERS(copy.b = false, copy.b = true);
    DIFFERS(copy.fs.items[2] = false, copy.fs.items[2] = true);
    DIFFERS(copy.many.length--, copy.many.length++);
    DIFFERS(copy.form.u.label[3] = 'x', copy.form.u.label[3] = 'd');
    DIFFERS(copy.list->next->next->value++, copy.list->next->next->value--);
    DIFFERS(copy.root->right->key[0]++, copy.root->right->key[0]--);
    DIFFERS(copy.shapes.items[0].u.at.y++, copy.shapes.items[0].u.at.y--);
    DIFFERS(copy.names.items[1][19]++, copy.names.items[1][19]--);
    CHECK(copy.list != v->list && copy.free != v->free && copy.names.items[0] != v->names.items[0]);
    everything_free(&copy);
}

/* Values that have no encoding. */
static void check_invalid(void)
{
    char text[64], long_one[] = "123456789012345678901";
    size_t size;
    name_t name = NULL, got;
    struct shape shape = {(enum color)5, {.label = NULL}}, copy;
    struct stamps when = {5, (int64_t[5]){0}}, without = {1, NULL};
    CHECK(name_t_size(&name, &size) == WHITTLE_CODEC_INVALID_VALUE && size == 0);
    CHECK(name_t_encode(&name, text, sizeof text, &size) == WHITTLE_CODEC_INVALID_VALUE && size == 0);
    CHECK(name_t_copy(&got, &name) == WHITTLE_CODEC_INVALID_VALUE && got == NULL);
    CHECK(name_t_format(&name, text, sizeof text) == 4 && strcmp(text, "null") == 0);
    name = long_one;
    CHECK(name_t_size(&name, &size) == WHITTLE_CODEC_INVALID_VALUE);
    CHECK(name_t_encode(&name, text, sizeof text, &size) == WHITTLE_CODEC_INVALID_VALUE);
    CHECK(shape_encode(&shape, text, sizeof text, NULL) == WHITTLE_CODEC_INVALID_VALUE);
    CHECK(shape_copy(&copy, &shape) == WHITTLE_CODEC_INVALID_VALUE && is_zero(&copy, sizeof copy));
    shape.kind = (enum color)1;
    CHECK(shape_size(&shape, &size) == WHITTLE_CODEC_INVALID_VALUE);
    CHECK(shape_encode(&shape, text, sizeof text, NULL) == WHITTLE_CODEC_INVALID_VALUE);
    CHECK(stamps_size(&when, &size) == WHITTLE_CODEC_INVALID_VALUE && stamps_size(&without, &size) == WHITTLE_CODEC_INVALID_VALUE);
    CHECK(stamps_encode(&when, text, sizeof text, NULL) == WHITTLE_CODEC_INVALID_VALUE);
}

/* Lists as long as one likes take one frame, where they are not messages in messages; trees as deep as the limit. */
static void check_bounds(void)
{
    enum { MANY = TAGGED ? 900 : 300000, DEEP = 100 };
    struct node *const nodes = (struct node *)calloc(MANY, sizeof *nodes);
    struct tree *const trees = (struct tree *)calloc(DEEP, sizeof *trees);
    size_t size, i;
    CHECK(nodes != NULL && trees != NULL);
    for (i = 0; i < MANY; i++)
        nodes[i].value = (int32_t)i, nodes[i].next = i + 1 < MANY ? &nodes[i + 1] : NULL;
    struct node got, copy;
    CHECK(node_size(&nodes[0], &size) == WHITTLE_CODEC_OK);
    char *bytes = (char *)malloc(size);
    CHECK(node_encode(&nodes[0], bytes, size, NULL) == WHITTLE_CODEC_OK);
    CHECK(node_decode(&got, bytes, size, NULL, NULL) == WHITTLE_CODEC_OK && node_equal(&got, &nodes[0]));
    CHECK(!TAGGED || (nodes[MANY - 1].next = nodes, node_encode(nodes, bytes, size, NULL) == WHITTLE_CODEC_TOO_DEEP));
    nodes[MANY - 1].next = NULL;
    CHECK(node_copy(&copy, &got) == WHITTLE_CODEC_OK && node_equal(&copy, &got) && node_format(&got, NULL, 0) > MANY);
    node_free(&got), node_free(&copy);
    struct whittle_codec_limits limits = {TAGGED ? 8192 : 1 << 20, 0};
    CHECK(node_decode(&got, bytes, size, NULL, &limits) == WHITTLE_CODEC_NO_MEMORY && is_zero(&got, sizeof got));
    free(bytes);
    for (i = 0; i < DEEP; i++)
        trees[i].key = word, trees[i].left = i + 1 < DEEP ? &trees[i + 1] : NULL;
    struct tree tree;
    CHECK(tree_size(&trees[0], &size) == WHITTLE_CODEC_OK);
    bytes = (char *)malloc(size);
    CHECK(tree_encode(&trees[0], bytes, size, NULL) == WHITTLE_CODEC_OK);
    CHECK(tree_decode(&tree, bytes, size, NULL, NULL) == WHITTLE_CODEC_OK && tree_equal(&tree, &trees[0]));
    tree_free(&tree);
    limits.depth = DEEP / 2;
    CHECK(tree_decode(&tree, bytes, size, NULL, &limits) == WHITTLE_CODEC_TOO_DEEP && is_zero(&tree, sizeof tree));
    limits.depth = DEEP + 1;
    CHECK(tree_decode(&tree, bytes, size, NULL, &limits) == WHITTLE_CODEC_OK);
    tree_free(&tree);
    free(bytes), free(nodes), free(trees);
    struct blob blob;
    CHECK(blob_decode(&blob, "\377\377\377\377", 4, NULL, NULL) == WHITTLE_CODEC_MALFORMED);
    CHECK(blob_decode(&blob, NULL, 0, NULL, NULL) == (TAGGED ? WHITTLE_CODEC_OK : WHITTLE_CODEC_MALFORMED));
}

/* CDR of the other byte order, made by hand: the flag, padding to a multiple of four from there, words with their bytes reversed. */
static void check_order(void)
{
    struct point at = {-2, 0x01020304}, got;
    char bytes[12], other[12];
    size_t size, i;
    CHECK(point_encode(&at, bytes, sizeof bytes, &size) == WHITTLE_CODEC_OK);
    if (size == 8) {
        CHECK(memcmp(bytes, "\377\377\377\376\1\2\3\4", 8) == 0);
        return;
    }
    CHECK(size == 12 && (unsigned char)bytes[0] <= 1 && bytes[1] == 0 && bytes[2] == 0 && bytes[3] == 0);
    memset(other, 0, sizeof other);
    other[0] = (char)(1 - bytes[0]);
    for (i = 0; i < 8; i++)
        other[4 + i] = bytes[4 + (i ^ 3)];
    CHECK(memcmp(bytes[0] == 0 ? bytes + 8 : other + 8, "\1\2\3\4", 4) == 0);
    CHECK(point_decode(&got, other, sizeof other, NULL, NULL) == WHITTLE_CODEC_OK && point_equal(&got, &at));
    other[0] = 2;
    CHECK(point_decode(&got, other, sizeof other, NULL, NULL) == WHITTLE_CODEC_MALFORMED);
}

int main(int argc, char **argv)
{
    perhaps without = NULL, with = whole();
    check_small();
    check_everything(whole());
    check_perhaps(&without), check_perhaps(&with);
    check_differences();
    check_invalid();
    check_bounds();
    if (!TAGGED)
        check_order();
    CHECK(everything_print(whole(), stdout) && puts("") >= 0);
    if (argc > 2) {
        static char bytes[4096];
        struct everything got;
        FILE *const file = fopen(argv[2], "rb");
        CHECK(file != NULL);
        const size_t size = fread(bytes, 1, sizeof bytes, file);
        CHECK(fclose(file) == 0 && everything_decode(&got, bytes, size, NULL, NULL) == WHITTLE_CODEC_OK);
        CHECK(everything_equal(&got, whole()));
        everything_free(&got);
    }
    if (argc > 1) {
        char bytes[4096];
        size_t size;
        FILE *const file = fopen(argv[1], "wb");
        CHECK(file != NULL && everything_encode(whole(), bytes, sizeof bytes, &size) == WHITTLE_CODEC_OK);
        CHECK(fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
    }
    return 0;
}
