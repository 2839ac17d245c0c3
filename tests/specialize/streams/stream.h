/* A stream of words into memory, as general code has it: a routine for each word, the position kept in the stream. */
#ifndef STREAM_H
#define STREAM_H

struct stream { char *at; unsigned left; int errors; unsigned count; };

/* As htonl, whose effects are known. */
#include <arpa/inet.h>

int put(struct stream *stream, unsigned word);
int put_all(struct stream *stream, const unsigned *words, unsigned count);

/* What nobody knows anything of. */
void tell(struct stream *stream);
void look(void);
int leave(unsigned number);
extern struct stream *kept;
#endif
