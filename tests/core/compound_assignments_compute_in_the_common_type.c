void f(unsigned char *c, float *x, int i, long *l) {
    *c += 300;
    *x *= 2.0;
    *l <<= i;
    i /= 2u;
    *c |= i;
}
