/* Our side of the test against omniORB: all in bytes, so that neither has to know the other's names. */
#ifndef PEER_SIDE_H
#define PEER_SIDE_H
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A random any as we write it. */
size_t random_any(char *message, size_t room);
/* An any that the peer wrote, in this machine's order or the other, as we write it after having read it; 0: refused. */
size_t any_again(const char *message, size_t length, int is_swapped, char *written, size_t room);
/* (one op other) as a fixed<31,10>, read and written as messages have it; `op` is + - * or /. 0: no result. */
size_t reckoned(const char *one, const char *other, int digits, int scale, char op, char *result);

#ifdef __cplusplus
}
#endif

#endif
