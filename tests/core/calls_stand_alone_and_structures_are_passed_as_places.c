struct s { int a; long b; };
struct s g(struct s, int);
int f(struct s x) {
    x = g(g(x, 1), 2);
    return g(x, 3).a;
}
