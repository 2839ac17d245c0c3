/* Bytes are the same whatever type they are stored and read as. */
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

union word {
    unsigned whole;
    unsigned char bytes[4];
    unsigned short halves[2];
};

int main(void)
{
    union word word = {0x01020304};
    union word other;
    unsigned char input = (unsigned char)law_input(0, 7);

    word.bytes[1] = 0xaa;
    law_output("whole", word.whole);
    word.halves[1] = 0xbbcc;
    law_output("whole", word.whole);
    law_output("byte", word.bytes[2]);
    word.bytes[0] = input;
    law_output("whole", word.whole);
    law_output("half", word.halves[0]);
    other = word;
    other.whole = 5;
    law_output("byte", other.bytes[0] + other.bytes[3]);
    law_output("byte", word.bytes[0]);
    return 0;
}
