int f(int n, ...) {
    __builtin_va_list l;
    __builtin_va_start(l, n);
    int s = __builtin_va_arg(l, int);
    __builtin_va_end(l);
    return s;
}
