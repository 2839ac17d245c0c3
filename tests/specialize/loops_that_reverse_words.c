/* Loops that reverse words from one place to another, whose length only run time knows: apart, in one place, overlapping. */
#include <arpa/inet.h>

extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

static void reverse(unsigned *to, const unsigned *from, int count)
{
    for (int i = 0; i < count; i++) {
        *to = htonl(*from);
        to++;
        from++;
    }
}

static unsigned words[96];

static void show(const char *name)
{
    unsigned sum = 0;
    for (int i = 0; i < 96; i++)
        sum = sum * 31 + words[i];
    law_output(name, sum);
}

int main(void)
{
    const int count = (int)(law_input(0, 40) & 31);
    for (int i = 0; i < 96; i++)
        words[i] = (unsigned)i * 0x01020305u;
    reverse(words + 48, words, count);
    show("apart");
    reverse(words, words, count);
    show("in one place");
    reverse(words + 1, words, count);
    show("upward");
    reverse(words, words + 3, count);
    show("downward");

    reverse(words + 7, words, -count);
    show("nothing");
    return 0;
}
