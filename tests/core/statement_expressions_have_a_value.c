int g(int);
int f(int a) {
    return ({ int t = g(a); t * t; }) + ({ a++; a; });
}
