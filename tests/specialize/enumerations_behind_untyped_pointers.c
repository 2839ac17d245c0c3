/* A member of an enumerated type is as wide in the residual program, where only its distance is left, as it was. */
#include <stdlib.h>
#include <string.h>

extern long long law_input(int number, long long usual);

enum state { idle, running, stopped };

struct task {
    int before[10];
    enum state state;
    int after;
};

struct holder {
    void *task;
};

static int advance(struct holder *holder, int number)
{
    struct task *task = (struct task *)holder->task;
    task->state = stopped;
    task->after = number;
    return task->state == running;
}

int main(void)
{
    struct holder *holder = malloc(sizeof *holder);
    struct task *task = malloc(sizeof *task);
    if (holder == NULL || task == NULL)
        return 3;
    memset(task, 0xff, sizeof *task);
    holder->task = task;
    int wrong = advance(holder, (int)law_input(0, 5));
    wrong += task->state != stopped;
    wrong += task->after < 0;
    free(task);
    free(holder);
    return wrong;
}
