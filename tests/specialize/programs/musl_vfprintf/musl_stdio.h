#include <stdarg.h>
#include <stddef.h>

int musl_vsnprintf(char *into, size_t size, const char *format, va_list values);
