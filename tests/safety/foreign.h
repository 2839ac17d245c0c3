/* SPDX-License-Identifier: MIT-0 */
/* A type that the user supplies: a text, and what its own routine allocates. */
#ifndef FOREIGN_H
#define FOREIGN_H
#include <rpc/rpc.h>

struct foreign {
    char *text;
};
typedef struct foreign foreign;
bool_t xdr_foreign(XDR *, foreign *);

#endif
