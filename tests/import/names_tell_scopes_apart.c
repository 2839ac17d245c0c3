struct node { int a; };
typedef int number;
static int x;
int y;

static int twice(int x)
{
    int y = x;
    for (int x = 0; x < y; x++) {
        int y = x;
        x += y;
    }
    {
        typedef char number;
        struct node { number x; struct node *next; } n = { 1 };
        extern int y;
        static int s;
        y = s + n.x;
    }
    number z = x;
again:
    if (z) {
        __label__ again;
    again:
        z--;
        if (z)
            goto again;
    }
    if (x--)
        goto again;
    return z;
}

int uses(void)
{
    static int s;
    return x + twice(s);
}
