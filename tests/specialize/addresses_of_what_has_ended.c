/* A variable goes on holding the address of an object whose life has ended, on paths that meet: nobody looks at what it holds before
   it is written again. */
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

static int shared = 7;
static int *kept = &shared;

static int of_one(int x)
{
    int own = x + shared;
    kept = &own;
    *kept += 2;
    return own;
}

static int of_another(int x)
{
    int own[3] = { x, x * 2, 3 };
    kept = &own[1];
    *kept += shared;
    return own[0] + own[1] * 5;
}

int main(void)
{
    int first = (int)law_input(0, 1), second = (int)law_input(1, 2), result = 0;
    for (int i = 0; i < (second & 7); i++) {
        if (first & 1)
            result += of_one(i);
        else if (first & 2)
            result += of_another(i);
        else
            kept = &shared;
        law_output("result", result);
        first >>= 1;
    }
    kept = &shared;
    *kept += result;
    law_output("shared", shared);
    return 0;
}
