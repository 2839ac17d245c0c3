/* Random types, and random octets for their values, with a seed: the same in every run. */
#include "random_values.h"

static uint64_t state = 88172645463325252u;

uint32_t random_below(uint32_t limit)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)((state >> 16) % limit);
}

char bytes[8192];
size_t size;
bool is_little;

static void put(uint64_t word, size_t width)
{
    while (size % (width > 4 ? 4 : width) != 0)
        bytes[size++] = (char)random_below(2);
    for (size_t index = 0; index < width; index++)
        bytes[size++] = (char)(word >> 8 * (is_little ? index : width - 1 - index));
}

static void put_name(void)
{
    const uint32_t length = random_below(6);
    put(length + 1, 4);
    for (uint32_t index = 0; index < length; index++)
        bytes[size++] = (char)('a' + random_below(26));
    bytes[size++] = '\0';
}

static bool is_plain;

static void put_inner_type(unsigned depth);

static void put_members(uint32_t kind, unsigned depth)
{
    const uint32_t count = random_below(4) + (is_plain || kind == CORBA_tk_enum);
    uint32_t width = 0;
    if (kind == CORBA_tk_union) {
        static const struct { uint8_t kind, width; } chosen_by[] = {
            {CORBA_tk_short, 2}, {CORBA_tk_long, 4}, {CORBA_tk_ushort, 2}, {CORBA_tk_ulong, 4}, {CORBA_tk_boolean, 1},
            {CORBA_tk_char, 1}, {CORBA_tk_octet, 1}};
        const uint32_t by = random_below(7);
        width = chosen_by[by].width;
        put(chosen_by[by].kind, 4);
        put(random_below(3) == 0 && count > 0 ? random_below(count) : UINT32_MAX, 4);
    }
    put(count, 4);
    for (uint32_t index = 0; index < count; index++) {
        if (width > 0)
            put(index, width);
        put_name();
        if (kind != CORBA_tk_enum)
            put_inner_type(depth + 1);
    }
}

static void put_encapsulation(uint32_t kind, unsigned depth)
{
    const bool outside = is_little;
    put(0, 4);
    const size_t start = size;
    is_little = random_below(4) == 0 ? !is_little : is_little;
    bytes[size++] = is_little;
    if (kind == CORBA_tk_sequence || kind == CORBA_tk_array) {
        put_inner_type(depth + 1);
        put(kind == CORBA_tk_array ? 1 + random_below(5) : random_below(3) == 0 ? 5 : 0, 4);
    } else {
        put_name();
        put_name();
        if (kind == CORBA_tk_alias)
            put_inner_type(depth + 1);
        else if (kind != CORBA_tk_objref)
            put_members(kind, depth);
    }
    const size_t end = size;
    is_little = outside;
    size = start - 4;
    put(end - start, 4);
    size = end;
}

static size_t kinds[64];    /* where types began, for indirections */
static unsigned begun;

static void put_inner_type(unsigned depth)
{
    static const uint8_t simple[] = {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 23, 24, 25, 26};
    static const uint8_t complex[] = {14, 22, 15, 16, 17, 19, 20, 21, 15, 19, 16};
    const uint32_t choice = random_below(10);
    if (choice < 4 || depth > 4 || size > 3000) {
        put(simple[random_below(sizeof simple - (is_plain ? 2 : 0))], 4);
    } else if (choice == 4) {
        const bool is_fixed = random_below(3) == 0;
        put(is_fixed ? CORBA_tk_fixed : is_plain || random_below(2) ? CORBA_tk_string : CORBA_tk_wstring, 4);
        put(is_fixed ? 9 : random_below(2) * 5, is_fixed ? 2 : 4);
        if (is_fixed)
            put(random_below(10), 2);
    } else if (choice == 5 && begun > 0) {
        put(UINT32_MAX, 4);
        put(kinds[random_below(begun)] - size, 4);
    } else {
        const uint32_t kind = complex[2u * is_plain + random_below(sizeof complex - 2u * is_plain)];
        put(kind, 4);
        kinds[begun++ % 64] = size - 4;
        begun = begun > 63 ? 63 : begun;
        put_encapsulation(kind, depth);
    }
}

void put_value(void)
{
    const uint32_t count = random_below(200);
    for (uint32_t index = 0; index < count; index++) {
        const uint32_t choice = random_below(8);
        if (choice == 0)
            put_name();
        else
            put(choice < 6 ? random_below(4) : random_below(65536), 4);
    }
}

void put_type(bool plain)
{
    size = begun = 0;
    is_plain = plain;
    is_little = random_below(2);
    put_inner_type(0);
}
