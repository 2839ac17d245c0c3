struct s { unsigned a : 3; int b : 5; };
int f(struct s *p) {
    p->a++;
    p->b += p->a;
    return p->b = 9;
}
