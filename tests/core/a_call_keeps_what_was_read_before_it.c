int g(void);
extern int a;
int f(int b, int *p) {
    return a + b + *p + g();
}
