/* What stages look at: packets are as they were sent, and follow each other as the stage's statement says. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct port { uint32_t count, next; };

/* `by_one`: none is left out. */
static inline void look_at(struct port *port, const char *name, uint32_t number, bool is_sound, bool by_one)
{
    if (!is_sound)
        printf("altered: %s %u\n", name, number);
    if (port->count > 0 && (by_one ? number != port->next : number + 1 < port->next))
        printf("gap: %s %u, not %u\n", name, number, port->next);
    port->next = number + 1;
    port->count++;
}

/* Says when it has begun; ends after LEAVE calls. */
static inline bool goes_on(uint32_t calls)
{
    const char *const leave = getenv("LEAVE");
    if (calls == 20)
        puts("has begun");
    fflush(stdout);
    return leave == NULL || calls < (uint32_t)atoi(leave);
}

#define LOOK_AT_A(self, by_one) look_at(&a, "a", (self)->a->number, (self)->a->twice == 2 * (self)->a->number, by_one)
#define LOOK_AT_B(self, by_one) \
    look_at(&b, "b", (self)->b->at.number, (self)->b->at.height * 2 == (self)->b->at.number && strcmp((self)->b->text, "mark") == 0, by_one)
