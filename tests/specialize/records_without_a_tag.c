/* Records without a tag get one, with a space before it or without. */
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

static struct{int a, b;} outer[2] = {{1, 2}, {3, 4}};

int main(void)
{
    struct{int a;short b;} s = {1, 2};
    enum{FIRST = 4, SECOND} which = law_input(0, 1) ? SECOND : FIRST;
    union{
        unsigned whole;
        unsigned char bytes[4];
    }bytes = {(unsigned)law_input(1, 258)};

    s.a += (int)(law_input(2, 3) & 15) + outer[law_input(3, 0) & 1].b;
    law_output("sum", s.a + s.b + (int)which);
    law_output("byte", bytes.bytes[1]);
    return 0;
}
