void f(char *to, char *from, int n) {
    int r = (n + 1) / 2;
    switch (n % 2) {
        case 0:
        do {
            *to++ = *from++;
            case 1:
            *to++ = *from++;
        } while (--r > 0);
    }
}
