/* SPDX-License-Identifier: MIT-0 */
/* What became of a call, in words and in replies. */
#include "message.h"
#include "server.h"

const char *whittle_mach_text(int status)
{
    switch (status) {
    case WHITTLE_MACH_OK: return "the call succeeded";
    case WHITTLE_MACH_NO_MEMORY: return "out of memory or ports";
    case WHITTLE_MACH_CANNOT_MARSHAL: return "an argument cannot be encoded: a pointer is NULL, or a string or array is longer than its bound";
    case WHITTLE_MACH_TOO_LARGE: return "the message is longer than the limit";
    case WHITTLE_MACH_BAD_PORT: return "no server: the port is no right to send, or its receiver is gone";
    case WHITTLE_MACH_TIMED_OUT: return "the call timed out";
    case WHITTLE_MACH_LOST: return "the server ended, or gave the call up, without a reply";
    case WHITTLE_MACH_BAD_REPLY: return "the reply is not a message of this link";
    case WHITTLE_MACH_CANNOT_UNMARSHAL: return "the results cannot be decoded";
    case WHITTLE_MACH_KERNEL: return "the kernel reports a failure";
    case WHITTLE_MACH_OPERATION_UNAVAILABLE: return "the server does not have the operation";
    case WHITTLE_MACH_GARBAGE_ARGUMENTS: return "the server cannot decode the arguments";
    case WHITTLE_MACH_SYSTEM_ERROR: return "the server reports a system error";
    default: return "unknown status";
    }
}

/* MIG's servers and loops refuse with numbers of their own. */
#define WHITTLE_MIG_BAD_ID (-303)
#define WHITTLE_MIG_BAD_ARGUMENTS (-304)

int whittle_mach_refused(const char *message)
{
    struct whittle_mach_refusal refusal;
    mach_msg_type_t expected;
    const mach_msg_header_t *const header = (const mach_msg_header_t *)(const void *)message;
    if (header->msgh_size < offsetof(struct whittle_mach_refusal, status) + sizeof refusal.status)
        return WHITTLE_MACH_BAD_REPLY;
    memcpy(&refusal, message, offsetof(struct whittle_mach_refusal, status) + sizeof refusal.status);
    expected = whittle_mach_status_type();
    if (memcmp(&refusal.type, &expected, sizeof expected) != 0)
        return WHITTLE_MACH_BAD_REPLY;
    switch (refusal.status) {
    case WHITTLE_MIG_BAD_ID:
    case WHITTLE_MACH_OPERATION_UNAVAILABLE: return WHITTLE_MACH_OPERATION_UNAVAILABLE;
    case WHITTLE_MIG_BAD_ARGUMENTS:
    case WHITTLE_MACH_GARBAGE_ARGUMENTS: return WHITTLE_MACH_GARBAGE_ARGUMENTS;
    default: return WHITTLE_MACH_SYSTEM_ERROR;
    }
}

mach_msg_type_t whittle_mach_status_type(void)
{
    mach_msg_type_t type;
    memset(&type, 0, sizeof type);
    type.msgt_name = MACH_MSG_TYPE_INTEGER_32;
    type.msgt_size = 32;
    type.msgt_number = 1;
    type.msgt_inline = 1;
    return type;
}

void whittle_mach_refuse(struct whittle_mach_request *request, int status)
{
    if (!whittle_mach_caller_waits(request->loop))
        return;
    struct whittle_mach_refusal *const refusal = (struct whittle_mach_refusal *)(void *)request->loop->reply->message;
    const bool is_known = status == WHITTLE_MACH_OPERATION_UNAVAILABLE || status == WHITTLE_MACH_GARBAGE_ARGUMENTS;
    refusal->type = whittle_mach_status_type();
    refusal->status = is_known ? status : WHITTLE_MACH_SYSTEM_ERROR;
    refusal->header.msgh_bits = 0;
    whittle_mach_address_reply(request, (mach_msg_size_t)whittle_mach_round_up(offsetof(struct whittle_mach_refusal, status) + sizeof refusal->status));
}

void whittle_mach_unknown(struct whittle_mach_request *request)
{
    whittle_mach_refuse(request, WHITTLE_MACH_OPERATION_UNAVAILABLE);
}

void whittle_mach_garbage(struct whittle_mach_request *request)
{
    whittle_mach_refuse(request, WHITTLE_MACH_GARBAGE_ARGUMENTS);
}
