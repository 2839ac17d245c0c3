void f(char *d, const char *s) {
    while ((*d++ = *s++));
}
