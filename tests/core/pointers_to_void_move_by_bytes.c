long f(void *p, int *q, int *r) {
    p += 3;
    return (char *)p - (char *)0 + (r - q);
}
