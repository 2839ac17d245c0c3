/* Static variables of functions, whose initial values name their parts in any order, twice, through unions and anonymous members. */
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

struct pair {
    int k, cost;
};

static int out_of_order(int x)
{
    static struct pair later = {.cost = 2, .k = 3}, twice = {.k = 3, .cost = 5, .k = 6};
    static const struct pair table[3] = {[1].cost = 4, [1].k = 5, [0].cost = 6, [0].k = 7, [2] = {1, 2}, [2].k = 9};
    static struct {
        char s[4];
        int k;
        unsigned low : 3, high : 5;
    } text = {.high = 9, .k = 4, .s = "abc", .low = 5};
    later.k += x;
    twice.cost += x;
    text.s[x & 1]++;
    return later.k * 1000 + later.cost * 100 + twice.k * 10 + twice.cost + table[x % 3].cost * 7 + table[x % 3].k
        + text.s[0] * text.k + text.s[2] + (int)text.low * 3 + (int)text.high;
}

static int unions(int x)
{
    static union {
        int w;
        unsigned char b[4];
        float g;
        short h;
    } bytes = {.b = {1, 2, 3, 4}}, real = {.g = 2.5f}, narrow = {.h = -2};
    static union {
        int w;
        struct {
            short l, h;
        };
        float g;
    } halves = {.h = 5};
    static struct {
        int k;
        union {
            short s;
            float g;
            long l;
        } d;
    } rows[3] = {{1, {.g = 1}}, {2, {.l = 1L << 40}}, [2].d.s = 9};
    static struct {
        int a;
        union {
            int i;
            char c;
        };
    } anonymous = {.a = 7, .i = 300};
    bytes.b[x & 3]++;
    real.w += x << 20;
    narrow.h += (short)x;
    halves.l += (short)x;
    rows[x & 1].k++;
    anonymous.a += x;
    return bytes.w + (int)(real.g * 8) + narrow.h + halves.h * 3 + (int)rows[0].d.g + (rows[1].d.l == 1L << 40) * 5 + rows[2].d.s
        + anonymous.a + anonymous.i;
}

int main(void)
{
    int x = (int)law_input(0, 3) & 15;
    law_output("order", out_of_order(x));
    law_output("again", out_of_order(x + 1));
    law_output("unions", unions(x));
    law_output("more", unions(x + 1));
    return 0;
}
