/* SPDX-License-Identifier: MIT-0 */
/* Types that all of <rpc/…> speaks of. */
#ifndef WHITTLE_RPC_TYPES_H
#define WHITTLE_RPC_TYPES_H
#include <netinet/in.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <sys/time.h>
#include <sys/types.h>
/* Strict C has no such names there. */
#if defined __GLIBC__ && !defined __u_char_defined
typedef __u_char u_char;
typedef __u_short u_short;
typedef __u_int u_int;
typedef __u_long u_long;
typedef __quad_t quad_t;
typedef __u_quad_t u_quad_t;
typedef __fsid_t fsid_t;
#define __u_char_defined
#endif
#if defined __GLIBC__ && !defined __daddr_t_defined
typedef __daddr_t daddr_t;
typedef __caddr_t caddr_t;
#define __daddr_t_defined
#endif
#include "names.h"
#include "../../net/version.h"
/* Code may ask whether it is compiled with these headers. */
#define WHITTLE_RPC 1

typedef int bool_t;
typedef int enum_t;
typedef uint32_t rpcprog_t, rpcvers_t, rpcproc_t, rpcprot_t, rpcport_t;
typedef int32_t rpc_inline_t;

#ifndef FALSE
#define FALSE 0
#endif
#ifndef TRUE
#define TRUE 1
#endif
#define __dontcare__ (-1)
#define mem_alloc(size) calloc(1, size)
#define mem_free(memory, size) free(memory)

/* Bytes with their number and their room: addresses, mostly. */
struct netbuf {
    unsigned int maxlen, len;
    void *buf;
};
#endif
