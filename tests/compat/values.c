/* See values.h. Everything that a pointer leads to is from malloc, as decoding would have it. */
#include "values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned state;

static void start(unsigned seed) { state = seed * 2654435761u + 12345u; }

/* A number that looks like chance and is the same everywhere. */
static unsigned next(void)
{
    state = state * 1664525u + 1013904223u;
    return state >> 8 ^ state << 16;
}

static unsigned long long next_long(void) { return (unsigned long long) next() << 32 | next(); }

/* A length: often zero or one, sometimes many. */
static u_int length(u_int most)
{
    static const u_int usual[] = {0, 1, 2, 3, 5, 8, 13, 40};
    u_int chosen = usual[next() % (sizeof usual / sizeof *usual)];
    return chosen < most ? chosen : most;
}

void *allocate(size_t size)
{
    void *memory = calloc(1, size == 0 ? 1 : size);
    if (memory == NULL) {
        fprintf(stderr, "no memory\n");
        exit(EXIT_FAILURE);
    }
    return memory;
}

char *text_of(const char *text) { return strcpy(allocate(strlen(text) + 1), text); }

static char *text(u_int most)
{
    u_int size = length(most);
    char *made = allocate(size + 1);
    for (u_int at = 0; at < size; at++)
        made[at] = (char) ('a' + next() % 26);
    return made;
}

static void bytes(void *memory, size_t size)
{
    for (size_t at = 0; at < size; at++)
        ((unsigned char *) memory)[at] = (unsigned char) next();
}

static colour any_colour(void)
{
    static const colour all[] = {RED, GREEN, BLUE, VIOLET, INFRARED};
    return all[next() % 5];
}

/* Gives a counted array room and fills it: the last argument is what is done to each element, `(*item)`. */
#define COUNTED(array, LEN, VAL, most, fill)                                                                           \
    do {                                                                                                               \
        (array).LEN = length(most);                                                                                    \
        (array).VAL = (array).LEN == 0 ? NULL : allocate((array).LEN * sizeof *(array).VAL);                           \
        for (u_int at_ = 0; at_ < (array).LEN; at_++) {                                                                \
            __typeof__((array).VAL) item = &(array).VAL[at_];                                                          \
            fill;                                                                                                      \
        }                                                                                                              \
    } while (0)

#define MEMBER(value, name, most, fill) COUNTED((value)->name, name##_len, name##_val, most, fill)

#define EACH(array, fill)                                                                                              \
    do {                                                                                                               \
        for (size_t at_ = 0; at_ < sizeof(array) / sizeof *(array); at_++) {                                           \
            __typeof__(&(array)[0]) item = &(array)[at_];                                                              \
            fill;                                                                                                      \
        }                                                                                                              \
    } while (0)

/* Not negative: libtirpc's memory streams and rpcgen's inline code drop the sign of a `long` of 64 bits. */
static long any_long(void) { return (int) (next() >> 1); }

static void fill_numbers(numbers *value)
{
    value->a_char = (char) next();
    value->an_unsigned_char = (u_char) next();
    value->a_short = (short) next();
    value->an_unsigned_short = (u_short) next();
    value->a_u_short = (u_short) next();
    value->an_int = (int) next();
    value->an_unsigned_int = next();
    value->an_unsigned = next();
    value->a_u_int = next();
    value->a_long = any_long();
    value->an_unsigned_long = next();
    value->a_u_long = next();
    value->a_hyper = (quad_t) next_long();
    value->an_unsigned_hyper = next_long();
    value->a_float = (float) (int) next() / 7;
    value->a_double = (double) (int) next() / 3;
    value->a_bool = (bool_t) (next() % 2);
    value->a_colour = any_colour();
}

void make_numbers(numbers *value, unsigned seed)
{
    start(seed);
    fill_numbers(value);
}

static void fill_row(int *row)
{
    for (int at = 0; at < 5; at++)
        row[at] = (int) next();
}

