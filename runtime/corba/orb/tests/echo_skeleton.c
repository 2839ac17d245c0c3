/* SPDX-License-Identifier: MIT-0 */
/* The server's side of Test::Echo, as a compiler would write it, and a servant. */
#include "echo.h"
#include "marshal.h"
#include <time.h>

static const char *take_number(struct whittle_request *request, const char *at, CORBA_long *value)
{
    uint32_t word;
    at = at == NULL ? NULL : whittle_cdr_in_align_and(&request->in, at, 4, 4);
    if (at == NULL)
        return NULL;
    memcpy(&word, at, 4);
    word = request->swapped ? __builtin_bswap32(word) : word;
    memcpy(value, &word, 4);
    return at + 4;
}

static char *give_number(struct whittle_request *request, char *at, CORBA_long value)
{
    at = at == NULL ? NULL : whittle_cdr_out_align(&request->out, at, 4);
    return send_words(&request->out, at, &value, 1);
}

/* System exceptions as they are, Refused with its members. */
static void fail(struct whittle_request *request, CORBA_Environment *ev)
{
    if (ev->_major != CORBA_USER_EXCEPTION || strcmp(CORBA_exception_id(ev), ex_Test_Refused) != 0) {
        whittle_reply_system(request, ev);
    } else {
        const Test_Refused *const refused = (const Test_Refused *)CORBA_exception_value(ev);
        char *to = whittle_reply_begin(request, WHITTLE_ANSWER_EXCEPTION);
        to = whittle_reply_id(request, to, ex_Test_Refused, sizeof ex_Test_Refused);
        to = to == NULL ? NULL : whittle_cdr_out_align(&request->out, to, 4);
        to = send_text(&request->out, to, refused->why);
        whittle_reply_end(request, give_number(request, to, refused->code));
    }
    CORBA_exception_free(ev);
}

static bool good(struct whittle_request *request, CORBA_Environment *ev)
{
    if (ev->_major == CORBA_NO_EXCEPTION)
        return true;
    fail(request, ev);
    return false;
}

static POA_Test_Echo__epv *epv(PortableServer_Servant servant)
{
    return ((POA_Test_Echo *)servant)->vepv->Test_Echo_epv;
}

static void serve_nothing(PortableServer_Servant servant, struct whittle_request *request, CORBA_Environment *ev)
{
    epv(servant)->nothing(servant, ev);
    if (good(request, ev))
        whittle_reply_end(request, whittle_reply_begin(request, WHITTLE_ANSWER_RESULT));
}

static void give_result(struct whittle_request *request, CORBA_long result, CORBA_Environment *ev)
{
    if (good(request, ev))
        whittle_reply_end(request, give_number(request, whittle_reply_begin(request, WHITTLE_ANSWER_RESULT), result));
}

static void serve_add(PortableServer_Servant servant, struct whittle_request *request, CORBA_Environment *ev)
{
    CORBA_long left, right;
    if (take_number(request, take_number(request, request->at, &left), &right) == NULL)
        whittle_request_marshal(request);
    else
        give_result(request, epv(servant)->add(servant, left, right, ev), ev);
}

static void serve_bytes(PortableServer_Servant servant, struct whittle_request *request, CORBA_Environment *ev)
{
    CORBA_long count;
    Test_Octets given = {0};
    const char *at = take_number(request, request->at, &count);
    at = at == NULL ? NULL : whittle_cdr_in_counted_bytes(&request->in, at, &given._buffer, (uint32_t)count);
    if (at == NULL) {
        whittle_request_marshal(request);
        return;
    }
    given._length = given._maximum = (uint32_t)count;
    Test_Octets *const result = epv(servant)->bytes(servant, &given, ev);
    if (good(request, ev)) {
        char *to = give_number(request, whittle_reply_begin(request, WHITTLE_ANSWER_RESULT), (CORBA_long)result->_length);
        whittle_reply_end(request, to == NULL ? NULL : whittle_cdr_out_bytes(&request->out, to, result->_buffer, result->_length));
        CORBA_free(result);
    }
}

static void serve_sum(PortableServer_Servant servant, struct whittle_request *request, CORBA_Environment *ev)
{
    CORBA_long count;
    Test_Numbers given = {0};
    const char *at = take_number(request, request->at, &count);
    if (at != NULL)
        at = request->swapped ? whittle_cdr_in_counted_swapped32(&request->in, at, &given._buffer, (uint32_t)count, 1)
                              : whittle_cdr_in_counted_order8(&request->in, at, &given._buffer, (uint32_t)count, 4, 4);
    given._length = given._maximum = (uint32_t)count;
    if (at == NULL)
        whittle_request_marshal(request);
    else
        give_result(request, epv(servant)->sum(servant, &given, ev), ev);
}

static void serve_series(PortableServer_Servant servant, struct whittle_request *request, CORBA_Environment *ev)
{
    CORBA_long count;
    if (take_number(request, request->at, &count) == NULL) {
        whittle_request_marshal(request);
        return;
    }
    Test_Numbers *const result = epv(servant)->series(servant, count, ev);
    if (good(request, ev)) {
        char *to = give_number(request, whittle_reply_begin(request, WHITTLE_ANSWER_RESULT), (CORBA_long)result->_length);
        whittle_reply_end(request, send_words(&request->out, to, result->_buffer, result->_length));
        CORBA_free(result);
    }
}

