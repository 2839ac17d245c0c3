/* SPDX-License-Identifier: MIT-0 */
/*
 * What both versions of a routine are made of, given each way: texts of every length and runs of the lengths that are done in
 * place, written and read, allocated and left in the message, with a NUL at every place; nothing touched outside; and which
 * of the versions is chosen.
 */
#include <stdio.h>
#include <string.h>
#include <whittle/xdr_in.h>
#include <whittle/xdr_out.h>

enum { LONGEST = 300, BEHIND = 136 };

static int complain(const char *what, size_t length, bool is_wide)
{
    fprintf(stderr, "%s: wrong at length %zu, %s\n", what, length, is_wide ? "wide" : "narrow");
    return 1;
}

static char *texted(size_t length)
{
    char *const text = malloc(length + 1);
    for (size_t i = 0; i < length; i++)
        text[i] = (char)('a' + i % 26);
    text[length] = 0;
    return text;
}

/* In exactly as much room as there must be, and in a byte less. */
static int check_put(size_t length, bool is_wide)
{
    const size_t padded = (length + 3) & ~(size_t)3, size = 4 + padded;
    char *const text = texted(length), *const message = malloc(size + BEHIND);
    memset(message, 0xaa, size + BEHIND);
    struct whittle_xdr_out out = {message, message + size + BEHIND, NULL, NULL, 0};
    int bad = whittle_xdr_out_text_wide(&out, message, text, LONGEST, BEHIND, is_wide) != message + size;
    bad |= whittle_get32(message) != length || memcmp(message + 4, text, length) != 0;
    for (size_t i = length; i < padded; i++)
        bad |= message[4 + i] != 0;
    for (size_t i = size; i < size + BEHIND; i++)
        bad |= (unsigned char)message[i] != 0xaa;
    out.end--;
    bad |= whittle_xdr_out_text_wide(&out, message, text, LONGEST, BEHIND, is_wide) != NULL;
    out.end++;
    bad |= length > 0 && whittle_xdr_out_text_wide(&out, message, text, (uint32_t)length - 1, BEHIND, is_wide) != NULL;
    bad |= whittle_xdr_out_text_wide(&out, message, NULL, LONGEST, BEHIND, is_wide) != NULL;
    free(text);
    free(message);
    return bad ? complain("written", length, is_wide) : 0;
}

struct got { char *text; const char *after; };

/* Ones follow; an open text is closed when they were seen. */
static struct got get(struct whittle_xdr_in *in, char *at, size_t length, bool is_open, bool is_wide)
{
    struct got got = {NULL, NULL};
    got.after = is_open ? whittle_xdr_in_open_text_wide(in, at, &got.text, (uint32_t)length, LONGEST, 1, is_wide)
                        : whittle_xdr_in_text_wide(in, at, &got.text, (uint32_t)length, LONGEST, 1, is_wide);
    if (got.after == NULL)
        return got;
    if (is_open && *got.after != 1)
        got.after = NULL;
    else if (is_open)
        whittle_xdr_in_close_text(in, got.text, (uint32_t)length);
    return got;
}

static int check_get(size_t length, bool is_borrowed, bool is_open, bool is_wide)
{
    const size_t padded = (length + 3) & ~(size_t)3, size = 4 + padded + 4;
    char *const text = texted(length);
    int bad = 0;
    /* Without a NUL, and with one at each place. */
    for (size_t nul = 0; nul <= length; nul++) {
        char *const message = malloc(size), *const at = message + 4;
        memset(message, 1, size);
        memcpy(at, text, length);
        if (nul < length)
            at[nul] = 0;
        struct whittle_xdr_in in = {.end = message + size, .borrow = is_borrowed};
        const struct got got = get(&in, at, length, is_open, is_wide);
        bad |= (got.after != NULL) != (nul == length);
        bad |= got.after != NULL && (got.after != at + padded || strcmp(got.text, text) != 0);
        bad |= is_borrowed && is_open && got.after != NULL && got.text != at;
        bad |= is_borrowed && is_open && got.after != NULL && length % 4 == 0 && in.kept != at + length;
        if (!is_borrowed)
            free(got.text);
        /* Cut before the byte that must follow. */
        in = (struct whittle_xdr_in){.end = at + padded, .borrow = true};
        bad |= get(&in, at, length, is_open, is_wide).after != NULL;
        free(message);
    }
    free(text);
    return bad ? complain(is_open ? "read, open" : "read", length, is_wide) : 0;
}

