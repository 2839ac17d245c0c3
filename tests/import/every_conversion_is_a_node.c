typedef unsigned char octet;
enum colour { RED, GREEN = -3, BLUE = 7 };

double take(short s, const void *p, _Bool b, float f);
void old();
int many(int count, ...);

double conversions(char c, octet o, unsigned u, long l, float f, int *p, enum colour e)
{
    short s = c + o;
    _Bool b = p;
    u += c;
    s += 1.5;
    l = u << c;
    l = -o;
    b = !f && p != 0;
    e = GREEN;
    p = 0;
    old(c, f);
    many(1, c, f, "text");
    s = e ? o : l;
    ~c;
    +o;
    return take(l, p, u, e), b;
}
