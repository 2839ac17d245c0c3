int odd(_Complex double z, int n)
{
#pragma omp parallel
    double r = __real__ z;
    n = ((struct { int a; }) { 1 }).a + sizeof(int[n]);
    for (long i = 0; i < n; i++)
        n += _Generic(i, long: 1, default: 2);
#pragma GCC diagnostic ignored "-Wall"
    return r + n;
}
