/* SPDX-License-Identifier: MIT-0 */
/* Calls of the server under attack, the same for all styles: 0, or a status that `calls_text` explains. */
#ifndef ATTACK_CALLS_H
#define ATTACK_CALLS_H
#include <stdbool.h>
#include <stdint.h>

struct calls;
struct calls *calls_open(const char *address, uint32_t timeout);
void calls_close(struct calls *calls);
int calls_nothing(struct calls *calls);
int calls_echo(struct calls *calls, uint32_t size);     /* CALLS_WRONG: what came back is not what went */
int calls_large(struct calls *calls, uint32_t size);
int calls_slow(struct calls *calls, uint32_t milliseconds);
int calls_is_a(struct calls *calls);                    /* 1 yes, 0 no; CALLS_ABSENT: the link has no such question */
const char *calls_text(int status);
/* Whether the status says that the time ran out. */
bool calls_timed_out(int status);
enum { CALLS_WRONG = -1000, CALLS_ABSENT = -1001, CALLS_EXCEPTION = -1002 };
#endif
