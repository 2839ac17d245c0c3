/* Values of shaped.x as `shaped.pres` says. */
#include "shaped_values.h"

static void sh_make_text(uint32_t seed, uint32_t which, uint32_t most, struct whittle_text *to)
{
    to->length = count_of(seed, which, most);
    to->items = made_bytes(seed, which, most);
}

static bool sh_is_text(uint32_t seed, uint32_t which, uint32_t most, const struct whittle_text *of)
{
    return is_bytes(of->items, of->length, seed, which, most);
}

static void sh_make_name(uint32_t seed, uint32_t which, sh_name to)
{
    memset(to, 'x', SH_MOST + 1);
    fill(to, seed, which, count_of(seed, which, 8));
    to[count_of(seed, which, 8)] = 0;
}

static void sh_make_digest(uint32_t seed, uint32_t which, struct sh_digest *to)
{
    to->length = count_of(seed, which, 5);
    fill((char *)to->items, seed, which, to->length);
}

static bool sh_is_digest(uint32_t seed, uint32_t which, const struct sh_digest *of)
{
    return is_bytes(of->items, of->length, seed, which, 5);
}

static void sh_make_numbers(uint32_t seed, uint32_t which, struct sh_numbers *to)
{
    to->length = count_of(seed, which, 6);
    for (uint32_t i = 0; i < to->length; i++)
        to->items[i] = (int32_t)(seed * 1000003 + i);
}

static bool sh_is_numbers(uint32_t seed, uint32_t which, const struct sh_numbers *of)
{
    bool is_same = of->length == count_of(seed, which, 6);
    for (uint32_t i = 0; is_same && i < of->length; i++)
        is_same = of->items[i] == (int32_t)(seed * 1000003 + i);
    return is_same;
}

static void sh_make_names(uint32_t seed, uint32_t which, struct sh_names *to)
{
    to->length = count_of(seed, which, 3);
    for (uint32_t i = 0; i < to->length; i++)
        sh_make_name(seed, which + i, to->items[i]);
}

static bool sh_is_names(uint32_t seed, uint32_t which, const struct sh_names *of)
{
    bool is_same = of->length == count_of(seed, which, 3);
    for (uint32_t i = 0; is_same && i < of->length; i++)
        is_same = is_text(of->items[i], seed, which + i, 8);
    return is_same;
}

static void sh_make_lines(uint32_t seed, uint32_t which, struct sh_lines *to)
{
    to->length = count_of(seed, which, 4);
    to->items = calloc(to->length + 1, sizeof *to->items);
    for (uint32_t i = 0; i < to->length; i++)
        sh_make_text(seed, which + i, 33, &to->items[i]);
}

static bool sh_is_lines(uint32_t seed, uint32_t which, const struct sh_lines *of)
{
    bool is_same = of->length == count_of(seed, which, 4);
    for (uint32_t i = 0; is_same && i < of->length; i++)
        is_same = sh_is_text(seed, which + i, 33, &of->items[i]);
    return is_same;
}

static void sh_make_entry(uint32_t seed, struct sh_entry *to)
{
    memset(to, 0, sizeof *to);
    sh_make_name(seed, 1, to->kind);
    sh_make_text(seed, 2, 40, &to->text);
    to->remark = made_text(seed, 3, 50);
    to->data.length = count_of(seed, 4, 30);
    fill((char *)to->data.items, seed, 4, to->data.length);
    sh_make_digest(seed, 5, &to->sum);
    sh_make_numbers(seed, 6, &to->some);
    sh_make_names(seed, 7, &to->called);
    sh_make_lines(seed, 8, &to->told);
    sh_make_name(seed, 9, to->pair[0]);
    sh_make_name(seed, 10, to->pair[1]);
    sh_make_text(seed, 11, 20, &to->detail.within);
    to->detail.hue = seed % 2 == 0 ? SH_ROT : SH_GREEN;
    if (seed % 3 == 0 && seed > 0)
        sh_make_entry(seed / 2, to->next = calloc(1, sizeof *to));
}

static bool sh_is_entry(uint32_t seed, const struct sh_entry *of)
{
    bool is_same = is_text(of->kind, seed, 1, 8) && sh_is_text(seed, 2, 40, &of->text) && is_text(of->remark, seed, 3, 50);
    is_same = is_same && is_bytes(of->data.items, of->data.length, seed, 4, 30) && sh_is_digest(seed, 5, &of->sum);
    is_same = is_same && sh_is_numbers(seed, 6, &of->some) && sh_is_names(seed, 7, &of->called) && sh_is_lines(seed, 8, &of->told);
    is_same = is_same && is_text(of->pair[0], seed, 9, 8) && is_text(of->pair[1], seed, 10, 8);
    is_same = is_same && sh_is_text(seed, 11, 20, &of->detail.within);
    is_same = is_same && of->detail.hue == (seed % 2 == 0 ? SH_ROT : SH_GREEN) && (of->next != NULL) == (seed % 3 == 0 && seed > 0);
    return is_same && (of->next == NULL || sh_is_entry(seed / 2, of->next));
}

static void sh_make_entries(uint32_t seed, struct sh_entries *to)
{
    to->length = count_of(seed, 12, 3);
    to->items = calloc(to->length + 1, sizeof *to->items);
    for (uint32_t i = 0; i < to->length; i++)
        sh_make_entry(seed + i, &to->items[i]);
}

static bool sh_is_entries(uint32_t seed, const struct sh_entry *items, uint32_t length)
{
    bool is_same = length == count_of(seed, 12, 3);
    for (uint32_t i = 0; is_same && i < length; i++)
        is_same = sh_is_entry(seed + i, &items[i]);
    return is_same;
}

static void sh_make_answer(uint32_t seed, struct sh_reply *to)
{
    memset(to, 0, sizeof *to);
    to->which = seed % 2 == 0 ? SH_ROT : SH_GREEN;
    if (seed % 2 == 0)
        sh_make_entry(seed, &to->u.it);
    else
        sh_make_text(seed, 13, 60, &to->u.why);
}

static bool sh_is_answer(uint32_t seed, const struct sh_reply *of)
{
    if (of->which != (seed % 2 == 0 ? SH_ROT : SH_GREEN))
        return false;
    return seed % 2 == 0 ? sh_is_entry(seed, &of->u.it) : sh_is_text(seed, 13, 60, &of->u.why);
}
