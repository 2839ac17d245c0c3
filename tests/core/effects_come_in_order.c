int g(int);
int f(int *p, int n) {
    int s = 0;
    while (n--) s += *p++ * g(s);
    return s;
}
