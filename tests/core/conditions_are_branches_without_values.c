int g(int);
int f(int a, int *p) {
    if (!(a > 1 && p) || (a, g(a))) return 1;
    return 0;
}
