/* SPDX-License-Identifier: MIT-0 */
/* A number that none of the members has, in C++: what is behind the enumeration holds it. -DHEADER="values.h" -DT='enum color' */
#include HEADER
#include <cstdio>

static int number(const T *value)
{
    return (int)*value;
}

int main(void)
{
    static const char bytes[] = {0, 0, 0, 99};
    T value;
    if (color_decode(&value, bytes, sizeof bytes, NULL, NULL) != WHITTLE_CODEC_OK || number(&value) != 99)
        return 1;
    return 0;
}