static void fill_fixed(fixed *value)
{
    bytes(value->chars, sizeof value->chars);
    bytes(value->bytes, sizeof value->bytes);
    EACH(value->shorts, *item = (short) next());
    EACH(value->counts, *item = (u_short) next());
    EACH(value->ints, *item = (int) next());
    EACH(value->longs, *item = any_long());
    EACH(value->sizes, *item = next());
    EACH(value->hypers, *item = (quad_t) next_long());
    EACH(value->floats, *item = (float) (int) next());
    EACH(value->doubles, *item = (double) (int) next() / 9);
    EACH(value->flags, *item = (bool_t) (next() % 2));
    EACH(value->colours, *item = any_colour());
    bytes(value->odd, sizeof value->odd);
    bytes(value->even, sizeof value->even);
    for (int row = 0; row < 3; row++)
        fill_row(value->rows[row]);
    bytes(value->digests, sizeof value->digests);
}

static void fill_blob(blob *value, u_int size)
{
    value->blob_len = size;
    value->blob_val = size == 0 ? NULL : allocate(size);
    bytes(value->blob_val, size);
}

static void fill_variable(variable *value)
{
    value->text = text(100);
    value->bounded_text = text(31);
    MEMBER(value, bytes, 100, *item = (char) next());
    MEMBER(value, bounded_bytes, 11, *item = (char) next());
    MEMBER(value, chars, 100, *item = (char) next());
    MEMBER(value, shorts, 10, *item = (short) next());
    MEMBER(value, ints, 100, *item = (int) next());
    MEMBER(value, bounded_ints, 8, *item = next());
    MEMBER(value, longs, 100, *item = any_long());
    MEMBER(value, hypers, 100, *item = (quad_t) next_long());
    MEMBER(value, floats, 100, *item = (float) (int) next());
    MEMBER(value, doubles, 100, *item = (double) (int) next());
    MEMBER(value, flags, 100, *item = (bool_t) (next() % 2));
    MEMBER(value, colours, 100, *item = any_colour());
    MEMBER(value, names, 100, *item = text(40));
    MEMBER(value, short_names, 3, *item = text(16));
    MEMBER(value, records, 100, fill_numbers(item));
    MEMBER(value, rows, 100, fill_row(*item));
    MEMBER(value, digests, 100, bytes(*item, sizeof *item));
    MEMBER(value, blobs, 100, fill_blob(item, length(40)));
}

static void fill_by_enum(by_enum *value)
{
    value->kind = any_colour();
    switch (value->kind) {
    case RED:
        value->by_enum_u.red = (int) next();
        break;
    case GREEN:
    case BLUE:
        value->by_enum_u.cold = text(20);
        break;
    case VIOLET:
        break;
    default:
        bytes(value->by_enum_u.rest, 3);
    }
}

void make_by_enum(by_enum *value, unsigned seed)
{
    start(seed);
    memset(value, 0, sizeof *value);
    fill_by_enum(value);
}

static void fill_by_int(by_int *value)
{
    static const int all[] = {0, 1, -2};
    value->number = all[next() % 3];
    if (value->number == 1)
        fill_numbers(&value->by_int_u.one);
    else if (value->number == -2)
        value->by_int_u.minus_two = (double) (int) next() / 11;
}

static void fill_by_unsigned(by_unsigned *value)
{
    static const unsigned all[] = {7, TEN, 99, 0xffffffffu};
    value->number = all[next() % 4];
    if (value->number == 7)
        COUNTED(value->by_unsigned_u.seven, int_list_len, int_list_val, 100, *item = (int) next());
    else if (value->number == TEN)
        value->by_unsigned_u.ten = text(5);
}

static numbers *maybe_record(void)
{
    numbers *made = NULL;
    if (next() % 2 != 0) {
        made = allocate(sizeof *made);
        fill_numbers(made);
    }
    return made;
}

static void fill_optional(optional *value)
{
    if (next() % 2 != 0)
        *(value->maybe_int = allocate(sizeof(int))) = (int) next();
    if (next() % 2 != 0)
        *(value->maybe_name = allocate(sizeof(name))) = text(20);
    value->maybe_record = maybe_record();
    if (next() % 2 != 0)
        fill_by_enum(value->maybe_union = allocate(sizeof(by_enum)));
}

