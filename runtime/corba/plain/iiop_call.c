/* SPDX-License-Identifier: MIT-0 */
/* One call, for a generated function: the ORB's call with the environment that it says failures in. */
#include "charge.h"
#include "iiop_parts.h"
#include <stdlib.h>

__thread CORBA_ORB whittle_iiop_calling;

void *whittle_iiop_heap(struct whittle_cdr_in *in, size_t size, uint32_t count, void (*release)(void *item))
{
    if ((size != 0 && count > (SIZE_MAX / 4) / size) || !whittle_account_take(in->account, size * count))
        return NULL;
    return release == NULL ? malloc(size * count) : calloc(count, size);
}

void whittle_iiop_open(struct whittle_iiop_call *call, struct whittle_iiop_client *client)
{
    call->giop = (struct whittle_call)WHITTLE_NEW_CALL;
    call->client = client;
    whittle_iiop_calling = whittle_reference_of(client->object)->orb;
    call->lent = NULL;
    CORBA_exception_init(&call->ev);
}

char *whittle_iiop_begin(struct whittle_iiop_call *call, const char *operation, uint32_t size, bool waits)
{
    return whittle_call_begin(&call->giop, call->client->object, operation, size, waits, &call->ev);
}

enum whittle_answer whittle_iiop_send(struct whittle_iiop_call *call, char *at)
{
    const enum whittle_answer answer = whittle_call_send(&call->giop, at, &call->ev);
    call->giop.in.allocate = whittle_iiop_heap;
    return answer;
}

void whittle_iiop_unexpected(struct whittle_iiop_call *call)
{
    whittle_call_unknown(&call->giop, &call->ev);
}

int whittle_iiop_end(struct whittle_iiop_call *call, const char *at, int raised)
{
    whittle_call_unmarshalled(&call->giop, at, &call->ev);
    whittle_call_end(&call->giop);
    const int failed = whittle_iiop_status_of(&call->ev);
    return failed != 0 ? failed : raised;
}

int whittle_iiop_posted(struct whittle_iiop_call *call)
{
    whittle_call_end(&call->giop);
    return whittle_iiop_status_of(&call->ev);
}
