/*
 * The values that travel between programs of every.x, in rpcgen's style (-DRPCGEN) and in the plain one. One function for each type both makes
 * values and looks at them: numbers come from a seed, and whoever has the seed knows what must be there.
 */
#ifndef SAMPLES_H
#define SAMPLES_H
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "every.h"

#ifdef RPCGEN
#define COUNTED(T) T
#define LENGTH(value, T) (value)->T##_len
#define ITEMS(value, T) (value)->T##_val
#define PART_LENGTH(value, part) (value)->part.part##_len
#define PART_ITEMS(value, part) (value)->part.part##_val
#define BODY(value, T) (value)->T##_u
#define ARM_LENGTH(value, T, arm) (value)->T##_u.arm.arm##_len
#define ARM_ITEMS(value, T, arm) (value)->T##_u.arm.arm##_val
#define ARM_COUNTED(T) LENGTH(&value->answer_u.list, T)
typedef bool_t truth;
#else
#define COUNTED(T) struct T
#define LENGTH(value, T) (value)->length
#define ITEMS(value, T) (value)->items
#define PART_LENGTH(value, part) (value)->part.length
#define PART_ITEMS(value, part) (value)->part.items
#define BODY(value, T) (value)->u
#define ARM_LENGTH(value, T, arm) (value)->u.arm.length
#define ARM_ITEMS(value, T, arm) (value)->u.arm.items
typedef bool truth;
#endif

/* Numbers to be met again. */
struct walk {
    uint64_t state;
    bool is_making, is_same, is_quiet;
    uint32_t scale; /* so many times more items of what is small */
    int depth;
};

/* Odd seeds make values that are too large for one of libtirpc's datagrams. */
static inline struct walk walk_of(uint32_t seed)
{
    return (struct walk){.state = seed, .is_same = true, .scale = seed % 2 == 0 ? 1 : 12};
}

static inline uint64_t next(struct walk *walk)
{
    walk->state = walk->state * 6364136223846793005u + 1442695040888963407u;
    return walk->state >> 32 ^ walk->state << 32;
}

static inline void differs(struct walk *walk, const char *what)
{
    if (walk->is_same && !walk->is_quiet)
        fprintf(stderr, "%s is not what it was\n", what);
    walk->is_same = false;
}

