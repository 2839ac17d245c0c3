typedef int jmp[8];
int _setjmp(jmp);
int f(jmp b) {
    return _setjmp(b);
}
