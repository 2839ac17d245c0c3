/* Sums, counters and sets of bits that depend on unknown tests: each is known on each way, and all of them together multiply with each round of the loop.
 * They are given up, while the loop, its tables and what the counters are asked for at its end are still known as far as they can be.
 * Not in the residual: score(
 * Lines of the residual: at most 1600
 */
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

static int score(const unsigned char *square, int squares)
{
    static const signed char worth[8] = {0, 1, 3, 3, 5, 9, 0, 0};
    int sum = 0, count[2] = {0, 0};
    unsigned pawns[2] = {0, 0};

    for (int at = 0; at < squares; at++) {
        int piece = square[at], side = piece >> 3 & 1;
        if (!piece)
            continue;
        sum += side ? -worth[piece & 7] : worth[piece & 7];
        count[side]++;
        if ((piece & 7) == 1)
            pawns[side] |= 1u << (at & 7);
    }
    for (int side = 0; side < 2; side++) {
        unsigned alone = pawns[side] & ~(pawns[side] << 1 | pawns[side] >> 1);
        for (; alone; alone &= alone - 1)
            sum += side ? 15 : -15;
    }
    return sum * 100 + count[0] - count[1];
}

int main(void)
{
    unsigned char squares[16];
    unsigned long long seed = (unsigned long long)law_input(0, 12345);
    for (int at = 0; at < 16; at++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        squares[at] = (unsigned char)(seed >> 60);
    }
    law_output("score", score(squares, 16));
    return 0;
}