static list chain(u_int cells)
{
    list first = NULL;
    while (cells-- > 0) {
        cell *made = allocate(sizeof *made);
        made->item = (int) next();
        made->label = text(13);
        made->next = first;
        first = made;
    }
    return first;
}

static void fill_tree(tree *value, int depth)
{
    value->key = (int) next();
    if (depth > 0 && next() % 3 != 0)
        fill_tree(value->left = allocate(sizeof(tree)), depth - 1);
    if (depth > 0 && next() % 3 != 0)
        fill_tree(value->right = allocate(sizeof(tree)), depth - 1);
}

static void fill_entry(direntry *value)
{
    value->name = text(40);
    EACH(value->info.fields, *item = (int) next());
    bytes(value->info.tag, sizeof value->info.tag);
}

static void fill_mixed(mixed *value)
{
    value->first = (int) next();
    EACH(value->middle, fill_by_int(item));
    value->text = text(50);
    value->frame = (rectangle){{(int) next(), 2}, {3, 4}};
    MEMBER(value, choices, 10, fill_by_unsigned(item));
    value->last = maybe_record();
    value->cells = chain(length(6));
    value->coat = any_colour();
}

void make_wide(wide *value, unsigned seed)
{
    start(seed);
    memset(value, 0, sizeof *value);
    fill_numbers(&value->scalars);
    fill_fixed(&value->arrays);
    fill_variable(&value->lists);
    fill_by_enum(&value->enumerated);
    fill_by_int(&value->numbered);
    fill_by_unsigned(&value->counted);
    value->flagged.present = (bool_t) (next() % 2);
    if (value->flagged.present)
        value->flagged.by_bool_u.value = (quad_t) next_long();
    fill_optional(&value->perhaps);
    value->chain = chain(length(20));
    fill_tree(&value->root, 4);
    COUNTED(value->woods.trees, trees_len, trees_val, 5, fill_tree(item, 2));
    COUNTED(value->entries, direntseq_len, direntseq_val, 40, fill_entry(item));
    COUNTED(value->frames, rectangles_len, rectangles_val, 40, *item = ((rectangle){{1, (int) next()}, {3, 4}}));
    MEMBER(value, together, 5, fill_mixed(item));
}

void make_blob(blob *value, u_int size, unsigned seed)
{
    start(seed);
    fill_blob(value, size);
}

void make_ints(int_list *value, u_int size, unsigned seed)
{
    start(seed);
    value->int_list_len = size;
    value->int_list_val = size == 0 ? NULL : allocate(size * sizeof(int));
    for (u_int at = 0; at < size; at++)
        value->int_list_val[at] = (int) next();
}

void make_directory(direntseq *value, u_int entries, unsigned seed)
{
    start(seed);
    value->direntseq_len = entries;
    value->direntseq_val = entries == 0 ? NULL : allocate(entries * sizeof(direntry));
    for (u_int at = 0; at < entries; at++)
        fill_entry(&value->direntseq_val[at]);
}

void make_rectangles(rectangles *value, u_int count, unsigned seed)
{
    start(seed);
    value->rectangles_len = count;
    value->rectangles_val = count == 0 ? NULL : allocate(count * sizeof(rectangle));
    bytes(value->rectangles_val, count * sizeof(rectangle));
}

void make_chain(list *value, u_int cells, unsigned seed)
{
    start(seed);
    *value = chain(cells);
}

/* Comparison: each SAME leaves with 0 at the first difference. */
#define SAME(condition)                                                                                                \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: differs: %s\n", __func__, __LINE__, #condition);                                   \
            return 0;                                                                                                  \
        }                                                                                                              \
    } while (0)

#define SAME_FIELD(field) SAME(memcmp(&one->field, &other->field, sizeof one->field) == 0)
#define SAME_TEXT(field) SAME(strcmp(one->field, other->field) == 0)

