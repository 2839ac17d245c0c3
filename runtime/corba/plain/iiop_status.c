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
    "the server failed, and does not say how",
    "an argument is not what it may be",
    "there is no memory left",
    "it is more than somebody on the way can do",
    "the connection was lost before the reply came",
    "the reference is none, or names nothing that can be called",
    "the server does not let the caller do that",
    "an ORB is at fault",
    "an argument, a result or a message is not of its type",
    "there is no ORB, or it cannot listen",
    "the object has nothing behind the operation",
    "a type's description is at fault",
    "the object does not have the operation",
    "the server has not enough of something left",
    "no reply has come yet",
    "what keeps the object's state failed",
    "that cannot be done at this time",
    "nobody listens at the object's address, or the server cannot take the call now",
    "memory cannot be freed",
    "an identifier is not well-formed",
    "a flag is not one that can be",
    "the interface repository failed",
    "a context is not what it may be",
    "the server's object adapter failed",
    "a value cannot be converted on the way",
    "there is no such object at the server",
    "the object wants a transaction",
    "the transaction was rolled back",
    "the transaction is none",
    "policies contradict each other",
    "caller and object have no code set in common",
    "the object is elsewhere, and the caller does not follow",
    "no reply came in time",
    "the server has no transactions now",
    "the transaction is of another kind than the object wants",
    "the quality that is asked for cannot be had",
    "the activity is none",
    "the activity is over",
    "the object wants an activity",
    "the thread that served was cancelled",
};
enum { WHITTLE_IIOP_STATUSES = sizeof whittle_iiop_ids / sizeof whittle_iiop_ids[0] };
_Static_assert(WHITTLE_IIOP_STATUSES == sizeof whittle_iiop_texts / sizeof whittle_iiop_texts[0], "each has words");
_Static_assert(WHITTLE_IIOP_STATUSES == -WHITTLE_IIOP_THREAD_CANCELLED, "each has a number");

static _Thread_local struct whittle_iiop_failure whittle_iiop_last;

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
    const bool known = status < 0 && status >= -WHITTLE_IIOP_STATUSES, told = known && last->status == status;
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    whittle_exception_system(&ev, known ? whittle_iiop_ids[-status - 1] : ex_CORBA_UNKNOWN, told ? last->minor : 0,
                             told ? (CORBA_completion_status)last->completed : CORBA_COMPLETED_MAYBE);
    whittle_reply_system(request, &ev);
}
