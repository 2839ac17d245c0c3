#include <stdlib.h>
#include "pixels.h"

enum { ROWS = 4, WIDEST = 200 };
static uint8_t rows[ROWS][WIDEST * 2];
static int widths[ROWS];

void prepare(unsigned seed)
{
    srand(seed + 1);
    for (int n = 0; n < ROWS; n++) {
        widths[n] = rand() % (WIDEST + 1);
        for (int i = 0; i < WIDEST * 2; i++)
            rows[n][i] = (uint8_t)rand();
    }
}

unsigned long drive(void)
{
    unsigned long sum = 0;
    for (int n = 0; n < ROWS; n++) {
        static uint32_t row[WIDEST];
        convert_row(rows[n], (uint8_t *)row, widths[n]);
        for (int i = 0; i < widths[n]; i++)
            sum = 3 * sum + row[i];
    }
    return sum;
}