#define NUMBER(name, T, from)                                                                                                                \
    static inline void name(struct walk *walk, T *value)                                                                                     \
    {                                                                                                                                        \
        T const wanted = (T)(from);                                                                                                          \
        if (walk->is_making)                                                                                                                 \
            *value = wanted;                                                                                                                 \
        else if (*value != wanted)                                                                                                           \
            differs(walk, #name);                                                                                                            \
    }
NUMBER(a_char, char, next(walk) % 256)
#ifdef RPCGEN
NUMBER(a_plain_char, char, next(walk) % 128)
#else
NUMBER(a_plain_char, int8_t, next(walk) % 128)
#endif
NUMBER(an_octet, uint8_t, next(walk))
NUMBER(a_short, int16_t, next(walk))
NUMBER(an_unsigned_short, uint16_t, next(walk))
NUMBER(an_int, int32_t, next(walk))
NUMBER(an_unsigned_int, uint32_t, next(walk))
NUMBER(a_hyper, int64_t, next(walk))
NUMBER(an_unsigned_hyper, uint64_t, next(walk))
NUMBER(a_float, float, (int16_t)next(walk) / 8.0f)
NUMBER(a_double, double, (int32_t)next(walk) / 1024.0)
NUMBER(a_truth, truth, next(walk) % 2)
NUMBER(a_color, enum color, next(walk) % 3 == 0 ? RED : next(walk) % 2 ? GREEN : BLUE)

static inline void bytes(struct walk *walk, void *value, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        an_octet(walk, (uint8_t *)value + i);
}

/* How many there are, from 0 to `most`. */
static inline uint32_t some(struct walk *walk, uint32_t *count, uint32_t most)
{
    uint32_t const wanted = next(walk) % 4 == 0 ? 0 : (uint32_t)(next(walk) % (most + 1));
    if (walk->is_making)
        *count = wanted;
    else if (*count != wanted)
        differs(walk, "a count");
    return walk->is_same ? wanted : 0;
}

static inline void *storage(uint32_t count, size_t size)
{
    void *const made = count == 0 ? NULL : calloc(count, size);
    if (count != 0 && made == NULL)
        abort();
    return made;
}

/* Counted items: where the count and the pointer are, how many at most, and each. */
#define ALL(LENGTH, ITEMS, most, each)                                                                                                       \
    do {                                                                                                                                     \
        uint32_t const count_ = some(walk, &LENGTH, most);                                                                                   \
        if (walk->is_making)                                                                                                                 \
            ITEMS = storage(count_, sizeof *ITEMS);                                                                                          \
        for (uint32_t at_ = 0; at_ < count_ && walk->is_same; at_++)                                                                         \
            each(walk, &ITEMS[at_]);                                                                                                         \
    } while (0)
#define BYTES(LENGTH, ITEMS, most)                                                                                                           \
    do {                                                                                                                                     \
        uint32_t const count_ = some(walk, &LENGTH, most);                                                                                   \
        if (walk->is_making)                                                                                                                 \
            ITEMS = storage(count_, 1);                                                                                                      \
        bytes(walk, ITEMS, count_);                                                                                                          \
    } while (0)
#define SEQUENCE(T, most, each)                                                                                                              \
    static inline void walk_##T(struct walk *walk, COUNTED(T) *value) { ALL(LENGTH(value, T), ITEMS(value, T), most, each); }
#define OPAQUE(T, most)                                                                                                                      \
    static inline void walk_##T(struct walk *walk, COUNTED(T) *value) { BYTES(LENGTH(value, T), ITEMS(value, T), most); }

static inline void text(struct walk *walk, char **value, uint32_t most)
{
    uint32_t length = walk->is_making ? 0 : (uint32_t)strlen(*value);
    uint32_t const count = some(walk, &length, most);
    if (walk->is_making)
        *value = storage(count + 1, 1);
    for (uint32_t i = 0; i < count; i++) {
        char const wanted = (char)('a' + next(walk) % 26);
        if (walk->is_making)
            (*value)[i] = wanted;
        else if ((*value)[i] != wanted)
            differs(walk, "a text");
    }
}

static inline void walk_name(struct walk *walk, char **value) { text(walk, value, 12); }
static inline void walk_words(struct walk *walk, char **value) { text(walk, value, 300); }

OPAQUE(blob, 1000 * walk->scale)
OPAQUE(small_blob, 7)
SEQUENCE(ints, 150 * walk->scale, an_int)
SEQUENCE(shorts, 50, a_short)
SEQUENCE(hypers, 50, an_unsigned_hyper)
SEQUENCE(doubles, 50, a_double)
SEQUENCE(colors, 50, a_color)
SEQUENCE(flags, 50, a_truth)
SEQUENCE(names, LIMIT, walk_name)
SEQUENCE(lists, 6, walk_ints)

static inline void walk_point(struct walk *walk, struct point *value)
{
    an_int(walk, &value->x);
    an_int(walk, &value->y);
}

static inline void walk_rect(struct walk *walk, struct rect *value)
{
    walk_point(walk, &value->least);
    walk_point(walk, &value->most);
}
SEQUENCE(rects, 60 * walk->scale, walk_rect)

static inline void walk_mixed(struct walk *walk, struct mixed *value)
{
    a_plain_char(walk, &value->c);
    an_octet(walk, &value->uc);
    a_short(walk, &value->s);
    an_unsigned_short(walk, &value->us);
    an_int(walk, &value->i);
    an_unsigned_int(walk, &value->ui);
    a_hyper(walk, &value->h);
    an_unsigned_hyper(walk, &value->uh);
    a_float(walk, &value->f);
    a_double(walk, &value->d);
    a_truth(walk, &value->b);
    a_color(walk, &value->like);
    an_int(walk, &value->n);
}
SEQUENCE(mixeds, LIMIT, walk_mixed)

static inline void walk_fixed(struct walk *walk, struct fixed *value)
{
    bytes(walk, value->k, 6);
    bytes(walk, value->odd, 3);
    for (int i = 0; i < 4; i++)
        an_int(walk, &value->grid[i]);
    walk_point(walk, &value->corners[0]);
    walk_point(walk, &value->corners[1]);
    for (int i = 0; i < 3; i++)
        a_double(walk, &value->weights[i]);
    for (int i = 0; i < 2; i++)
        walk_name(walk, &value->called[i]);
    for (int i = 0; i < 2; i++)
        walk_ints(walk, &value->rows[i]);
}

static inline void walk_holder(struct walk *walk, struct holder *value)
{
    BYTES(PART_LENGTH(value, raw), PART_ITEMS(value, raw), 9);
    text(walk, &value->text, 40);
    ALL(PART_LENGTH(value, numbers), PART_ITEMS(value, numbers), 4, an_int);
    ALL(PART_LENGTH(value, points), PART_ITEMS(value, points), 20, walk_point);
    ALL(PART_LENGTH(value, likes), PART_ITEMS(value, likes), 20, a_color);
    ALL(PART_LENGTH(value, truths), PART_ITEMS(value, truths), 20, a_truth);
    ALL(PART_LENGTH(value, wides), PART_ITEMS(value, wides), 20, a_hyper);
    walk_blob(walk, &value->data);
    walk_small_blob(walk, &value->few);
    walk_name(walk, &value->called);
    walk_words(walk, &value->said);
    walk_names(walk, &value->all);
    walk_lists(walk, &value->nested);
}

static inline void walk_shape(struct walk *walk, struct shape *value)
{
    a_color(walk, &value->kind);
    if (value->kind == RED)
        walk_point(walk, &BODY(value, shape).at);
    if (value->kind == GREEN)
        text(walk, &BODY(value, shape).text, 30);
}

static inline void a_small_number(struct walk *walk, int32_t *value)
{
    uint32_t number = (uint32_t)*value;
    (void)some(walk, &number, 4);
    *value = (int32_t)number;
}

static inline void walk_answer(struct walk *walk, struct answer *value)
{
    a_small_number(walk, &value->status);
    if (value->status == 0)
        walk_rects(walk, &BODY(value, answer).list);
    if (value->status == 1 || value->status == 2)
        walk_mixed(walk, &BODY(value, answer).both);
}

static inline void walk_flag(struct walk *walk, struct flag *value)
{
    a_truth(walk, &value->set);
    if (value->set)
        an_int(walk, &BODY(value, flag).number);
}

static inline void walk_pick(struct walk *walk, struct pick *value)
{
    (void)some(walk, &value->which, 4);
    if (value->which == 1)
        a_hyper(walk, &BODY(value, pick).big);
    else if (value->which == 3)
        BYTES(ARM_LENGTH(value, pick, bytes), ARM_ITEMS(value, pick, bytes), 50);
    else
        walk_point(walk, &BODY(value, pick).other);
}

/* Whether something optional is there. */
#define MAYBE(pointer, one_in, each)                                                                                                         \
    do {                                                                                                                                     \
        bool const is_there_ = next(walk) % one_in != 0;                                                                                     \
        if (walk->is_making)                                                                                                                 \
            pointer = is_there_ ? storage(1, sizeof *pointer) : NULL;                                                                        \
        else if ((pointer != NULL) != is_there_)                                                                                             \
            differs(walk, #pointer);                                                                                                         \
        if (is_there_ && walk->is_same)                                                                                                      \
            each(walk, pointer);                                                                                                             \
    } while (0)

static inline void walk_optional(struct walk *walk, struct optional *value)
{
    MAYBE(value->where, 2, walk_point);
    MAYBE(value->number, 2, an_int);
    MAYBE(value->around, 2, walk_rect);
}

static inline void walk_list(struct walk *walk, struct list *value)
{
    an_int(walk, &value->value);
    walk_name(walk, &value->label);
    MAYBE(value->next, 8, walk_list);
}

static inline void walk_chain(struct walk *walk, struct list **value) { MAYBE(*value, 3, walk_list); }

static inline void walk_tree(struct walk *walk, struct tree *value)
{
    an_int(walk, &value->value);
    if (++walk->depth < 8) {
        MAYBE(value->left, 3, walk_tree);
        MAYBE(value->right, 3, walk_tree);
    } else if (walk->is_making)
        value->left = value->right = NULL;
    walk->depth--;
}

static inline void walk_forest(struct walk *walk, struct forest *value)
{
    ALL(PART_LENGTH(value, trees), PART_ITEMS(value, trees), 3, walk_tree);
    ALL(PART_LENGTH(value, shapes), PART_ITEMS(value, shapes), 5, walk_shape);
    ALL(PART_LENGTH(value, answers), PART_ITEMS(value, answers), 3, walk_answer);
    ALL(PART_LENGTH(value, optionals), PART_ITEMS(value, optionals), 5, walk_optional);
    ALL(PART_LENGTH(value, chains), PART_ITEMS(value, chains), 4, walk_chain);
}

/* Procedures whose argument and result are of one type: SIMPLE ones by value, the others where they lie. */
#define PROCEDURES(SIMPLE, TEXT, RECORD)                                                                                                     \
    SIMPLE(int, int32_t, an_int)                                                                                                        \
    SIMPLE(hyper, uint64_t, an_unsigned_hyper)                                                                                          \
    SIMPLE(float, float, a_float)                                                                                                       \
    SIMPLE(double, double, a_double)                                                                                                    \
    SIMPLE(truth, truth, a_truth)                                                                                                        \
    SIMPLE(color, enum color, a_color)                                                                                                  \
    SIMPLE(counter, counter, an_int)                                                                                                    \
    SIMPLE(short, int16_t, a_short)                                                                                                     \
    TEXT(name, name, walk_name)                                                                                                         \
    TEXT(words, words, walk_words)                                                                                                      \
    RECORD(blob, COUNTED(blob), blob)                                                                                                   \
    RECORD(small_blob, COUNTED(small_blob), small_blob)                                                                                 \
    RECORD(ints, COUNTED(ints), ints)                                                                                                   \
    RECORD(shorts, COUNTED(shorts), shorts)                                                                                             \
    RECORD(hypers, COUNTED(hypers), hypers)                                                                                             \
    RECORD(doubles, COUNTED(doubles), doubles)                                                                                          \
    RECORD(colors, COUNTED(colors), colors)                                                                                             \
    RECORD(flags, COUNTED(flags), flags)                                                                                                \
    RECORD(names, COUNTED(names), names)                                                                                                \
    RECORD(lists, COUNTED(lists), lists)                                                                                                \
    RECORD(rects, COUNTED(rects), rects)                                                                                                \
    RECORD(mixeds, COUNTED(mixeds), mixeds)                                                                                             \
    RECORD(point, struct point, point)                                                                                                  \
    RECORD(rect, struct rect, rect)                                                                                                     \
    RECORD(mixed, struct mixed, mixed)                                                                                                  \
    RECORD(fixed, struct fixed, fixed)                                                                                                  \
    RECORD(holder, struct holder, holder)                                                                                               \
    RECORD(shape, struct shape, shape)                                                                                                  \
    RECORD(answer, struct answer, answer)                                                                                               \
    RECORD(flag, struct flag, flag)                                                                                                     \
    RECORD(pick, struct pick, pick)                                                                                                     \
    RECORD(optional, struct optional, optional)                                                                                         \
    RECORD(list, struct list, list)                                                                                                     \
    RECORD(tree, struct tree, tree)                                                                                                     \
    RECORD(forest, struct forest, forest)
#endif
