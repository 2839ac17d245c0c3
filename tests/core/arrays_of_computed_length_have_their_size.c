int g(int *);
int f(int n, int m) {
    int a[n][m];
    a[1][2] = 3;
    n = 0;
    return g(a[0]) + sizeof a / sizeof a[0];
}
