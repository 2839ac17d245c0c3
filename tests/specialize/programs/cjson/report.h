struct sample {
    const char *name;
    int number, level;
    int is_valid;
};
int print_sample(char *into, int size, const struct sample *sample);
