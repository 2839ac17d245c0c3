/* Evaluates an expression of integers, one-letter variables, + - * / % ( ) and unary minus. Zero, or -1 with a message. */
struct binding {
    char letter;
    int value;
};

int evaluate(const char *text, const struct binding *bindings, int count, int *result, const char **message);

int score(int x, int y, int z, int *result);
