/* Sends a union over `char` round, by labels beyond ASCII: each keeps its arm, whatever reads it. -DBODY is what its arms are in. */
#include "wide.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef PLAIN
typedef struct N_Chars chars;
#else
typedef N_Chars chars;
#endif

static void check(int truth, const char *what)
{
    if (!truth) {
        fprintf(stderr, "%s\n", what);
        exit(1);
    }
}

static void go_round(const chars *value, const char *shown)
{
    unsigned char bytes[64];
    char text[64];
    size_t size = 0, written = 0, used = 0;
    chars again, copy;
    memset(&again, 0, sizeof again);
    memset(&copy, 0, sizeof copy);
    check(N_Chars_size(value, &size) == 0 && size <= sizeof bytes, "size");
    check(N_Chars_encode(value, bytes, size, &written) == 0 && written == size, "encode");
    check(N_Chars_decode(&again, bytes, size, &used, NULL) == 0 && used == size, "decode");
    check(N_Chars_equal(value, &again) && N_Chars_copy(&copy, &again) == 0 && N_Chars_equal(&copy, value), "equal");
    N_Chars_format(&copy, text, sizeof text);
    check(strstr(text, shown) != NULL, text);
    again = *value;
    again.BODY.q ^= 1;
    check(!N_Chars_equal(value, &again), "arms that differ");
    N_Chars_free(&copy);
}

int main(void)
{
    chars value;
    memset(&value, 0, sizeof value);
    value._d = (char)0xff;
    value.BODY.q = 0x123456789abcdef;
    go_round(&value, "81985529216486895");
    value._d = N_C;
    value.BODY.q = 0;
    value.BODY.e = 1234;
    go_round(&value, "1234");
    return 0;
}
