/* Round trips: what trips.c asks of an ORB's client, and whether its own server heard it. */
#ifndef TRIPS_H
#define TRIPS_H
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/* The program is a server where it is given no reference: it writes its own, and never ends. */
void trips_serve(int argc, char **argv);
/* Which object is called. */
void trips_open(int argc, char **argv, const char *reference);
/* A call that says nothing, and one that says these numbers. */
void trips_nothing(void);
void trips_ints(int32_t *numbers, uint32_t count);

/* What servants hold the numbers that came against: trips.c made the ones that are sent. */
int32_t trips_number(uint32_t index);
/* Says what failed, and ends the program. */
void trips_failed(const char *what);

#ifdef __cplusplus
}
#endif
#endif
