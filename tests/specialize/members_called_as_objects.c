/* A constant that nothing uses any more is not in the residual code, though a member of an inner structure has its name.
 * Not in the residual: 4711
 */
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

struct expression {
    int kind;
    union value {
        int number;
        struct pair {
            int first, second;
        } call;
    } value;
};

static const struct expression call = {1, {.call = {3, 4711}}};
static struct expression others[2] = {{0, {.number = 7}}, {1, {.call = {8, 9}}}};

static int value_of(const struct expression *expression, int by)
{
    return expression->kind ? expression->value.call.first + by : expression->value.number;
}

static int pair_of(const struct pair *pair)
{
    return pair->first * 10 + pair->second;
}

int main(void)
{
    const int n = (int)law_input(0, 5) & 0xff;
    law_output("known", value_of(&call, n));
    law_output("other", value_of(&others[n & 1], n) + pair_of(&others[1].value.call));
    return 0;
}
