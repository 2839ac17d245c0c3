typedef __builtin_va_list va_list;
struct s { int a; struct { char b[4]; } in; };
_Thread_local int t;
static inline __attribute__((always_inline)) int old(a, b)
    char a;
    float b;
{
    return a + b;
}
int gnu(int n, ...)
{
    va_list ap;
    int a[n], (*q)[n] = &a, m = sizeof a;
    __builtin_va_start(ap, n);
    n = __builtin_va_arg(ap, int) ?: 5;
    __builtin_va_end(ap);
    n = ({ int x = n; x++; x; });
    n = __builtin_offsetof(struct s, in.b[2]) + sizeof(struct s) + _Alignof(int) + __alignof__(t) + 'a' + L'b';
    n += __builtin_types_compatible_p(int, long) + __builtin_choose_expr(1, 2, "no") + __builtin_constant_p(n);
    n += _Generic(n, long: 1L, int: 2, default: 3u) + __builtin_expect(n, 0) + __extension__ 4;
    n += __atomic_fetch_add(&t, 1, 5) + __sync_fetch_and_add(&t, 2) + __builtin_bswap32(n) + old(1, 2.0);
    __builtin_memcpy(a, q[0], m);
    return n + (0, a)[1] + 0b101 + 07 + 1.5e1f + sizeof((*q)[0]);
}
