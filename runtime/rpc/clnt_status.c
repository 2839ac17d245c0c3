/* SPDX-License-Identifier: MIT-0 */
/* Failures of calls of ONC RPC, as these headers number them. */
#include "rpc_inner.h"
#include <errno.h>

static enum clnt_stat whittle_rpc_status(int status)
{
    switch (status) {
    case WHITTLE_ONC_OK: return RPC_SUCCESS;
    case WHITTLE_ONC_CANNOT_MARSHAL:
    case WHITTLE_ONC_TOO_LARGE: return RPC_CANTENCODEARGS;
    case WHITTLE_ONC_BAD_ADDRESS: return RPC_UNKNOWNADDR;
    case WHITTLE_ONC_UNKNOWN_HOST: return RPC_UNKNOWNHOST;
    case WHITTLE_ONC_NOT_REGISTERED: return RPC_PROGNOTREGISTERED;
    case WHITTLE_ONC_NO_RPCBIND: return RPC_RPCBFAILURE;
    case WHITTLE_ONC_TIMED_OUT: return RPC_TIMEDOUT;
    case WHITTLE_ONC_LOST: return RPC_CANTRECV;
    case WHITTLE_ONC_CANCELLED: return RPC_INTR;
    case WHITTLE_ONC_BAD_REPLY:
    case WHITTLE_ONC_CANNOT_UNMARSHAL: return RPC_CANTDECODERES;
    case WHITTLE_ONC_RPC_MISMATCH: return RPC_VERSMISMATCH;
    case WHITTLE_ONC_PROGRAM_UNAVAILABLE: return RPC_PROGUNAVAIL;
    case WHITTLE_ONC_PROGRAM_MISMATCH: return RPC_PROGVERSMISMATCH;
    case WHITTLE_ONC_PROCEDURE_UNAVAILABLE: return RPC_PROCUNAVAIL;
    case WHITTLE_ONC_GARBAGE_ARGUMENTS: return RPC_CANTDECODEARGS;
    default: return status <= WHITTLE_ONC_AUTH_FAILED_SO && status > WHITTLE_ONC_CANNOT_LISTEN ? RPC_AUTHERROR : RPC_SYSTEMERROR;
    }
}

static int whittle_rpc_errno(int status)
{
    switch (status) {
    case WHITTLE_ONC_NO_MEMORY: return ENOMEM;
    case WHITTLE_ONC_REFUSED: return ECONNREFUSED;
    case WHITTLE_ONC_UNREACHABLE: return EHOSTUNREACH;
    case WHITTLE_ONC_LOST: return ECONNRESET;
    case WHITTLE_ONC_TIMED_OUT: return ETIMEDOUT;
    case WHITTLE_ONC_TOO_LARGE: return EMSGSIZE;
    default: return 0;
    }
}

void whittle_rpc_explain(int status, const struct whittle_onc_client *client, struct rpc_err *error)
{
    memset(error, 0, sizeof *error);
    error->re_status = whittle_rpc_status(status);
    if (error->re_status == RPC_AUTHERROR) {
        error->re_why = (enum auth_stat)(WHITTLE_ONC_AUTH_FAILED_SO - status);
    } else if (client != NULL && (error->re_status == RPC_VERSMISMATCH || error->re_status == RPC_PROGVERSMISMATCH)) {
        error->re_vers.low = __atomic_load_n(&client->lowest, __ATOMIC_RELAXED);
        error->re_vers.high = __atomic_load_n(&client->highest, __ATOMIC_RELAXED);
    } else {
        error->re_errno = whittle_rpc_errno(status);
    }
}

const char *whittle_rpc_auth_text(enum auth_stat why)
{
    return whittle_onc_text(WHITTLE_ONC_AUTH_FAILED_SO - (int)why);
}
