#include <stddef.h>
union value {
    long long integer;
    double number;
    const char *text;
};
/* Writes values as string.pack of Lua does; how many bytes. */
size_t pack(const char *format, const union value *values, char *to);
size_t pack_header(const union value *values, char *to);
size_t pack_point(const union value *values, char *to);
