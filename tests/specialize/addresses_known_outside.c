/* Unknown code that once got an address may use it in any later call. */
#include <stdio.h>
#include <string.h>

extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

int main(void)
{
    char text[16] = "first";
    int number = 3;
    int *known = &number;
    FILE *file = fmemopen(text, sizeof text, "w");

    if (file == NULL)
        return 1;
    law_output("text", text[0]);
    fputs(law_input(0, 1) & 1 ? "other" : "more!", file);
    fflush(file);
    law_output("text", text[0]);
    sscanf("42", "%d", known);
    law_output("number", number + *known);
    fputs("x", file);
    fclose(file);
    law_output("text", text[1] + text[5] + (long long)strlen(text));
    return 0;
}
