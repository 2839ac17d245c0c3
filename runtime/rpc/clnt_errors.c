/* SPDX-License-Identifier: MIT-0 */
/* Failures of clients: as numbers of these headers, and in words. */
#include "rpc_inner.h"
#include <errno.h>

whittle_rpc_creation *whittle_rpc_createerr(void)
{
    static __thread whittle_rpc_creation last;
    return &last;
}

void whittle_rpc_not_created(enum clnt_stat status, const struct rpc_err *error)
{
    whittle_rpc_creation *const last = whittle_rpc_createerr();
    last->cf_stat = status;
    last->cf_error = error != NULL ? *error : (struct rpc_err){status, {0}};
}

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

char *clnt_sperrno(enum clnt_stat status)
{
    static const char *const texts[] = {
        "no failure", "the arguments cannot be encoded", "the results cannot be decoded", "cannot send", "the connection was lost",
        "timed out", "the server supports other versions of RPC", "authentication failed", "the server has no such program",
        "the server has other versions of the program", "the program has no such procedure", "the server cannot decode the arguments",
        "system error", "unknown host", "rpcbind does not reply", "the program is not registered", "failed",
        "unknown protocol", "cancelled", "invalid address", "cannot connect"};
    return (char *)(uintptr_t)((size_t)status < sizeof texts / sizeof *texts ? texts[status] : "unknown failure");
}

static void whittle_rpc_phrase(char *text, size_t size, const char *about, enum clnt_stat status, const struct rpc_err *error)
{
    const int length = snprintf(text, size, "%s: RPC: %s", about, clnt_sperrno(status));
    if (length < 0 || (size_t)length >= size)
        return;
    if (error->re_status == RPC_VERSMISMATCH || error->re_status == RPC_PROGVERSMISMATCH)
        snprintf(text + length, size - (size_t)length, ": from %u to %u", (unsigned)error->re_vers.low, (unsigned)error->re_vers.high);
    else if (error->re_status == RPC_AUTHERROR)
        snprintf(text + length, size - (size_t)length, ": %s", whittle_onc_text(WHITTLE_ONC_AUTH_FAILED_SO - (int)error->re_why));
    else if (error->re_errno != 0)
        snprintf(text + length, size - (size_t)length, ": %s", strerror(error->re_errno));
}

/* The thread's text. */
static char *whittle_rpc_say(const char *about, enum clnt_stat status, const struct rpc_err *error)
{
    static __thread char text[512];
    whittle_rpc_phrase(text, sizeof text, about, status, error);
    return text;
}

char *clnt_sperror(CLIENT *client, const char *about)
{
    struct rpc_err error;
    clnt_geterr(client, &error);
    return whittle_rpc_say(about, error.re_status, &error);
}

char *clnt_spcreateerror(const char *about)
{
    const whittle_rpc_creation *const last = whittle_rpc_createerr();
    return whittle_rpc_say(about, last->cf_stat, &last->cf_error);
}

void clnt_perror(CLIENT *client, const char *about)
{
    fprintf(stderr, "%s\n", clnt_sperror(client, about));
}

void clnt_pcreateerror(const char *about)
{
    fprintf(stderr, "%s\n", clnt_spcreateerror(about));
}

void clnt_perrno(enum clnt_stat status)
{
    fprintf(stderr, "%s\n", clnt_sperrno(status));
}
