/* SPDX-License-Identifier: MIT-0 */
/*
 * Values of value types (any.idl) that no honest program sends: tags, ids, chunks and references back that lie; chains as deep as a
 * message is long; and one value in so many places that their copies would fill any memory.
 */
#include "attacker.h"
#include <string.h>

enum { TAG = 0x7fffff00, PLACE = 1, ID = 2, IDS = 6, CHUNKS = 8, BEFORE = 0xffffffff };

static const uint32_t odd[] = {0, 1, 3, 4, 0x7fffff00, 0x7fffff0a, 0x7ffffff0, 0x7fffffff, 0x80000000, 0xffffff00, 0xfffffffe, 0xffffffff};

static uint32_t odd_word(struct attacker *attacker)
{
    return odd[random_below(attacker, sizeof odd / sizeof odd[0])];
}

static void text_of(struct bytes *to, const char *text, uint32_t length)
{
    const size_t size = strlen(text) + 1;
    bytes_word(to, length);
    bytes_add(to, text, size);
    bytes_zeros(to, (4 - size % 4) % 4);
}

static void text(struct bytes *to, const char *what)
{
    text_of(to, what, (uint32_t)strlen(what) + 1);
}

/* Back into what is there, nearly always to a word; or forward, into itself, out of the message. */
static void reference(struct attacker *attacker, struct bytes *to)
{
    const uint32_t back = random_below(attacker, 8) == 0 ? odd_word(attacker) : 0u - 4 * (1 + random_below(attacker, 60));
    bytes_word(to, BEFORE);
    bytes_word(to, random_below(attacker, 12) == 0 ? random_below(attacker, 200) : back);
}

static void id(struct attacker *attacker, struct bytes *to, bool is_node)
{
    const uint32_t what = random_below(attacker, 20);
    if (what == 0)
        reference(attacker, to);
    else if (what == 1)
        text_of(to, "IDL:Node:1.0", odd_word(attacker));
    else if (what == 2)
        text(to, "IDL:Other:1.0");
    else
        text(to, is_node || what == 3 ? "IDL:Node:1.0" : "IDL:Leaf:1.0");
}

static void ids(struct attacker *attacker, struct bytes *to, uint32_t tag, bool is_node)
{
    if ((tag & PLACE) != 0)
        text(to, "http://nowhere/");
    if ((tag & IDS) == ID)
        id(attacker, to, is_node);
    if ((tag & IDS) != IDS)
        return;
    const uint32_t count = 1 + random_below(attacker, 3);
    bytes_word(to, random_below(attacker, 12) == 0 ? odd_word(attacker) : count);
    for (uint32_t index = 0; index < count; index++)
        id(attacker, to, is_node && index == 0);
}

static size_t chunk_begin(struct bytes *to)
{
    bytes_word(to, 0);
    return to->size;
}

static void chunk_end(struct attacker *attacker, struct bytes *to, size_t from)
{
    const uint32_t size = random_below(attacker, 12) == 0 ? odd_word(attacker) : (uint32_t)(to->size - from);
    for (int byte = 0; byte < 4; byte++)
        to->at[from - 4 + byte] = (uint8_t)(size >> (24 - 8 * byte));
}

static void value(struct attacker *attacker, struct bytes *to, uint32_t depth, uint32_t level, bool is_node);

/* The values in a state; in chunks they stand between two. */
static void state(struct attacker *attacker, struct bytes *to, uint32_t depth, uint32_t level, bool is_node)
{
    size_t from = level == 0 ? 0 : chunk_begin(to);
    bytes_word(to, random_below(attacker, 1000));
    if (is_node)
        text(to, "some text");
    if (level > 0)
        chunk_end(attacker, to, from);
    for (int child = 0; is_node && child < 3; child++)
        value(attacker, to, depth, level, child < 2);
    if (is_node && level > 0 && random_below(attacker, 4) == 0) {
        from = chunk_begin(to);
        bytes_zeros(to, 4 * random_below(attacker, 5));
        chunk_end(attacker, to, from);
    }
}

