int f(int a) {
    int r = 0;
    switch (a) {
        case 1:
        r = 1;
        case 5 ... 9:
        r += 2;
        break;
        default:
        r = 7;
    }
    return r;
}
