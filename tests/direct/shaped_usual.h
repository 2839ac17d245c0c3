/* Values of shaped.x as they usually are: in the plain style, or with RPCGEN in rpcgen's. */
#include "shaped_values.h"
#ifdef RPCGEN
#define RECORD(T) T
#define COUNT(of, T) (of).T##_len
#define ITEMS(of, T) (of).T##_val
#define MEMBER_OF_UNION(of, member) (of).answer_u.member
#define KIND class
#else
#define RECORD(T) struct T
#define COUNT(of, T) (of).length
#define ITEMS(of, T) (of).items
#define MEMBER_OF_UNION(of, member) (of).u.member
#define KIND class_
#endif

static void make_digest(uint32_t seed, uint32_t which, RECORD(digest) *to)
{
    COUNT(*to, digest) = LENGTH(seed, which, 5);
    ITEMS(*to, digest) = (void *)made_bytes(seed, which, 5);
}

static bool is_digest(uint32_t seed, uint32_t which, const RECORD(digest) *of)
{
    return is_bytes(ITEMS(*of, digest), COUNT(*of, digest), seed, which, 5);
}

static void make_numbers(uint32_t seed, uint32_t which, RECORD(numbers) *to)
{
    uint32_t const count = COUNT(*to, numbers) = LENGTH(seed, which, 6);
    ITEMS(*to, numbers) = calloc(count + 1, sizeof *ITEMS(*to, numbers));
    for (uint32_t i = 0; i < count; i++)
        ITEMS(*to, numbers)[i] = (int32_t)(seed * 1000003 + i);
}

static bool is_numbers(uint32_t seed, uint32_t which, const RECORD(numbers) *of)
{
    bool is_same = COUNT(*of, numbers) == LENGTH(seed, which, 6);
    for (uint32_t i = 0; is_same && i < COUNT(*of, numbers); i++)
        is_same = ITEMS(*of, numbers)[i] == (int32_t)(seed * 1000003 + i);
    return is_same;
}

#define TEXTS(T, most_items, most)                                                                                                           \
    static void make_##T(uint32_t seed, uint32_t which, RECORD(T) *to)                                                                       \
    {                                                                                                                                        \
        uint32_t const count = COUNT(*to, T) = LENGTH(seed, which, most_items);                                                              \
        ITEMS(*to, T) = calloc(count + 1, sizeof *ITEMS(*to, T));                                                                            \
        for (uint32_t i = 0; i < count; i++)                                                                                                 \
            ITEMS(*to, T)[i] = made_text(seed, which + i, most);                                                                             \
    }                                                                                                                                        \
    static bool is_##T(uint32_t seed, uint32_t which, const RECORD(T) *of)                                                                   \
    {                                                                                                                                        \
        bool is_same = COUNT(*of, T) == LENGTH(seed, which, most_items);                                                                     \
        for (uint32_t i = 0; is_same && i < COUNT(*of, T); i++)                                                                              \
            is_same = is_text(ITEMS(*of, T)[i], seed, which + i, most);                                                                      \
        return is_same;                                                                                                                      \
    }
TEXTS(names, 3, 8)
TEXTS(lines, 4, 33)

static void make_entry(uint32_t seed, RECORD(entry) *to)
{
    memset(to, 0, sizeof *to);
    to->KIND = made_text(seed, 1, 8);
    to->text = made_text(seed, 2, 40);
    to->remark = made_text(seed, 3, 50);
#ifdef RPCGEN
    to->data.data_len = LENGTH(seed, 4, 30);
    to->data.data_val = made_bytes(seed, 4, 30);
#else
    to->data.length = LENGTH(seed, 4, 30);
    to->data.items = (uint8_t *)made_bytes(seed, 4, 30);
#endif
    make_digest(seed, 5, &to->sum);
    make_numbers(seed, 6, &to->some);
    make_names(seed, 7, &to->called);
    make_lines(seed, 8, &to->told);
    to->pair[0] = made_text(seed, 9, 8);
    to->pair[1] = made_text(seed, 10, 8);
    to->detail.inside = made_text(seed, 11, 20);
    to->detail.hue = seed % 2 == 0 ? RED : GREEN;
    if (seed % 3 == 0 && seed > 0)
        make_entry(seed / 2, to->next = calloc(1, sizeof *to));
}

static bool is_entry(uint32_t seed, const RECORD(entry) *of)
{
    bool is_same = is_text(of->KIND, seed, 1, 8) && is_text(of->text, seed, 2, 40) && is_text(of->remark, seed, 3, 50);
#ifdef RPCGEN
    is_same = is_same && is_bytes(of->data.data_val, of->data.data_len, seed, 4, 30);
#else
    is_same = is_same && is_bytes(of->data.items, of->data.length, seed, 4, 30);
#endif
    is_same = is_same && is_digest(seed, 5, &of->sum) && is_numbers(seed, 6, &of->some);
    is_same = is_same && is_names(seed, 7, &of->called) && is_lines(seed, 8, &of->told);
    is_same = is_same && is_text(of->pair[0], seed, 9, 8) && is_text(of->pair[1], seed, 10, 8);
    is_same = is_same && is_text(of->detail.inside, seed, 11, 20);
    is_same = is_same && of->detail.hue == (seed % 2 == 0 ? RED : GREEN) && (of->next != NULL) == (seed % 3 == 0 && seed > 0);
    return is_same && (of->next == NULL || is_entry(seed / 2, of->next));
}

static void make_entries(uint32_t seed, RECORD(entries) *to)
{
    uint32_t const count = COUNT(*to, entries) = LENGTH(seed, 12, 3);
    ITEMS(*to, entries) = calloc(count + 1, sizeof *ITEMS(*to, entries));
    for (uint32_t i = 0; i < count; i++)
        make_entry(seed + i, &ITEMS(*to, entries)[i]);
}

static bool is_entries(uint32_t seed, const RECORD(entries) *of)
{
    bool is_same = COUNT(*of, entries) == LENGTH(seed, 12, 3);
    for (uint32_t i = 0; is_same && i < COUNT(*of, entries); i++)
        is_same = is_entry(seed + i, &ITEMS(*of, entries)[i]);
    return is_same;
}

static void make_answer(uint32_t seed, RECORD(answer) *to)
{
    memset(to, 0, sizeof *to);
    to->which = seed % 2 == 0 ? RED : GREEN;
    if (seed % 2 == 0)
        make_entry(seed, &MEMBER_OF_UNION(*to, it));
    else
        MEMBER_OF_UNION(*to, why) = made_text(seed, 13, 60);
}

static bool is_answer(uint32_t seed, const RECORD(answer) *of)
{
    if (of->which != (seed % 2 == 0 ? RED : GREEN))
        return false;
    return seed % 2 == 0 ? is_entry(seed, &MEMBER_OF_UNION(*of, it)) : is_text(MEMBER_OF_UNION(*of, why), seed, 13, 60);
}
