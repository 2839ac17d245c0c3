/* `NULL` stands for the 0 of an initial value, and nothing else of the program needs a header that defines it. */
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

static char *words[3] = {"one", 0, "three"};

int main(void)
{
    int which = (int)law_input(0, 1) & 1;
    law_output("is there", words[which] != 0);
    words[which] = words[2];
    law_output("letter", words[1] ? words[1][0] : 0);
    return 0;
}
