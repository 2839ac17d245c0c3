typedef int row[4];
int sum(int count, int values[count], row table[], int callback(int), char text[3])
{
    int own[3][2] = { { 1 } }, *p = own[1], (*q)[2] = own;
    const row fixed = { 1, 2 };
    int (*f)(int) = callback, (*g)(int) = &sum, size = sizeof values + sizeof own + sizeof "abc" + sizeof table[0];
    values[0] = *values + 1[values] + own[1][1] + table[1][2] + fixed[1];
    p = values + 1;
    p = &values[2];
    size += &own[2] - own;
    return f(1) + (*f)(2) + (**callback)(3) + text[0] + *q[1] + (p == values) + g(1) + __func__[0];
}
