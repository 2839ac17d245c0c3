/* What rpcgen's routines miss in ntirpc's headers: read ahead of them. */
#ifndef BENCH_NTIRPC_H
#define BENCH_NTIRPC_H
#include <rpc/rpc.h>
#include <rpc/xdr_inline.h>
#define XDR_INLINE(xdrs, size) ((xdrs)->x_op == XDR_ENCODE ? xdr_inline_encode((xdrs), (size)) : xdr_inline_decode((xdrs), (size)))
#endif