/* Bytes of an item: written with room for what follows and with too little, read into storage and where they are. */
static int check_bytes(size_t length, bool is_wide)
{
    const size_t padded = (length + 3) & ~(size_t)3;
    char *const bytes = texted(length), *const message = malloc(4 + padded + BEHIND), *const at = message + 4;
    memset(message, 0xaa, 4 + padded + BEHIND);
    struct whittle_xdr_out out = {message, at + padded + BEHIND, NULL, NULL, 0};
    int bad = whittle_xdr_out_bytes_wide(&out, at, bytes, length, BEHIND, is_wide) != at + padded;
    bad |= memcmp(at, bytes, length) != 0;
    for (size_t i = 0; i < 4 + padded + BEHIND; i++)
        bad |= i >= 4 + length && i < 4 + padded ? message[i] != 0 : (i < 4 || i >= 4 + padded) && (unsigned char)message[i] != 0xaa;
    out.end--;
    bad |= whittle_xdr_out_bytes_wide(&out, at, bytes, length, BEHIND, is_wide) != NULL;
    bad |= length > 0 && whittle_xdr_out_bytes_wide(&out, at, NULL, length, 0, is_wide) != NULL;
    for (int borrows = 0; borrows < 2; borrows++) {
        char *slot = message;
        struct whittle_xdr_in in = {.end = at + padded, .borrow = borrows};
        bad |= whittle_xdr_in_counted_bytes_wide(&in, at, &slot, (uint32_t)length, is_wide) != at + padded;
        bad |= length == 0 ? slot != NULL : memcmp(slot, bytes, length) != 0 || (borrows != 0) != (slot == at);
        if (!borrows)
            free(slot);
        in.end--;
        bad |= length > 0 && whittle_xdr_in_counted_bytes_wide(&in, at, &slot, (uint32_t)length, is_wide) != NULL;
    }
    free(bytes);
    free(message);
    return bad ? complain("bytes", length, is_wide) : 0;
}

static int check_runs(bool is_wide)
{
    unsigned char from[200], to[200], expected[200];
    int bad = 0;
    for (size_t i = 0; i < sizeof from; i++)
        from[i] = (unsigned char)(i * 3);
#define ONE(WORD, COUNT)                                                                                               \
    memset(to, 0xaa, sizeof to);                                                                                       \
    memcpy(expected, to, sizeof to);                                                                                   \
    whittle_order##WORD##_scalar(expected + 3, from + 1, WORD / 8 * COUNT);                                            \
    whittle_order##WORD##_wide(to + 3, from + 1, COUNT, is_wide);                                                      \
    bad |= memcmp(to, expected, sizeof to) != 0;
    ONE(32, 1) ONE(32, 4) ONE(32, 7) ONE(32, 8) ONE(32, 9) ONE(32, 15) ONE(32, 16) ONE(32, 17) ONE(32, 30) ONE(32, 32) ONE(32, 33)
    ONE(64, 1) ONE(64, 3) ONE(64, 4) ONE(64, 5) ONE(64, 7) ONE(64, 8) ONE(64, 9) ONE(64, 15) ONE(64, 16) ONE(64, 17)
    return bad && !WHITTLE_BIG_ENDIAN ? complain("a run", 0, is_wide) : 0;
}

/* Which of the versions it is. */
WHITTLE_EITHER const char *whittle_either_choice(struct whittle_xdr_in *in, const char *at, void *value, const bool is_wide)
{
    (void)in;
    *(bool *)value = is_wide;
    return at + 1;
}

WHITTLE_BOTH(static, const char *, choice, struct whittle_xdr_in *, void *)

/* The first use asks the machine; later ones remember. */
static int check_choice(bool has_wide)
{
    const char some[1] = {0};
    for (int i = 0; i < 3; i++) {
        bool is_wide = !has_wide;
        if (choice(NULL, some, &is_wide) != some + 1 || is_wide != has_wide)
            return complain("the choice", 0, has_wide);
    }
    return 0;
}

int main(void)
{
#if WHITTLE_HAS_WIDE
    __builtin_cpu_init();
    const bool has_wide = __builtin_cpu_supports("avx2") != 0;
#else
    const bool has_wide = false;
#endif
    int bad = check_choice(has_wide);
    for (size_t i = 0; i <= has_wide; i++) {
        const bool is_wide = i != 0;
        for (size_t length = 0; length < LONGEST; length++)
            bad |= check_put(length, is_wide) | check_bytes(length, is_wide) | check_get(length, false, false, is_wide)
                   | check_get(length, true, false, is_wide) | check_get(length, false, true, is_wide)
                   | check_get(length, true, true, is_wide);
        bad |= check_runs(is_wide);
    }
    return bad;
}
