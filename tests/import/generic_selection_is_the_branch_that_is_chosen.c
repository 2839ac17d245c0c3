struct s { int a; };
static const int at_file_level = _Generic(1L, int: 1, long: 2, default: 3);
int kind(struct s *p, const char *t)
{
    unsigned u = _Generic(p, const struct s *: 1, struct s *: 2, void *: 3);
    for (int i = 0; i < 2; i++) {
        u += _Generic(i, char: 10, int: 20);
    }
    {
        struct s { char b; } *p = 0;
        u += _Generic(*p, struct s: sizeof(struct s), default: 7ul);
        if (u)
            u += _Generic(t, char *: _Generic(u, int: 100, default: 200), default: _Generic(u, int: 300, default: 400));
    }
    return u + _Generic("x", char *: 1, default: 2);
}
