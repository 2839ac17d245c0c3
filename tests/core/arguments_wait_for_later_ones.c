int g(int, int, int);
int f(int *p, int i) {
    return g(*p, i, g(i++, 0, 0));
}
