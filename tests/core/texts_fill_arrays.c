int g(char *);
int f(void) {
    char a[] = "abc";
    char b[8] = "x";
    return g(a) + g(b);
}
