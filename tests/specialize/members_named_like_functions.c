/* A member of a structure in a typedef that is called like a function of the program does not bring the function along.
 * Not in the residual: int call(
 */
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

typedef struct Instruction {
    int kind;
    union {
        double number;
        struct {
            short function, count;
        } call;
    } part;
} Instruction;

static int call(int function, int count)
{
    return function * 10 + count;
}

static int of(const Instruction *list, int at)
{
    return list[at & 3].part.call.function;
}

int main(void)
{
    Instruction list[4];
    int at = (int)law_input(0, 1);
    for (int i = 0; i < 4; i++) {
        list[i].kind = i;
        list[i].part.call.function = (short)(i * 3);
        list[i].part.call.count = (short)at;
    }
    law_output("kind", list[at & 3].kind);
    law_output("function", of(list, at));
    law_output("called", call(list[2].part.call.function, list[at & 1].part.call.count));
    return 0;
}
