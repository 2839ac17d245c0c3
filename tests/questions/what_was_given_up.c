/* whittle: --why left --why total --why what_was_given_up.c:20 --statistics */
#include <whittle/specialize.h>

void progress(const char *text);
int total;
static volatile int stop;

struct out {
    char *at;
    int left;
};

WHITTLE_SPECIALIZE int root(char *buffer, int count)
{
    struct out out = { buffer, 80 };
    total = 0;
    progress("begins");
    if (total > 3)
        return -1;
    while (count-- > 0) {
        if (--out.left < 0 || stop)
            return total;
        *out.at++ = 'a';
    }
    return out.left;
}
