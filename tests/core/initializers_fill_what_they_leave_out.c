struct s { int a, b[2]; struct { char c, d; } e; };
int g(struct s *);
int f(int i) {
    struct s x = { .b = { i }, .e = { 1 } }, y = { 1, 2, 3, 4, 5 };
    return g(&x) + g(&y);
}
