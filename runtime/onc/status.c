/* SPDX-License-Identifier: MIT-0 */
/* What became of a call, in words. */
#include "client.h"

/* RFC 5531, section 9: auth_stat. */
static const char *whittle_onc_auth_text(int status)
{
    static const char *const texts[] = {
        "authentication failed; the server gives no reason",
        "the server cannot decode the credential",
        "the server rejects the credential: begin a new session",
        "the server cannot decode the verifier",
        "the verifier has expired, or was seen before",
        "the server requires stronger authentication",
        "the server's verifier is invalid",
        "authentication failed",
        "authentication failed: Kerberos error",
        "authentication failed: the credential has expired",
        "authentication failed: problem with the ticket file",
        "authentication failed: the server cannot decode the authenticator",
        "authentication failed: wrong network address in the ticket",
        "the server has no such RPCSEC_GSS credential",
        "the server has no such RPCSEC_GSS context",
    };
    const unsigned reason = (unsigned)(WHITTLE_ONC_AUTH_FAILED_SO - status);
    return reason < sizeof texts / sizeof texts[0] ? texts[reason] : "authentication failed for an unknown reason";
}

const char *whittle_onc_text(int status)
{
    if (status <= WHITTLE_ONC_AUTH_FAILED_SO && status > WHITTLE_ONC_CANNOT_LISTEN)
        return whittle_onc_auth_text(status);
    switch (status) {
    case WHITTLE_ONC_OK: return "the call succeeded";
    case WHITTLE_ONC_NO_MEMORY: return "out of memory or file descriptors";
    case WHITTLE_ONC_CANNOT_MARSHAL: return "an argument cannot be encoded: a pointer is NULL, or a string or array is longer than its bound";
    case WHITTLE_ONC_TOO_LARGE: return "the message is longer than the limit";
    case WHITTLE_ONC_BAD_ADDRESS: return "invalid address: expected tcp://host:port, udp://host:port, unix:/path, shm:name, auto:name@host:port, or a host alone";
    case WHITTLE_ONC_UNKNOWN_HOST: return "unknown host";
    case WHITTLE_ONC_REFUSED: return "connection refused: no server listens at the address";
    case WHITTLE_ONC_UNREACHABLE: return "the server's address is unreachable";
    case WHITTLE_ONC_NOT_REGISTERED: return "the program is not registered with the server's rpcbind";
    case WHITTLE_ONC_NO_RPCBIND: return "rpcbind does not reply; it is asked for the port when the address has none";
    case WHITTLE_ONC_NOT_ALLOWED: return "shared memory is refused: the process on the other side is another user's, and the two have not the same key (WHITTLE_CALLS_KEY)";
    case WHITTLE_ONC_OTHER_VERSION: return "shared memory is refused: the process on the other side has another version of the run time";
    case WHITTLE_ONC_TIMED_OUT: return "the call timed out";
    case WHITTLE_ONC_LOST: return "the connection was lost before the reply came";
    case WHITTLE_ONC_CANCELLED: return "the call was cancelled";
    case WHITTLE_ONC_BAD_REPLY: return "the reply is not a valid RPC reply (RFC 5531)";
    case WHITTLE_ONC_CANNOT_UNMARSHAL: return "the results cannot be decoded";
    case WHITTLE_ONC_RPC_MISMATCH: return "the server supports other versions of RPC";
    case WHITTLE_ONC_PROGRAM_UNAVAILABLE: return "the server does not have the program";
    case WHITTLE_ONC_PROGRAM_MISMATCH: return "the server has the program in other versions only";
    case WHITTLE_ONC_PROCEDURE_UNAVAILABLE: return "the program does not have the procedure";
    case WHITTLE_ONC_GARBAGE_ARGUMENTS: return "the server cannot decode the arguments";
    case WHITTLE_ONC_SYSTEM_ERROR: return "the server reports a system error";
    case WHITTLE_ONC_CANNOT_LISTEN: return "the server cannot listen at the address";
    case WHITTLE_ONC_CANNOT_REGISTER: return "rpcbind refuses to register the server's programs";
    default: return "unknown status";
    }
}

int whittle_onc_status_of(int failure)
{
    switch (failure) {
    case WHITTLE_NET_OK: return WHITTLE_ONC_OK;
    case WHITTLE_NET_NO_MEMORY: return WHITTLE_ONC_NO_MEMORY;
    case WHITTLE_NET_UNKNOWN_HOST: return WHITTLE_ONC_UNKNOWN_HOST;
    case WHITTLE_NET_REFUSED: return WHITTLE_ONC_REFUSED;
    case WHITTLE_NET_UNREACHABLE: return WHITTLE_ONC_UNREACHABLE;
    case WHITTLE_NET_TIMED_OUT: return WHITTLE_ONC_TIMED_OUT;
    case WHITTLE_NET_CANCELLED: return WHITTLE_ONC_CANCELLED;
    case WHITTLE_NET_BAD_MESSAGE: return WHITTLE_ONC_BAD_REPLY;
    case WHITTLE_NET_TOO_LARGE: return WHITTLE_ONC_TOO_LARGE;
    case WHITTLE_NET_NOT_ALLOWED: return WHITTLE_ONC_NOT_ALLOWED;
    case WHITTLE_NET_OTHER_VERSION: return WHITTLE_ONC_OTHER_VERSION;
    default: return WHITTLE_ONC_LOST;
    }
}
