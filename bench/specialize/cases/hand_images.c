/* What a careful person would write for one kernel, one border and one size. */
static inline unsigned char clamped(int sum)
{
    return (unsigned char)(sum < 0 ? 0 : sum > 255 ? 255 : sum);
}

static inline int replicated(int at, int size)
{
    return at < 0 ? 0 : at >= size ? size - 1 : at;
}

static inline int reflected(int at, int size)
{
    return at < 0 ? -1 - at : at >= size ? 2 * size - 1 - at : at;
}

#define BOTH(SIZE)                                                                                                     \
    static inline unsigned char sharp_##SIZE(const unsigned char *from, int x, int y)                                  \
    {                                                                                                                  \
        const int left = replicated(x - 1, SIZE), right = replicated(x + 1, SIZE);                                     \
        const int above = replicated(y - 1, SIZE), below = replicated(y + 1, SIZE);                                    \
        return clamped(5 * from[y * SIZE + x] - from[y * SIZE + left] - from[y * SIZE + right] -                       \
                       from[above * SIZE + x] - from[below * SIZE + x]);                                               \
    }                                                                                                                  \
    int sharpen_##SIZE(unsigned char *restrict from, unsigned char *restrict to)                                       \
    {                                                                                                                  \
        for (int y = 0; y < SIZE; y++) {                                                                               \
            if (y == 0 || y == SIZE - 1) {                                                                             \
                for (int x = 0; x < SIZE; x++)                                                                         \
                    to[y * SIZE + x] = sharp_##SIZE(from, x, y);                                                       \
                continue;                                                                                              \
            }                                                                                                          \
            to[y * SIZE] = sharp_##SIZE(from, 0, y);                                                                   \
            for (int x = 1; x < SIZE - 1; x++) {                                                                       \
                const unsigned char *at = from + y * SIZE + x;                                                         \
                to[y * SIZE + x] = clamped(5 * at[0] - at[-1] - at[1] - at[-SIZE] - at[SIZE]);                         \
            }                                                                                                          \
            to[y * SIZE + SIZE - 1] = sharp_##SIZE(from, SIZE - 1, y);                                                 \
        }                                                                                                              \
        return 0;                                                                                                      \
    }                                                                                                                  \
    int blur_##SIZE(unsigned char *restrict from, unsigned char *restrict to)                                          \
    {                                                                                                                  \
        int sums[SIZE];                                                                                                \
        for (int y = 0; y < SIZE; y++) {                                                                               \
            const unsigned char *a = from + reflected(y - 2, SIZE) * SIZE, *b = from + reflected(y - 1, SIZE) * SIZE;  \
            const unsigned char *c = from + y * SIZE, *d = from + reflected(y + 1, SIZE) * SIZE;                       \
            const unsigned char *e = from + reflected(y + 2, SIZE) * SIZE;                                             \
            for (int x = 0; x < SIZE; x++)                                                                             \
                sums[x] = a[x] + 4 * b[x] + 6 * c[x] + 4 * d[x] + e[x];                                                \
            for (int x = 0; x < SIZE; x++)                                                                             \
                to[y * SIZE + x] = (unsigned char)((sums[reflected(x - 2, SIZE)] + 4 * sums[reflected(x - 1, SIZE)] +  \
                                                    6 * sums[x] + 4 * sums[reflected(x + 1, SIZE)] +                   \
                                                    sums[reflected(x + 2, SIZE)]) / 256);                              \
        }                                                                                                              \
        return 0;                                                                                                      \
    }

BOTH(16)
BOTH(64)
