int f(int a) {
    int b;
    __asm__ volatile ("mov %1, %0" : "=r" (b) : "r" (a + 1) : "cc");
    return b;
}
