/* A function that calls itself is given another one, which it calls: what that one reads is there, and what it changes is
 * looked at anew. */
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

struct box {
    int mode;
    int size;
};

static struct box shared = {1, 7};
static int most;
static int limit;

static int note(int depth)
{
    if (depth > most)
        most = depth;
    shared.mode = 5;
    return depth != limit;
}

static int walk(struct box *box, int (*see)(int), int left)
{
    int sum = box->mode;

    if (!see(left) || left > 9)
        return sum;
    sum += box->mode * 10;
    box->mode = 1;
    sum += walk(box, see, left + 1);
    sum += box->mode * 100;
    box->mode = 1;
    return sum;
}

static int deeper(int (*see)(int), int depth)
{
    if (!see(depth))
        return 0;
    if (depth < 10)
        deeper(see, depth + 1);
    return 1;
}

int main(void)
{
    limit = (int)law_input(1, 14) & 15;
    law_output("deep", deeper(note, 1));
    law_output("most", most);
    law_output("sum", walk(&shared, note, (int)law_input(0, 2) & 7));
    law_output("mode", shared.mode);
    return 0;
}
