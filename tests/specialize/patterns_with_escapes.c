/* A matcher that goes back in its text, and passes over a letter of its pattern before it compares: the pattern is gone, and what a
 * round's first test has shown of the text holds in its later ones.
 * Where paths differ, the places in the text are given up, and the place in the pattern is not.
 * Not in the residual: "*.xy", *p, p[
 * Lines of the residual: at most 240
 */
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

static int matches(const char *p, const char *s)
{
    const char *star = 0, *back = 0;

    while (*s) {
        if (*p == '*') {
            while (*p == '*')
                p++;
            if (!*p)
                return 1;
            star = p;
            back = s;
            continue;
        }
        if (*p == '?') {
            p++;
            s++;
            continue;
        }
        if (*p == '\\' && p[1])
            p++;
        if (*p == *s) {
            p++;
            s++;
            continue;
        }
        if (!star)
            return 0;
        p = star;
        s = ++back;
    }
    return !*p;
}

int main(void)
{
    char text[9];

    for (int i = 0; i < 8; i++)
        text[i] = (char)("ax.y"[law_input(0, 54171) >> 2 * i & 3]);
    text[8] = '\0';
    law_output("first", matches("*.xy", text));
    law_output("second", matches("a*\\.?y*", text));
    return 0;
}
