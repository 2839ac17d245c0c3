int f(int a) {
    for (;;) {
        if (a) return a;
        else continue;
        a = 3;
    }
    return 4;
}