static void value(struct attacker *attacker, struct bytes *to, uint32_t depth, uint32_t level, bool is_node)
{
    static const uint32_t forms[] = {TAG, TAG | ID, TAG | ID, TAG | IDS, TAG | ID | CHUNKS, TAG | IDS | CHUNKS, TAG | CHUNKS, TAG | PLACE | ID};
    const uint32_t what = random_below(attacker, 24);
    uint32_t tag = forms[random_below(attacker, sizeof forms / sizeof forms[0])];
    if (depth == 0 || what < 6) {
        bytes_word(to, 0);
    } else if (what < 9) {
        reference(attacker, to);
    } else if (what == 9) {
        bytes_word(to, odd_word(attacker));
    } else {
        tag |= level > 0 && what != 10 ? CHUNKS : 0;
        bytes_word(to, what == 11 ? tag ^ (1u << random_below(attacker, 8)) : tag);
        ids(attacker, to, tag, is_node);
        level = (tag & CHUNKS) != 0 ? level + 1 : 0;
        state(attacker, to, depth - 1, level, is_node);
        if (level > 0)
            bytes_word(to, random_below(attacker, 10) == 0 ? 0u - random_below(attacker, level + 3) : 0u - level);
    }
}

static void broken_values(struct attacker *attacker)
{
    aim.operation = "weigh";
    while (goes_on()) {
        struct bytes bytes = {NULL, 0, 0};
        const size_t begin = request_begin(&bytes, 1, ECHO);
        for (int list = 0; list < 2; list++) {
            const uint32_t count = 1 + random_below(attacker, 6);
            bytes_word(&bytes, random_below(attacker, 30) == 0 ? odd_word(attacker) : count);
            for (uint32_t index = 0; index < count; index++)
                value(attacker, &bytes, 1 + random_below(attacker, 8), 0, list == 0 || random_below(attacker, 2) == 0);
        }
        request_end(&bytes, begin);
        ask(&bytes, 20);
        bytes_free(&bytes);
    }
}

/* A chain of 600,000 values, each in the other; the second time in chunks. */
static void deep_values(struct attacker *attacker)
{
    const uint32_t tag = TAG | (attacker->index % 2 == 0 ? 0 : CHUNKS);
    struct bytes bytes = {NULL, 0, 0};
    aim.operation = "weigh";
    const size_t begin = request_begin(&bytes, 1, ECHO);
    bytes_word(&bytes, 1);
    for (uint32_t index = 0; index < 600000; index++) {
        bytes_word(&bytes, tag);
        if ((tag & CHUNKS) != 0)
            bytes_word(&bytes, 12);
        bytes_word(&bytes, index);
        text(&bytes, "abc");
    }
    request_end(&bytes, begin);
    ask_again_and_again(&bytes);
    bytes_free(&bytes);
}

/* A text of 1 MB in a value, to which each of 400,000 others refers: 400 GB of copies. */
static void shared_values(struct attacker *attacker)
{
    enum { SIZE = 1 << 20, COUNT = 400000 };
    struct bytes bytes = {NULL, 0, 0};
    char *const much = (char *)malloc(SIZE);
    (void)attacker;
    aim.operation = "weigh";
    memset(much, 'x', SIZE - 1);
    much[SIZE - 1] = 0;
    const size_t begin = request_begin(&bytes, 1, ECHO);
    bytes_word(&bytes, COUNT);
    const size_t first = bytes.size;
    bytes_word(&bytes, TAG);
    bytes_word(&bytes, 1);
    text(&bytes, much);
    bytes_zeros(&bytes, 12);
    for (uint32_t index = 1; index < COUNT; index++) {
        bytes_word(&bytes, BEFORE);
        bytes_word(&bytes, (uint32_t)(first - bytes.size));
    }
    bytes_word(&bytes, 0);
    request_end(&bytes, begin);
    ask_again_and_again(&bytes);
    bytes_free(&bytes);
    free(much);
}

const struct attack attacks_of_values[] = {
    {"broken-values", broken_values, 4, "corba", "", "values whose tags, ids, chunks and references back lie"},
    {"deep-values", deep_values, 2, "corba", "", "chains of 600,000 values in values, whole and in chunks"},
    {"shared-values", shared_values, 1, "corba", "", "a value of 1 MB in 400,000 places"},
    {NULL, NULL, 0, NULL, NULL, NULL},
};
