#include <stdlib.h>
#include <string.h>
#include "tag.h"

enum { MESSAGES = 32 };
static unsigned char messages[MESSAGES][MESSAGE];

void prepare(unsigned seed)
{
    srand(seed + 1);
    for (int n = 0; n < MESSAGES; n++)
        for (int i = 0; i < MESSAGE; i++)
            messages[n][i] = (unsigned char)rand();
}

unsigned long drive(void)
{
    unsigned long sum = 0;
    for (int n = 0; n < MESSAGES; n++) {
        unsigned char tag[TAG] = {0};
        sum = 31 * sum + (unsigned long)tag_message(tag, messages[n]);
        for (int i = 0; i < TAG; i++)
            sum = 31 * sum + tag[i];
    }
    return sum;
}
