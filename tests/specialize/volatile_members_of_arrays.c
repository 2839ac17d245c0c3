/* An array of structures with a volatile member is not volatile as a whole: it can be cleared. */
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);
struct vol { volatile int kind; int data; };
int main(void)
{
    int a = (int)law_input(0, 2), b = (int)law_input(1, 2);
    struct vol v[4] = { { 3, 4 } };
    v[a & 3].kind = 5;
    struct vol *q = &v[b & 3];
    q->data = 7;
    law_output("vol", v[a & 3].kind + v[a & 3].data);
    return 0;
}
