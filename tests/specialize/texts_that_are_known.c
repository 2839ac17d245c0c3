/* Functions of the C library on texts that are known, and on one of which only the beginning is. */
#include <string.h>

extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

static int looks(const char *text)
{
    int found = 0;

    if (strcmp(text, "hello you") == 0)
        found |= 1;
    if (strcmp(text, "iello") < 0)
        found |= 2;
    if (strcmp("b", "a"))
        found |= 4;
    if (strchr(text, 'o') == text + 4 && strrchr(text, 'o') == text + 7)
        found |= 8;
    if (strchr(text, 'z') == NULL && *strchr(text, 0) == 0)
        found |= 16;
    if (memcmp(text, "hellp", 5) > 0)
        found |= 32;
    if (strncmp(text, "hellp", 4) != 0)
        found |= 64;
    if (memchr("abc", 'c', 2))
        found |= 128;
    return found;
}

int main(void)
{
    char known[32], mixed[32];

    strcpy(known, "hello");
    strcat(known, " you");
    law_output("known", looks(known));
    law_output("ends", stpcpy(known + 20, "end") - known);
    strcpy(mixed, "hello you");
    mixed[3] = (char)law_input(0, 'l');
    law_output("mixed", looks(mixed));
    return 0;
}
