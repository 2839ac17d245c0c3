/* A jump back inside a block does not end the life of what is declared there: its address stays the same. */
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

struct pair {
    int left, right;
};

int main(void)
{
    struct pair *before, *now = 0;
    int round = 0;

again:
    before = now;
    now = &(struct pair){.right = round++};
    if (round < 3)
        goto again;
    law_output("same", before == now);
    law_output("right", before->right);
    now->left = (int)law_input(0, 4);
    law_output("left", before->left);
    return 0;
}
