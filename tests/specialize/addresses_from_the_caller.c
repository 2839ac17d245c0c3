/* What a function was called with leads into none of its own objects, however well these are known elsewhere; what it loads, or what is
 * one of both, may.
 * Not in the residual: "never"
 */
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

static int *kept;

static unsigned walk(int *out, int number, int depth)
{
    int table[6] = { 1, 2, 3, 4, 5, 6 };
    int *places[2] = { &table[1], &table[2] };
    int *chosen = number & 4 ? out : &table[3];
    unsigned sum = 0;

    /* From here on the residual program knows where `table` is. */
    places[number & 1] = &table[4 + (number >> 1 & 1)];
    out[0] = number;
    if (table[0] != 1 || table[3] != 4)
        law_output("never", table[0]);
    out++;
    *out = number + 1;
    if (table[2] != 3)
        law_output("never", table[2]);
    *chosen = number * 3;
    sum = sum * 31 + table[3];
    out = places[number & 1];
    *out = number * 5;
    sum = sum * 31 + table[4] + table[5] * 7;
    for (int round = 0; round < 3; round++) {
        int *next = round & number ? chosen : places[0];

        *next += round;
        sum = sum * 31 + table[1] * 3 + table[3] + table[4] * 5;
        chosen = next == chosen ? &table[round] : chosen;
    }
    kept = &table[number & 3];
    if (number > 0 && depth < 3)
        sum = sum * 31 + walk(kept + (depth & 1), number - 3, depth + 1);
    for (int at = 0; at < 6; at++)
        sum = sum * 31 + table[at];
    return sum;
}

int main(void)
{
    int outside[8] = { 0 };
    int number = (int)law_input(0, 9) & 0xff;

    law_output("sum", walk(&outside[law_input(1, 2) & 3], number, 0));
    for (int at = 0; at < 8; at++)
        law_output("outside", outside[at]);
    return 0;
}
