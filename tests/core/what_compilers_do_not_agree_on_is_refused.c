struct s { unsigned long a : 40; };
unsigned long f(struct s *p) {
    return p->a << 8;
}
