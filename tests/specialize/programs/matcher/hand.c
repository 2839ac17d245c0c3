#include "match.h"

int match_number(const char *text)
{
    for (;; text++) {
        while (*text != '\0' && *text != 'a')
            text++;
        if (*text == '\0')
            return 0;
        const char *at = text + 1;
        while (*at == 'b')
            at++;
        if (*at == 'c' && at[1] != '\0' && at[2] == 'd' && at[3] == '\0')
            return 1;
    }
}