/* Elements without pointers and padding: bytes will do. */
#define SAME_FLAT(array, LEN, VAL)                                                                                     \
    do {                                                                                                               \
        SAME(one->array.LEN == other->array.LEN);                                                                      \
        SAME(one->array.LEN == 0                                                                                       \
             || memcmp(one->array.VAL, other->array.VAL, one->array.LEN * sizeof *one->array.VAL) == 0);               \
    } while (0)
#define SAME_ITEMS(array) SAME_FLAT(array, array##_len, array##_val)

/* Elements compared by `test`, which sees `a` and `b`. */
#define SAME_EACH(array, LEN, VAL, test)                                                                               \
    do {                                                                                                               \
        SAME(one->array.LEN == other->array.LEN);                                                                      \
        for (u_int at_ = 0; at_ < one->array.LEN; at_++) {                                                             \
            __typeof__(one->array.VAL) a = &one->array.VAL[at_], b = &other->array.VAL[at_];                           \
            SAME(test);                                                                                                \
        }                                                                                                              \
    } while (0)

int same_numbers(const numbers *one, const numbers *other)
{
    SAME_FIELD(a_char);
    SAME_FIELD(an_unsigned_char);
    SAME_FIELD(a_short);
    SAME_FIELD(an_unsigned_short);
    SAME_FIELD(a_u_short);
    SAME_FIELD(an_int);
    SAME_FIELD(an_unsigned_int);
    SAME_FIELD(an_unsigned);
    SAME_FIELD(a_u_int);
    SAME_FIELD(a_long);
    SAME_FIELD(an_unsigned_long);
    SAME_FIELD(a_u_long);
    SAME_FIELD(a_hyper);
    SAME_FIELD(an_unsigned_hyper);
    SAME_FIELD(a_float);
    SAME_FIELD(a_double);
    SAME_FIELD(a_bool);
    SAME_FIELD(a_colour);
    return 1;
}

static int same_fixed(const fixed *one, const fixed *other)
{
    SAME_FIELD(chars);
    SAME_FIELD(bytes);
    SAME_FIELD(shorts);
    SAME_FIELD(counts);
    SAME_FIELD(ints);
    SAME_FIELD(longs);
    SAME_FIELD(sizes);
    SAME_FIELD(hypers);
    SAME_FIELD(floats);
    SAME_FIELD(doubles);
    SAME_FIELD(flags);
    SAME_FIELD(colours);
    SAME_FIELD(odd);
    SAME_FIELD(even);
    SAME_FIELD(rows);
    SAME_FIELD(digests);
    return 1;
}

static int same_blob(const blob *one, const blob *other)
{
    return one->blob_len == other->blob_len
        && (one->blob_len == 0 || memcmp(one->blob_val, other->blob_val, one->blob_len) == 0);
}

static int same_variable(const variable *one, const variable *other)
{
    SAME_TEXT(text);
    SAME_TEXT(bounded_text);
    SAME_ITEMS(bytes);
    SAME_ITEMS(bounded_bytes);
    SAME_ITEMS(chars);
    SAME_ITEMS(shorts);
    SAME_ITEMS(ints);
    SAME_ITEMS(bounded_ints);
    SAME_ITEMS(longs);
    SAME_ITEMS(hypers);
    SAME_ITEMS(floats);
    SAME_ITEMS(doubles);
    SAME_ITEMS(flags);
    SAME_ITEMS(colours);
    SAME_EACH(names, names_len, names_val, strcmp(*a, *b) == 0);
    SAME_EACH(short_names, short_names_len, short_names_val, strcmp(*a, *b) == 0);
    SAME_EACH(records, records_len, records_val, same_numbers(a, b));
    SAME_ITEMS(rows);
    SAME_ITEMS(digests);
    SAME_EACH(blobs, blobs_len, blobs_val, same_blob(a, b));
    return 1;
}

int same_by_enum(const by_enum *one, const by_enum *other)
{
    SAME_FIELD(kind);
    switch (one->kind) {
    case RED:
        SAME_FIELD(by_enum_u.red);
        break;
    case GREEN:
    case BLUE:
        SAME_TEXT(by_enum_u.cold);
        break;
    case VIOLET:
        break;
    default:
        SAME_FIELD(by_enum_u.rest);
    }
    return 1;
}

