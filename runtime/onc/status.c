/* SPDX-License-Identifier: MIT-0 */
/* What became of a call, in words. */
#include "client.h"

/* RFC 5531, section 9: auth_stat. */
static const char *whittle_onc_auth_text(int status)
{
    static const char *const texts[] = {
        "the server does not accept the caller, and says no reason",
        "the server cannot read the credential",
        "the server does not take the credential any more: a new one is needed",
        "the server cannot read the verifier",
        "the verifier has expired, or was seen before",
        "the server wants to know more surely who calls",
        "the server's verifier is wrong",
        "the server does not accept the caller",
        "the server does not accept the caller: Kerberos failed",
        "the server does not accept the caller: the credential's time is over",
        "the server does not accept the caller: there is something wrong with the ticket's file",
        "the server does not accept the caller: it cannot read the authenticator",
        "the server does not accept the caller: the ticket is for another network address",
        "the server has no such RPCSEC_GSS credential",
        "the server has no such RPCSEC_GSS context",
    };
    const unsigned reason = (unsigned)(WHITTLE_ONC_AUTH_FAILED_SO - status);
    return reason < sizeof texts / sizeof texts[0] ? texts[reason] : "the server does not accept the caller, for an unknown reason";
}

const char *whittle_onc_text(int status)
{
    if (status <= WHITTLE_ONC_AUTH_FAILED_SO && status > WHITTLE_ONC_CANNOT_LISTEN)
        return whittle_onc_auth_text(status);
    switch (status) {
    case WHITTLE_ONC_OK: return "the call succeeded";
    case WHITTLE_ONC_NO_MEMORY: return "there is no memory, or no descriptor, left";
    case WHITTLE_ONC_CANNOT_MARSHAL: return "an argument is not as its type says: a pointer is missing, or something is too long";
    case WHITTLE_ONC_TOO_LARGE: return "the message is longer than it may be";
    case WHITTLE_ONC_BAD_ADDRESS: return "this is no address: tcp://host:port, udp://host:port, unix:/path, or a host alone, is expected";
    case WHITTLE_ONC_UNKNOWN_HOST: return "the host is not known";
    case WHITTLE_ONC_REFUSED: return "nobody listens at the server's address";
    case WHITTLE_ONC_UNREACHABLE: return "the server's address cannot be reached";
    case WHITTLE_ONC_NOT_REGISTERED: return "the server's rpcbind knows of no such program";
    case WHITTLE_ONC_NO_RPCBIND: return "rpcbind does not answer: it tells the port where an address names none";
    case WHITTLE_ONC_TIMED_OUT: return "no reply came in time";
    case WHITTLE_ONC_LOST: return "the connection was lost before the reply came";
    case WHITTLE_ONC_CANCELLED: return "the call was cancelled";
    case WHITTLE_ONC_BAD_REPLY: return "the reply is none of RFC 5531";
    case WHITTLE_ONC_CANNOT_UNMARSHAL: return "the results are not of their types";
    case WHITTLE_ONC_RPC_MISMATCH: return "the server understands other versions of RPC";
    case WHITTLE_ONC_PROGRAM_UNAVAILABLE: return "the server does not have the program";
    case WHITTLE_ONC_PROGRAM_MISMATCH: return "the server has other versions of the program";
    case WHITTLE_ONC_PROCEDURE_UNAVAILABLE: return "the server's program does not have the procedure";
    case WHITTLE_ONC_GARBAGE_ARGUMENTS: return "the server cannot read the arguments";
    case WHITTLE_ONC_SYSTEM_ERROR: return "the server failed";
    case WHITTLE_ONC_CANNOT_LISTEN: return "the server cannot listen at the address";
    case WHITTLE_ONC_CANNOT_REGISTER: return "rpcbind does not take the server's programs";
    default: return "no status of a call";
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
    default: return WHITTLE_ONC_LOST;
    }
}
