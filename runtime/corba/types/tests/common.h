/* What the tests of CORBA's types share: checks, messages written by hand, and an ORB that only counts references. */
#ifndef COMMON_H
#define COMMON_H
#include "../any.h"
#include "../constants.h"
#include "../fixed.h"
#include "../marshal.h"
#include "../operations.h"
#include "../sequences.h"
#include "../../../include/whittle/cdr_in.h"
#include "../../../include/whittle/cdr_out.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CHECK(what)                                                                                                    \
    do {                                                                                                               \
        if (!(what)) {                                                                                                 \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #what);                                                 \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

/* A message that grows; it begins `skew` bytes behind a multiple of 16, since memory of messages has any alignment. */
struct message {
    struct whittle_cdr_out out;
    char *storage;
    char *at;       /* NULL: encoding failed */
    size_t skew;
};
void message_begin(struct message *message, size_t skew);
size_t message_size(const struct message *message);
void message_end(struct message *message);

/*
 * Bytes of a message: pairs of hexadecimal digits; `.`: an octet 0; h, w and q with a decimal number: words of 2, 4 and
 * 8 octets; a text in quotes: a string with its length and its end; `o`: the octet that says the order; L and B: that
 * octet, of an encapsulation that is little- or big-endian up to `<`.
 */
size_t bytes_of(const char *text, bool is_little, char *bytes, size_t room);
/* A copy for free(), behind which the sanitizers let nobody read. */
char *exactly(const char *bytes, size_t size);
/* The message holds just what the text says. */
void check_bytes(const struct message *message, const char *text);
bool host_is_little(void);

/* What reads `bytes`; storage as clients have it. */
struct whittle_cdr_in reads(const char *bytes, size_t size);
/* As servers have it: what is decoded belongs to the request, whose end is serve_end. */
struct whittle_cdr_in serves(const char *bytes, size_t size);
void serve_end(void);

/* References that this ORB gave out and that were not released. */
extern int objects;
CORBA_Object an_object(uint32_t number);

#ifdef __cplusplus
}
#endif

#endif
