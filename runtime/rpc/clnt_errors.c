/* SPDX-License-Identifier: MIT-0 */
/* Failures of clients, in words. */
#include "rpc_shared.h"

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
        snprintf(text + length, size - (size_t)length, ": %s", whittle_rpc_auth_text(error->re_why));
    else if (error->re_errno != 0)
        snprintf(text + length, size - (size_t)length, ": %s", strerror(error->re_errno));
}

/* The thread's text. */
static char *whittle_rpc_error_text(const char *about, enum clnt_stat status, const struct rpc_err *error)
{
    static __thread char text[512];
    whittle_rpc_phrase(text, sizeof text, about, status, error);
    return text;
}

char *clnt_sperror(CLIENT *client, const char *about)
{
    struct rpc_err error;
    clnt_geterr(client, &error);
    return whittle_rpc_error_text(about, error.re_status, &error);
}

char *clnt_spcreateerror(const char *about)
{
    const whittle_rpc_creation *const last = whittle_rpc_createerr();
    return whittle_rpc_error_text(about, last->cf_stat, &last->cf_error);
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
