int f(int (*g)(int), int (**h)(void)) {
    return (*g)(1) + (**h[2])();
}
