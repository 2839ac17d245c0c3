/* A table of labels stays in its function: where unknown code gets the table, the function is called as it stands. */
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

static void *chosen(void **labels)
{
    __asm__ volatile("" : "+r"(labels));
    return *labels;
}

static inline int jump(int number)
{
    static void *labels[] = {&&there};

    if (chosen(labels) == 0)
        goto *labels[0];
there:
    return number + 17;
}

int main(void)
{
    law_output("jumped", jump((int)law_input(0, 3) & 0xff));
    return 0;
}
