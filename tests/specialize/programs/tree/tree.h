enum kind { NUMBER, VARIABLE, UNARY, BINARY, CHOICE };
enum operator { PLUS, MINUS, TIMES, OVER, LESS_THAN, NEGATE, SQUARE };

struct node {
    enum kind kind;
    enum operator operator;
    double number;
    const char *name;
    const struct node *first, *second, *third; /* a choice is first ? second : third */
};

struct variable {
    const char *name;
    double value;
};

struct variables {
    const struct variable *list;
    int count;
};

enum tree_error { TREE_OK, TREE_NO_VARIABLE, TREE_DIVISION };

enum tree_error tree_evaluate(const struct node *node, const struct variables *variables, double *result);

int price(double amount, double rate, double limit, double *result);
