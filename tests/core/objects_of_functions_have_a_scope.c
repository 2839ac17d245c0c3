int f(void) {
    static int n = 3;
    {
        static int n;
        n++;
    }
    return n++;
}
