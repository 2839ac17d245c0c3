/* SPDX-License-Identifier: MIT-0 */
/*
 * The interface that programs of rpcgen's use, over whittle's own run time: the same functions as libtirpc's, as far as they are
 * here. In objects their names are others, so that both libraries may be in one process.
 */
#ifndef WHITTLE_RPC_RPC_H
#define WHITTLE_RPC_RPC_H
#include "types.h"
#include "xdr.h"
#include "auth.h"
#include "clnt.h"
#include "svc.h"
#include "pmap_clnt.h"
#endif
