extern volatile int v;
int f(volatile int *p) {
    v;
    *p = v + v;
    (*p)++;
    return v = 3;
}
