/* Structures whose members may not be assigned are initialized as a whole, whatever bit-fields without a name stand between them. */
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

struct marked {
    unsigned first : 1;
    signed second : 20;
    unsigned char third;
    unsigned : 0;
    const unsigned fourth : 26;
    unsigned : 3;
    const int fifth;
};

static int sum_of(const struct marked *of)
{
    return (int)of->first + of->second * 3 + of->third + (int)of->fourth + of->fifth;
}

static int (*volatile summing)(const struct marked *) = sum_of;

static int rounds(int count, int more)
{
    int sum = 0;
    for (int i = 0; i < count; i++) {
        struct marked one = {1, -223, 7, 2694u, -5};
        struct marked other = {0, more, (unsigned char)i, 11u, more};
        for (int j = 0; j < count; j++) {
            sum += summing(&one) ^ summing(&other);
            one.second += j;
            other.third++;
        }
        sum += one.second + other.third;
    }
    return sum;
}

static int chosen(int count, int more)
{
    int sum = 0;
    for (int i = 0; i < count; i++) {
        struct marked one = {1, -223, 7, 2694u, -5}, other = {0, 5, 6, 11u, 12};
        for (int j = 0; j < count; j++) {
            struct marked *const either = (more >> j) & 1 ? &one : &other;
            either->second += j;
            sum += (int)either->fourth + either->second;
        }
        sum += one.second + other.third;
    }
    return sum;
}

/* Called through a pointer, so that its general code stays. */
static int plain(int count, int more)
{
    int sum = more;
    for (int i = 0; i < count; i++) {
        struct marked one = {1, -223, 7, 2694u, -5};
        sum += one.second * i + (int)one.fourth + (one.third ^= (unsigned char)sum);
    }
    return sum;
}

static int (*volatile keeping)(int, int) = plain;

/* The structure is declared before a jump, and gets its value behind it. */
static int jumping(int count, int more)
{
    int sum = 0, i = 0;
again:;
    struct marked one = {1, more, 7, 2694u, -5};
    sum += one.second * i + (int)one.fourth + one.fifth + (one.third ^= (unsigned char)sum);
    if (i++ < count) {
        if (sum & 1)
            goto again;
        sum++;
        goto again;
    }
    return sum + one.second;
}

static int (*volatile keeping_jumps)(int, int) = jumping;

int main(void)
{
    law_output("plain", keeping((int)(law_input(0, 5) & 31), 3));
    law_output("jumping", keeping_jumps((int)(law_input(0, 5) & 31), 3));
    law_output("chosen", chosen((int)(law_input(0, 5) & 31), (int)(law_input(1, 77) & 0xffff)));
    law_output("rounds", rounds((int)(law_input(0, 5) & 31), (int)(law_input(1, 77) & 0xffff)));
    law_output("known", rounds(3, 2));
    return 0;
}
