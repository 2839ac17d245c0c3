struct point { int x, y; };
struct shape { struct point corner[2]; const char *name; unsigned flag : 2, more : 3; union { long l; char c; }; };
int count[] = { [3] = 1, 2, [0] = 5 };
char text[] = "ab\0c", *names[] = { "x", [2] = "y" }, letters[4] = { 'a', '\n' }, rows[][3] = { "ab", { "c" } };
struct shape all = { 1, 2, { 3, .x = 4 }, "n", 1, .c = 'q' };
struct shape later = { .corner[1].y = 7, "m", .more = 2, .name = 0, .corner = { [0] = { 1 } } };
struct point range[5] = { [1 ... 3] = { .y = 2 }, { 9 } };
struct point line[2] = { { x: 1 }, { 2 } };
struct point *p = &(struct point) { .y = 3 }, copy[] = { { 1, 2 }, 3, 4 };
int wide[] = L"a\x41\u00e9";
double d = 1, e[2] = { 1, 2.5f };
int scalar = { 3 };
int empty[2] = {};
void fill(struct point p, int n)
{
    struct shape s = { { p, { n } }, .l = n };
    s.name = "t";
}
