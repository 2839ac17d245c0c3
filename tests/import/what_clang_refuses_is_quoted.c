# 1 "given.c"
int f(void)
{
    return missing;
}