static int same_by_int(const by_int *one, const by_int *other)
{
    SAME_FIELD(number);
    if (one->number == 1)
        return same_numbers(&one->by_int_u.one, &other->by_int_u.one);
    if (one->number == -2)
        SAME_FIELD(by_int_u.minus_two);
    return 1;
}

static int same_by_unsigned(const by_unsigned *one, const by_unsigned *other)
{
    SAME_FIELD(number);
    if (one->number == 7)
        SAME_FLAT(by_unsigned_u.seven, int_list_len, int_list_val);
    else if (one->number == TEN)
        SAME_TEXT(by_unsigned_u.ten);
    return 1;
}

/* Both absent, or both there and alike. */
#define SAME_MAYBE(field, test)                                                                                        \
    do {                                                                                                               \
        SAME((one->field == NULL) == (other->field == NULL));                                                          \
        if (one->field != NULL) {                                                                                      \
            __typeof__(one->field) a = one->field, b = other->field;                                                   \
            SAME(test);                                                                                                \
        }                                                                                                              \
    } while (0)

static int same_optional(const optional *one, const optional *other)
{
    SAME_MAYBE(maybe_int, *a == *b);
    SAME_MAYBE(maybe_name, strcmp(*a, *b) == 0);
    SAME_MAYBE(maybe_record, same_numbers(a, b));
    SAME_MAYBE(maybe_union, same_by_enum(a, b));
    return 1;
}

int same_chain(const cell *one, const cell *other)
{
    for (; one != NULL && other != NULL; one = one->next, other = other->next) {
        SAME_FIELD(item);
        SAME_TEXT(label);
    }
    return one == NULL && other == NULL;
}

static int same_tree(const tree *one, const tree *other)
{
    SAME_FIELD(key);
    SAME_MAYBE(left, same_tree(a, b));
    SAME_MAYBE(right, same_tree(a, b));
    return 1;
}

static int same_entry(const direntry *one, const direntry *other)
{
    SAME_TEXT(name);
    SAME_FIELD(info);
    return 1;
}

int same_directory(const direntseq *value, const direntseq *expected)
{
    struct both {
        direntseq entries;
    } first = {*value}, second = {*expected}, *one = &first, *other = &second;
    SAME_EACH(entries, direntseq_len, direntseq_val, same_entry(a, b));
    return 1;
}

static int same_mixed(const mixed *one, const mixed *other)
{
    SAME_FIELD(first);
    SAME(same_by_int(&one->middle[0], &other->middle[0]));
    SAME(same_by_int(&one->middle[1], &other->middle[1]));
    SAME_TEXT(text);
    SAME_FIELD(frame);
    SAME_EACH(choices, choices_len, choices_val, same_by_unsigned(a, b));
    SAME_MAYBE(last, same_numbers(a, b));
    SAME(same_chain(one->cells, other->cells));
    SAME_FIELD(coat);
    return 1;
}

int same_wide(const wide *one, const wide *other)
{
    SAME(same_numbers(&one->scalars, &other->scalars));
    SAME(same_fixed(&one->arrays, &other->arrays));
    SAME(same_variable(&one->lists, &other->lists));
    SAME(same_by_enum(&one->enumerated, &other->enumerated));
    SAME(same_by_int(&one->numbered, &other->numbered));
    SAME(same_by_unsigned(&one->counted, &other->counted));
    SAME_FIELD(flagged.present);
    SAME(!one->flagged.present || one->flagged.by_bool_u.value == other->flagged.by_bool_u.value);
    SAME(same_optional(&one->perhaps, &other->perhaps));
    SAME(same_chain(one->chain, other->chain));
    SAME(same_tree(&one->root, &other->root));
    SAME_EACH(woods.trees, trees_len, trees_val, same_tree(a, b));
    SAME(same_directory(&one->entries, &other->entries));
    SAME_FLAT(frames, rectangles_len, rectangles_val);
    SAME_EACH(together, together_len, together_val, same_mixed(a, b));
    return 1;
}
