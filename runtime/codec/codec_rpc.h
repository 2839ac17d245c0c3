/* SPDX-License-Identifier: MIT-0 */
/* The names that rpcgen's style has for numbers, without the RPC library whose header declares them otherwise. */
#ifndef WHITTLE_CODEC_RPC_H
#define WHITTLE_CODEC_RPC_H
#include "codec.h"
#include <sys/types.h>

/* glibc keeps them to itself where nothing but the standard's names is asked for (-std=c99). */
#if defined(__GLIBC__) && !defined(__u_char_defined)
typedef unsigned char u_char;
typedef unsigned short u_short;
typedef unsigned int u_int;
typedef unsigned long u_long;
typedef __quad_t quad_t;
typedef __u_quad_t u_quad_t;
#define __u_char_defined
#endif

#if !defined(_RPC_TYPES_H) && !defined(_RPC_RPC_H) && !defined(WHITTLE_RPC_TYPES_H)
typedef int bool_t;
typedef int enum_t;
#endif
#ifndef FALSE
#define FALSE 0
#endif
#ifndef TRUE
#define TRUE 1
#endif
#endif