static void serve_greet(PortableServer_Servant servant, struct whittle_request *request, CORBA_Environment *ev)
{
    CORBA_long length;
    CORBA_char *name;
    const char *at = take_number(request, request->at, &length);
    if (at == NULL || whittle_cdr_in_text(&request->in, at, &name, (uint32_t)length, UINT32_MAX, 1, 0) == NULL) {
        whittle_request_marshal(request);
        return;
    }
    CORBA_char *const result = epv(servant)->greet(servant, name, ev);
    if (good(request, ev)) {
        char *const to = whittle_reply_begin(request, WHITTLE_ANSWER_RESULT);
        whittle_reply_end(request, send_text(&request->out, to, result));
        CORBA_free(result);
    }
}

static void serve_note(PortableServer_Servant servant, struct whittle_request *request, CORBA_Environment *ev)
{
    CORBA_long value;
    if (take_number(request, request->at, &value) != NULL)
        epv(servant)->note(servant, value, ev);
}

static void serve_noted(PortableServer_Servant servant, struct whittle_request *request, CORBA_Environment *ev)
{
    give_result(request, epv(servant)->noted(servant, ev), ev);
}

static void give_object(struct whittle_request *request, Test_Echo result, CORBA_Environment *ev)
{
    if (!good(request, ev))
        return;
    char *const to = whittle_reply_begin(request, WHITTLE_ANSWER_RESULT);
    whittle_reply_end(request, to == NULL ? NULL : whittle_cdr_out_object(&request->out, to, &result));
    CORBA_Object_release(result, ev);
}

static void serve_self(PortableServer_Servant servant, struct whittle_request *request, CORBA_Environment *ev)
{
    give_object(request, epv(servant)->self(servant, ev), ev);
}

static void serve_pass(PortableServer_Servant servant, struct whittle_request *request, CORBA_Environment *ev)
{
    Test_Echo given;
    if (whittle_cdr_in_object(&request->in, request->at, &given, request->swapped) == NULL)
        whittle_request_marshal(request);
    else
        give_object(request, epv(servant)->pass(servant, given, ev), ev);
}

static void serve_pause(PortableServer_Servant servant, struct whittle_request *request, CORBA_Environment *ev)
{
    CORBA_long milliseconds;
    if (take_number(request, request->at, &milliseconds) == NULL) {
        whittle_request_marshal(request);
        return;
    }
    epv(servant)->pause(servant, (CORBA_unsigned_long)milliseconds, ev);
    if (good(request, ev))
        whittle_reply_end(request, whittle_reply_begin(request, WHITTLE_ANSWER_RESULT));
}

static void serve_back(PortableServer_Servant servant, struct whittle_request *request, CORBA_Environment *ev)
{
    Test_Echo other;
    CORBA_long depth;
    const char *const at = whittle_cdr_in_object(&request->in, request->at, &other, request->swapped);
    if (at == NULL || take_number(request, at, &depth) == NULL)
        whittle_request_marshal(request);
    else
        give_result(request, epv(servant)->back(servant, other, depth, ev), ev);
}

static void serve_wide(PortableServer_Servant servant, struct whittle_request *request, CORBA_Environment *ev)
{
    CORBA_wchar *given = NULL;
    if (whittle_cdr_in_wstring(&request->in, request->at, &given, 0, request->swapped) == NULL) {
        whittle_request_marshal(request);
        return;
    }
    CORBA_wchar *const result = epv(servant)->wide(servant, given, ev);
    if (good(request, ev)) {
        char *const to = whittle_reply_begin(request, WHITTLE_ANSWER_RESULT);
        whittle_reply_end(request, to == NULL ? NULL : whittle_cdr_out_wstring(&request->out, to, &result, 0));
        CORBA_free(result);
    }
}

static void serve_stop(PortableServer_Servant servant, struct whittle_request *request, CORBA_Environment *ev)
{
    (void)request;
    epv(servant)->stop(servant, ev);
}

static void dispatch(PortableServer_Servant servant, struct whittle_request *request)
{
    static const struct {
        const char *name;
        void (*serve)(PortableServer_Servant servant, struct whittle_request *request, CORBA_Environment *ev);
    } operations[] = {
        {"nothing", serve_nothing}, {"add", serve_add}, {"bytes", serve_bytes}, {"sum", serve_sum}, {"series", serve_series},
        {"greet", serve_greet}, {"note", serve_note}, {"noted", serve_noted}, {"self", serve_self}, {"pass", serve_pass},
        {"pause", serve_pause}, {"back", serve_back}, {"wide", serve_wide}, {"stop", serve_stop},
    };
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    for (size_t index = 0; index < sizeof operations / sizeof operations[0]; index++)
        if (strcmp(request->operation, operations[index].name) == 0) {
            operations[index].serve(servant, request, &ev);
            CORBA_exception_free(&ev);
            return;
        }
    whittle_request_unknown(request);
}

static const struct whittle_interface interface = {
    "IDL:Test/Echo:1.0", (const char *const[]){"IDL:Test/Echo:1.0", NULL}, dispatch};

void POA_Test_Echo__init(PortableServer_Servant servant, CORBA_Environment *ev)
{
    (void)ev;
    ((POA_Test_Echo *)servant)->_private = (void *)(uintptr_t)&interface;
}

void POA_Test_Echo__fini(PortableServer_Servant servant, CORBA_Environment *ev)
{
    PortableServer_ServantBase__fini(servant, ev);
}
