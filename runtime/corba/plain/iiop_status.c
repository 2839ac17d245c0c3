/* SPDX-License-Identifier: MIT-0 */
/* What became of a call: system exceptions as numbers, and in words. */
#include "exceptions.h"
#include "iiop_parts.h"
#include <stdlib.h>

/* In the order of their numbers, from -1 on. */
#define WHITTLE_IIOP_ID(name) ex_CORBA_##name,
static const char *const whittle_iiop_ids[] = {WHITTLE_SYSTEM_EXCEPTIONS(WHITTLE_IIOP_ID)};
#undef WHITTLE_IIOP_ID
static const char *const whittle_iiop_texts[] = {
    "the server failed and gives no reason",
    "an argument is invalid",
    "out of memory",
    "an implementation limit was exceeded",
    "the connection was lost before the reply came",
    "the object reference is nil or malformed",
    "the caller has no permission for the operation",
    "internal error of an ORB",
    "a value or message cannot be encoded or decoded",
    "the ORB cannot be initialized, or cannot listen",
    "the operation is not implemented",
    "a type code is invalid",
    "the object does not have this operation",
    "the server is short of a resource",
    "no reply has arrived yet",
    "the object's persistent state cannot be read or written",
    "the operations were called in the wrong order",
    "no server listens at the object's address, or it cannot accept the call now",
    "memory cannot be freed",
    "an identifier is malformed",
    "a flag is invalid",
    "the interface repository failed",
    "a context object is invalid",
    "the server's object adapter failed",
    "a value cannot be converted",
    "the object does not exist",
    "the object requires a transaction",
    "the transaction was rolled back",
    "the transaction is invalid",
    "the policies are incompatible",
    "caller and object have no code set in common",
    "the object has moved, and the caller does not follow forwards",
    "the call timed out",
    "transactions are not available",
    "the transaction mode does not match the object",
    "the requested quality of service is not available",
    "the activity is invalid",
    "the activity has completed",
    "the object requires an activity",
    "the serving thread was cancelled",
};
enum { WHITTLE_IIOP_STATUSES = sizeof whittle_iiop_ids / sizeof whittle_iiop_ids[0] };
_Static_assert(WHITTLE_IIOP_STATUSES == sizeof whittle_iiop_texts / sizeof whittle_iiop_texts[0], "each has words");
_Static_assert(WHITTLE_IIOP_STATUSES == -WHITTLE_IIOP_THREAD_CANCELLED, "each has a number");

static __thread struct whittle_iiop_failure whittle_iiop_last;

const char *whittle_iiop_text(int status)
{
    if (status == WHITTLE_IIOP_OK)
        return "the call succeeded";
    return status < 0 && status >= -WHITTLE_IIOP_STATUSES ? whittle_iiop_texts[-status - 1] : "no status of a call";
}

struct whittle_iiop_failure whittle_iiop_failure(void)
{
    return whittle_iiop_last;
}

int whittle_iiop_fail(int status, uint32_t minor, enum whittle_iiop_completed completed)
{
    whittle_iiop_last = (struct whittle_iiop_failure){status, minor, completed};
    return status;
}

int whittle_iiop_status_of(CORBA_Environment *ev)
{
    if (ev->_major == CORBA_NO_EXCEPTION)
        return 0;
    const CORBA_SystemException said = ev->_major == CORBA_SYSTEM_EXCEPTION ? ev->_system : (CORBA_SystemException){0, CORBA_COMPLETED_MAYBE};
    int index = 0;
    for (int each = 0; ev->_major == CORBA_SYSTEM_EXCEPTION && each < WHITTLE_IIOP_STATUSES; each++)
        if (strcmp(ev->_id, whittle_iiop_ids[each]) == 0)
            index = each;
    CORBA_exception_free(ev);
    return whittle_iiop_fail(-index - 1, said.minor, (enum whittle_iiop_completed)said.completed);
}

void whittle_iiop_call_begins(void)
{
    whittle_iiop_last.status = 0;
}

/* A number that is none, or no exception of the operation's, is UNKNOWN. */
void whittle_iiop_refuse(struct whittle_request *request, int status)
{
    const struct whittle_iiop_failure *const last = &whittle_iiop_last;
    const bool known = status < 0 && status >= -WHITTLE_IIOP_STATUSES, recorded = known && last->status == status;
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    whittle_exception_system(&ev, known ? whittle_iiop_ids[-status - 1] : ex_CORBA_UNKNOWN, recorded ? last->minor : 0,
                             recorded ? (CORBA_completion_status)last->completed : CORBA_COMPLETED_MAYBE);
    whittle_reply_system(request, &ev);
}
