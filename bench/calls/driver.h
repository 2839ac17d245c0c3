/*
 * What driver.c measures: calls from one process to another, by whoever is linked with it. The same data for all; a
 * participant holds it in the form that its user would. Whatever fails ends the program with a word.
 */
#ifndef DRIVER_H
#define DRIVER_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

enum workload { NOTHING, INTS, RECTS, DIRENTS };

struct rect_item { int32_t words[4]; };
struct dirent_item { char *name; int32_t fields[30]; unsigned char tag[16]; };

struct data {
    enum workload workload;
    uint32_t count;
    union { int32_t *ints; struct rect_item *rects; struct dirent_item *dirents; } items;
};

/* Serves until it is killed; says `ready` (see driver_ready) once calls are welcome. `path`: of a Unix socket, or NULL. */
void participant_serve(const char *host, uint16_t port, const char *path);
/* Not in the clock: connects, and puts the data into the participant's form. */
void participant_connect(const char *host, uint16_t port, const char *path, const struct data *data);
/* In the clock: one call with the data. */
void participant_call(void);
/* In the clock: `count` calls of which many are under way at a time; nothing where the participant cannot do so. */
int participant_pipeline(long count);

void driver_ready(void);
void driver_fail(const char *what);
/* What a server's clients are to know of it, such as an object's reference: in a file beside the program. */
void driver_publish(const char *text);
const char *driver_reference(void);
#ifdef __cplusplus
}
#endif
#endif
