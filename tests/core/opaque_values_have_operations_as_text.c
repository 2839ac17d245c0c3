_Complex double f(_Complex double a, double b) {
    a *= b;
    return a + b;
}
