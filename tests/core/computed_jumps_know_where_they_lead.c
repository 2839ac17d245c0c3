int f(int a) {
    static void *table[] = { &&one, &&two };
    goto *table[a];
    one:
    return 1;
    two:
    return 2;
}
