int g(int);
int f(int a, int b) {
    int c = a ? g(b) : b;
    return (a && b) + (c ?: 7);
}
