/* `memmove` reads all that it moves before it writes. */
#include <string.h>

extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

struct row {
    int first;
    char text[8];
    int last;
};

int main(void)
{
    int known[4] = {1, 2, 3, 4};
    int partly[4] = {1, 2, 3, 4};
    char text[9] = "abcdefgh";
    struct row row = {7, "residual", 9};
    int i;

    memmove(known + 1, known, 3 * sizeof *known);
    partly[1] = (int)law_input(0, 8);
    memmove(partly + 1, partly, 3 * sizeof *partly);
    memmove(text, text + 2, 7);
    memmove(row.text + 2, row.text, 6);
    for (i = 0; i < 4; i++) {
        law_output("known", known[i]);
        law_output("partly", partly[i]);
    }
    for (i = 0; i < 8; i++) {
        law_output("text", text[i]);
        law_output("row", row.text[i]);
    }
    law_output("around", row.first * 10 + row.last);
    return 0;
}
