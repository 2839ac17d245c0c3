/* string.pack of Lua into memory: its options and their alignment (getdetails) and its integers, without values of Lua. */
#include "lstrlib.c"
#include "pack.h"

static void pack_integer(char *to, lua_Unsigned n, int is_little, int size, int negative)
{
    for (int i = 0; i < size; i++, n >>= NB) {
        const char byte = (char)(i < SZINT ? n & MC : negative ? MC : 0);
        to[is_little ? i : size - 1 - i] = byte;
    }
}

size_t pack(const char *format, const union value *values, char *to)
{
    Header header;
    size_t total = 0;
    initheader(NULL, &header);
    while (*format != '\0') {
        int size, padding;
        const KOption option = getdetails(&header, total, &format, &size, &padding);
        while (padding-- > 0)
            to[total++] = LUAL_PACKPADBYTE;
        switch (option) {
        case Kint:
        case Kuint:
            pack_integer(to + total, (lua_Unsigned)values->integer, header.islittle, size, option == Kint && values->integer < 0);
            values++;
            break;
        case Kfloat: {
            const float number = (float)values++->number;
            copywithendian(to + total, (const char *)&number, size, header.islittle);
            break;
        }
        case Knumber:
        case Kdouble: {
            const double number = values++->number;
            copywithendian(to + total, (const char *)&number, size, header.islittle);
            break;
        }
        case Kzstr: {
            const size_t length = strlen(values->text) + 1;
            memcpy(to + total, values++->text, length);
            total += length;
            break;
        }
        case Kstring: {
            const size_t length = strlen(values->text);
            pack_integer(to + total, length, header.islittle, size, 0);
            memcpy(to + total + size, values++->text, length);
            total += length;
            break;
        }
        case Kpadding:
            to[total] = LUAL_PACKPADBYTE;
            break;
        default:
            break;
        }
        total += (size_t)size;
    }
    return total;
}
