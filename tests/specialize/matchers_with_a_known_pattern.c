/* A matcher that calls itself under tests of the text: its variants follow the pattern, and the pattern is gone.
 * Not in the residual: "a.*b*c$", *re, re[
 */
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

static int match_here(const char *re, const char *text);

static int match_star(int c, const char *re, const char *text)
{
    do {
        if (match_here(re, text))
            return 1;
    } while (*text != '\0' && (*text++ == c || c == '.'));
    return 0;
}

static int match_here(const char *re, const char *text)
{
    if (re[0] == '\0')
        return 1;
    if (re[1] == '*')
        return match_star(re[0], re + 2, text);
    if (re[0] == '$' && re[1] == '\0')
        return *text == '\0';
    if (*text != '\0' && (re[0] == '.' || re[0] == *text))
        return match_here(re + 1, text + 1);
    return 0;
}

static int match(const char *re, const char *text)
{
    if (re[0] == '^')
        return match_here(re + 1, text);
    do {
        if (match_here(re, text))
            return 1;
    } while (*text++ != '\0');
    return 0;
}

int main(void)
{
    char text[9];

    for (int i = 0; i < 8; i++)
        text[i] = (char)("abcz"[law_input(0, 27) >> 2 * i & 3]);
    text[8] = '\0';
    law_output("first", match("a.*b*c$", text));
    law_output("second", match("^z*ab", text));
    return 0;
}
