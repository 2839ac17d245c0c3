/* A packed structure ends with an array of no length: what lies there has no name in it, and need not be aligned. */
extern void *malloc(__SIZE_TYPE__);
extern void free(void *);
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

struct entry {
    short kind;
    unsigned long long count;
} __attribute__((packed));

struct list {
    int length;
    struct entry entries[0];
} __attribute__((packed));

int main(void)
{
    struct list *list = malloc(sizeof *list + 3 * sizeof(struct entry));
    unsigned long long sum = 0;
    int i;

    if (!list)
        return 1;
    list->length = 3;
    for (i = 0; i < 3; i++) {
        list->entries[i].kind = (short)i;
        list->entries[i].count = (unsigned long long)law_input(i, 5 + i);
    }
    law_output("length", list->length);
    for (i = 0; i < list->length; i++)
        sum += list->entries[i].count + (unsigned long long)list->entries[i].kind;
    law_output("sum", (long long)sum);
    free(list);
    return 0;
}
