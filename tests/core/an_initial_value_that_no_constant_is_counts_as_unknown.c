int g(void);
int x = __builtin_choose_expr(__builtin_constant_p(&x), 1, 2);
