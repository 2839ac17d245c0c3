#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "find.h"

enum { TEXTS = 64, LONGEST = 48 };
static char texts[TEXTS][2 * LONGEST];
static size_t lengths[TEXTS];

static size_t some(char *at, const char *letters, int least, int most)
{
    const int count = least + rand() % (most - least + 1);
    for (int i = 0; i < count; i++)
        at[i] = letters[(size_t)rand() % strlen(letters)];
    return (size_t)count;
}

void prepare(unsigned seed)
{
    srand(seed + 1);
    for (int n = 0; n < TEXTS; n++) {
        char *at = texts[n];
        switch (n % 4) {
        case 0:     /* a setting, or nearly one */
            at += some(at, "abcdXYZ", rand() % 9 != 0, 12);
            at += some(at, " \t", 0, 3);
            at += some(at, "===x", 1, 1);
            at += some(at, " \t", 0, 3);
            at += some(at, "0123456789", 1, 9);
            at += some(at, " ", 0, rand() % 5 == 0);
            break;
        case 1:     /* a version in other text */
            at += some(at, "ab_1 ..-", 0, 12);
            at += some(at, "abc", 1, 5);
            at += some(at, "-.", 1, 1);
            at += some(at, "12345", 1, 3);
            at += some(at, ".", 0, 1);
            at += some(at, "12345", 0, 3);
            at += some(at, "ab_1 ..-", 0, 8);
            break;
        default:
            at += some(at, "ab1_= .-%", 0, LONGEST - 1);
        }
        *at = '\0';
        lengths[n] = (size_t)(at - texts[n]);
    }
}

static unsigned long fold(unsigned long sum, int result, const struct found *found)
{
    sum = 3 * sum + (unsigned long)result;
    if (!result)
        return sum;
    sum = 5 * sum + (unsigned long)found->start;
    sum = 5 * sum + (unsigned long)found->end;
    for (int i = 0; i < found->captures; i++)
        sum = 7 * sum + (unsigned long)(64 * found->capture[i].at + found->capture[i].length);
    return sum;
}

unsigned long drive(void)
{
    unsigned long sum = 0;
    struct found found;
    for (int n = 0; n < TEXTS; n++) {
        const int setting = find_setting(texts[n], lengths[n], &found);
        sum = fold(sum, setting, &found);
        const int version = find_version(texts[n], lengths[n], &found);
        sum = fold(sum, version, &found);
    }
    return sum;
}
