/* SPDX-License-Identifier: MIT-0 */
/*
 * Calls of the server under attack by stubs in the C mapping of CORBA: over GIOP, where all clients of the process share one ORB, with
 * LINK_ONC over ONC RPC, with LINK_TIRPC by a library.
 */
#include "attack.h"
#include "calls.h"
#ifdef LINK_TIRPC
enum { ATTACKED = 0x20000bad, ATTACKED_1 = 1 };
#include "library.h"
#endif
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char last[80];
static atomic_flag last_lock = ATOMIC_FLAG_INIT;

struct calls {
    CORBA_Object object;
};

/* What is at the address; nil: nothing can be. */
static CORBA_Object object_at(const char *address, uint32_t timeout, CORBA_Environment *ev)
{
#if defined LINK_ONC
    const struct whittle_onc_client_options options = {.timeout = timeout};
    return whittle_onc_object(address, &options, ev);
#elif defined LINK_TIRPC
    CLIENT *const client = library_open(address, timeout);
    CORBA_Object const object = client == NULL ? NULL : whittle_tirpc_object(client, ev);
    if (client != NULL && object == NULL)
        clnt_destroy(client);
    return object;
#else
    static CORBA_ORB orb;
    if (orb == NULL) {
        char name[] = "client", *words[] = {name, NULL};
        int count = 1;
        orb = CORBA_ORB_init(&count, words, "", ev);
    }
    CORBA_Object const object = orb == NULL ? NULL : CORBA_ORB_string_to_object(orb, address, ev);
    if (object != NULL)
        whittle_object_timeout(object, timeout);
    return object;
#endif
}

struct calls *calls_open(const char *address, uint32_t timeout)
{
    struct calls *const calls = (struct calls *)calloc(1, sizeof *calls);
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    if (calls != NULL)
        calls->object = object_at(address, timeout, &ev);
    if (calls != NULL && ev._major == CORBA_NO_EXCEPTION && calls->object != NULL)
        return calls;
    CORBA_exception_free(&ev);
    free(calls);
    return NULL;
}

void calls_close(struct calls *calls)
{
    CORBA_Environment ev;
    if (calls == NULL)
        return;
    CORBA_exception_init(&ev);
    CORBA_Object_release(calls->object, &ev);
    free(calls);
}

static int status_of(CORBA_Environment *ev)
{
    int status = 0;
    if (ev->_major != CORBA_NO_EXCEPTION) {
        const char *const id = CORBA_exception_id(ev);
        status = id != NULL && strstr(id, "/TIMEOUT:") != NULL ? -33 : CALLS_EXCEPTION;
        if (!atomic_flag_test_and_set(&last_lock)) {
            snprintf(last, sizeof last, "%s", id == NULL ? "an exception without a name" : id);
            atomic_flag_clear(&last_lock);
        }
    }
    CORBA_exception_free(ev);
    return status;
}

int calls_nothing(struct calls *calls)
{
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    ATTACKED_ATTACKED_1_NOTHING(calls->object, &ev);
    return status_of(&ev);
}

int calls_echo(struct calls *calls, uint32_t size)
{
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    blob sent = {size, size, CORBA_sequence_CORBA_octet_allocbuf(size), CORBA_TRUE};
    if (sent._buffer == NULL)
        return -3;
    memset(sent._buffer, (int)(size % 251), size);
    blob *const got = ATTACKED_ATTACKED_1_ECHO(calls->object, &sent, &ev);
    int status = status_of(&ev);
    if (status == 0 && (got == NULL || got->_length != size || memcmp(got->_buffer, sent._buffer, size) != 0))
        status = CALLS_WRONG;
    if (status == 0 || status == CALLS_WRONG)
        CORBA_free(got);
    CORBA_free(sent._buffer);
    return status;
}

int calls_large(struct calls *calls, uint32_t size)
{
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    blob *const got = ATTACKED_ATTACKED_1_LARGE(calls->object, size, &ev);
    const int status = status_of(&ev);
    if (status != 0)
        return status;
    const bool right = got != NULL && got->_length == size;
    CORBA_free(got);
    return right ? 0 : CALLS_WRONG;
}

int calls_slow(struct calls *calls, uint32_t milliseconds)
{
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    const CORBA_unsigned_long result = ATTACKED_ATTACKED_1_SLOW(calls->object, milliseconds, &ev);
    const int status = status_of(&ev);
    return status == 0 && result != milliseconds ? CALLS_WRONG : status;
}

int calls_is_a(struct calls *calls)
{
#if defined LINK_ONC || defined LINK_TIRPC
    (void)calls;
    return CALLS_ABSENT;
#else
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    const CORBA_boolean yes = CORBA_Object_is_a(calls->object, "IDL:Other/Than/It/Is:1.0", &ev);
    const int status = status_of(&ev);
    return status != 0 ? status : yes ? 1 : 0;
#endif
}

const char *calls_text(int status)
{
    return status == 0 ? "done" : status == CALLS_WRONG ? "another result than is right" : last;
}

bool calls_timed_out(int status)
{
    return status == -33;
}
