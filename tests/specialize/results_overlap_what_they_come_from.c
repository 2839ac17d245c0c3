/* What a function returns may overlap where its result goes: all of it is read before anything is written. */
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

struct bytes {
    unsigned char at[64];
};

union both {
    struct {
        struct bytes bytes;
        int after;
    } low;
    struct {
        int before;
        struct bytes bytes;
    } high;
};

static union both both;
static struct bytes *from = &both.low.bytes;
static struct bytes *to = &both.high.bytes;

static struct bytes through(void)
{
    return *from;
}

static struct bytes named(void)
{
    return both.low.bytes;
}

static void show(const char *name)
{
    unsigned sum = 0;
    for (int i = 0; i < 64; i++)
        sum = sum * 31 + both.high.bytes.at[i];
    law_output(name, sum);
}

int main(void)
{
    int first = (int)law_input(0, 5) & 255;
    if (law_input(1, 0) == 1)
        from = &both.high.bytes;
    for (int i = 0; i < 64; i++)
        both.low.bytes.at[i] = (unsigned char)(first + i);
    *to = through();
    show("through pointers");
    both.high.bytes = named();
    show("by name");
    return 0;
}
