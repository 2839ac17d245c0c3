/* Stands in for musl's src/internal/stdio_impl.h: its stream, beside the machine's own <stdio.h>. No stream here is shared between threads. */
#ifndef STDIO_IMPL_H
#define STDIO_IMPL_H
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#undef isdigit
#define isdigit(c) ((unsigned)(c) - '0' < 10)    /* as in musl's <ctype.h> */
#undef NL_ARGMAX
#define NL_ARGMAX 9
#define F_NOWR 8
#define F_ERR 32
#define FLOCK(f)
#define FUNLOCK(f)
#define hidden
#define weak_alias(old, new) extern int musl_no_alias

#define FILE musl_stream
#define vfprintf musl_vfprintf
#define vsnprintf musl_vsnprintf
#define fwrite musl_fwrite
#define __fwritex musl_fwritex
#define __towrite musl_towrite

typedef struct musl_stream {
    unsigned flags;
    unsigned char *rpos, *rend, *wend, *wpos, *wbase;
    size_t (*write)(struct musl_stream *stream, const unsigned char *bytes, size_t count);
    unsigned char *buf;
    size_t buf_size;
    int mode, lock, lbf;
    void *cookie;
} musl_stream;

size_t musl_fwritex(const unsigned char *bytes, size_t count, musl_stream *stream);
int musl_towrite(musl_stream *stream);
int musl_vfprintf(musl_stream *stream, const char *format, va_list values);
int musl_vsnprintf(char *into, size_t size, const char *format, va_list values);
static inline void __stdio_exit_needed(void) { }
#endif
