enum { LIMIT = 4 };
int machine(int n, char *to, const char *from)
{
    static void *const targets[] = { &&low, &&high };
    switch (n % 8) {
    case 0:
        do {
            *to = *from++;
    case 7 - 1 ... LIMIT + 3:
            n--;
            __attribute__((fallthrough));
    default:
            ;
        } while (n > 0);
    }
    for (;;) {
        if (!n)
            break;
        else
            continue;
    }
    for (int i = 0, *p = &i; i < n; i++)
        n -= *p;
    for (n = 1; n < 5;)
        while (n++)
            ;
    goto *targets[n & 1];
low:
    n = 1;
high: {
    asm volatile("add %1, %0" : "+r"(n) : "r"(*from), "m"(to[1]) : "cc");
    asm goto("jmp %l0" : : : : low);
}
    switch (n)
        return 2;
    return n;
}
