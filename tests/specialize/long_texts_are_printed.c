/* Texts that are longer than the specializer makes are printed at run time, to the last letter. */
#include <stdio.h>
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

#define SIXTEEN "0123456789abcdef"
#define MANY SIXTEEN SIXTEEN SIXTEEN SIXTEEN SIXTEEN SIXTEEN SIXTEEN SIXTEEN SIXTEEN SIXTEEN SIXTEEN SIXTEEN SIXTEEN SIXTEEN SIXTEEN SIXTEEN
#define ALL MANY MANY MANY MANY MANY MANY MANY MANY MANY MANY MANY MANY MANY MANY MANY MANY

int main(void)
{
    static char all[5000];
    const int known = (int)law_input(0, 3) & 1;
    law_output("length", snprintf(NULL, 0, "%s", ALL "XYZ") + known);
    law_output("length", snprintf(all, sizeof all, "%s", ALL) + all[4095]);
    law_output("length", sprintf(all, "%s", ALL) + all[4095]);
    law_output("length", sprintf(all, "%.5s%.4000s", ALL, ALL "end") + all[4004] + all[4005]);
    return 0;
}
