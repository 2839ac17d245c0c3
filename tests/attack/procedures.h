/* SPDX-License-Identifier: MIT-0 */
/*
 * What all servers under attack have in common, whatever their style: what their procedures do, how they are set up, and the account
 * that they give when they end. In: the command line. Out: `address …` lines, `ready`, and `served N` at the end.
 */
#ifndef ATTACK_PROCEDURES_H
#define ATTACK_PROCEDURES_H
#include <stdbool.h>
#include <stdint.h>

struct setting {
    uint32_t workers;
    bool overtaking;
    uint32_t memory;        /* megabytes; 0: as the run time has it */
    uint32_t patience, grace;
    const char *links[4];   /* tcp, udp, unix:PATH */
    int link_count;
};
/* workers=4 overtaking=1 memory=64 patience=2000 grace=1000 tcp udp unix:PATH */
struct setting setting_read(int argc, char **argv);
/* Says where the server listens, and that it does. */
void setting_address(const char *address);
void setting_ready(void);
/* The last that a server says. */
void setting_end(void);

void procedure_served(void);
/* So many bytes, of malloc's; `mapping` where results are freed by other means. */
void procedure_fill(void *bytes, uint32_t size);
uint32_t procedure_slow(uint32_t milliseconds);
/* Bytes of a result, whatever a damaged request asks for: so that what the program itself holds is known. */
enum { LARGEST = 4 << 20 };
#endif
