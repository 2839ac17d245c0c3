/* A text between the braces of a structure or an array is what its first pointer leads to, however long the text is, and fills the array that
 * it stands for, with zeros behind it. */
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

struct reader {
    const char *at;
};
struct named {
    char name[4];
    short number;
};
union either {
    const char *text;
    char letters[24];
};
typedef char five[5];
struct filled {
    char name[4];
};

static int next(struct reader *reader)
{
    return *reader->at ? *reader->at++ : 0;
}

int main(void)
{
    int which = (int)law_input(0, 1) & 7;
    struct reader reader = {"a text that is longer than an address"};
    const char *const words[1] = {"as long as an address"};
    const char *pair[2] = {"more than two addresses of eight bytes"};
    union either either = {"a union begins with its first member"};
    struct named named = {"abc", 3};
    struct filled filled = {"four"};
    char text[8] = {"in array"};
    five short_text = {"12"};
    int sum = next(&reader);
    for (int i = 0; i < which; i++)
        sum = sum * 3 + next(&reader);
    law_output("sum", sum);
    law_output("word", words[0][which]);
    law_output("pair", pair[which & 1] ? pair[0][which] : -1);
    law_output("union", either.text[which]);
    law_output("named", named.name[which & 3] + named.number);
    law_output("filled", filled.name[which & 3]);
    law_output("text", text[which]);
    law_output("rest", short_text[which & 3]);
    return 0;
}
