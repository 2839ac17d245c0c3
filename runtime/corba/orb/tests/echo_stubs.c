/* SPDX-License-Identifier: MIT-0 */
/* The client's side of Test::Echo, as a compiler would write it. */
#include "echo.h"

enum kind { NOTHING, NUMBER, NUMBERS, TEXT, BYTES, OBJECT, WIDE };
/* What goes in and comes out, by kinds, so that one function does for all operations. */
struct argument {
    enum kind kind;
    const void *value;
};

static char *put(struct whittle_cdr_out *out, char *at, const struct argument *argument)
{
    const Test_Numbers *const longs = (const Test_Numbers *)argument->value;
    const Test_Octets *const bytes = (const Test_Octets *)argument->value;
    switch (argument->kind) {
    case NOTHING: return at;
    case NUMBER:
        return send_words(out, whittle_cdr_out_align(out, at, 4), argument->value, 1);
    case NUMBERS:
        at = send_words(out, whittle_cdr_out_align(out, at, 4), &longs->_length, 1);
        return send_words(out, at, longs->_buffer, longs->_length);
    case BYTES:
        /* By portions, as stubs of many parameters would. */
        at = send_words(out, whittle_cdr_out_align(out, at, 4), &bytes->_length, 1);
        for (uint32_t done = 0, size; at != NULL && done < bytes->_length; done += size) {
            size = bytes->_length - done < 50001 ? bytes->_length - done : 50001;
            at = whittle_cdr_out_bytes(out, at, bytes->_buffer + done, size);
        }
        return at;
    case TEXT:
        return send_text(out, whittle_cdr_out_align(out, at, 4), (const char *)argument->value);
    case OBJECT: return whittle_cdr_out_object(out, at, (const CORBA_Object *)argument->value);
    case WIDE: return whittle_cdr_out_wstring(out, at, (CORBA_wchar *const *)argument->value, 0);
    }
    return NULL;
}

static uint32_t word(const char *at, bool swapped)
{
    uint32_t value;
    memcpy(&value, at, 4);
    return swapped ? __builtin_bswap32(value) : value;
}

static const char *get_longs(struct whittle_call *call, const char *at, Test_Numbers **slot)
{
    at = whittle_cdr_in_align_and(&call->in, at, 4, 4);
    *slot = at == NULL ? NULL : CORBA_sequence_CORBA_long__alloc();
    if (*slot == NULL)
        return NULL;
    const uint32_t count = word(at, call->swapped);
    **slot = (Test_Numbers){count, count, NULL, CORBA_TRUE};
    return call->swapped ? whittle_cdr_in_counted_swapped32(&call->in, at + 4, &(*slot)->_buffer, count, 1)
                         : whittle_cdr_in_counted_order8(&call->in, at + 4, &(*slot)->_buffer, count, 4, 4);
}

static const char *get_bytes(struct whittle_call *call, const char *at, Test_Octets **slot)
{
    at = whittle_cdr_in_align_and(&call->in, at, 4, 4);
    *slot = at == NULL ? NULL : CORBA_sequence_CORBA_octet__alloc();
    if (*slot == NULL)
        return NULL;
    const uint32_t count = word(at, call->swapped);
    **slot = (Test_Octets){count, count, NULL, CORBA_TRUE};
    return whittle_cdr_in_counted_bytes(&call->in, at + 4, &(*slot)->_buffer, count);
}

static const char *get_text(struct whittle_call *call, const char *at, char **slot)
{
    at = whittle_cdr_in_align_and(&call->in, at, 4, 4);
    return at == NULL ? NULL : whittle_cdr_in_text(&call->in, at + 4, slot, word(at, call->swapped), UINT32_MAX, 1, 0);
}

static const char *get(struct whittle_call *call, const char *at, enum kind kind, void *slot)
{
    uint32_t value;
    switch (kind) {
    case NOTHING: return at;
    case NUMBER:
        at = whittle_cdr_in_align_and(&call->in, at, 4, 4);
        if (at == NULL)
            return NULL;
        value = word(at, call->swapped);
        memcpy(slot, &value, 4);
        return at + 4;
    case NUMBERS: return get_longs(call, at, (Test_Numbers **)slot);
    case BYTES: return get_bytes(call, at, (Test_Octets **)slot);
    case TEXT: return get_text(call, at, (char **)slot);
    case OBJECT: return whittle_cdr_in_object(&call->in, at, (CORBA_Object *)slot, call->swapped);
    case WIDE: return whittle_cdr_in_wstring(&call->in, at, (CORBA_wchar **)slot, 0, call->swapped);
    }
    return NULL;
}

static void refused_release(void *item)
{
    CORBA_free(((Test_Refused *)item)->why);
}

Test_Refused *Test_Refused__alloc(void)
{
    return (Test_Refused *)whittle_corba_new(sizeof(Test_Refused), 1, refused_release);
}

static const char *get_exception(struct whittle_call *call, CORBA_Environment *ev)
{
    if (strcmp(call->exception, ex_Test_Refused) != 0) {
        whittle_call_unknown(call, ev);
        return call->at;
    }
    Test_Refused *const refused = Test_Refused__alloc();
    const char *at = get_text(call, call->at, &refused->why);
    at = at == NULL ? NULL : get(call, at, NUMBER, &refused->code);
    if (at == NULL)
        CORBA_free(refused);
    else
        CORBA_exception_set(ev, CORBA_USER_EXCEPTION, ex_Test_Refused, refused);
    return at;
}

static void ask(Test_Echo echo, const char *operation, bool waits, const struct argument *arguments, int count, enum kind kind, void *slot,
                CORBA_Environment *ev)
{
    struct whittle_call call = WHITTLE_NEW_CALL;
    enum whittle_answer answer;
    do {
        char *at = whittle_call_begin(&call, echo, operation, (uint32_t)strlen(operation) + 1, waits, ev);
        for (int index = 0; index < count; index++)
            at = at == NULL ? NULL : put(&call.out, at, &arguments[index]);
        answer = whittle_call_send(&call, at, ev);
    } while (answer == WHITTLE_ANSWER_AGAIN);
    if (answer == WHITTLE_ANSWER_RESULT)
        whittle_call_unmarshalled(&call, get(&call, call.at, kind, slot), ev);
    else if (answer == WHITTLE_ANSWER_EXCEPTION)
        whittle_call_unmarshalled(&call, get_exception(&call, ev), ev);
    whittle_call_end(&call);
}

void Test_Echo_nothing(Test_Echo echo, CORBA_Environment *ev)
{
    ask(echo, "nothing", true, NULL, 0, NOTHING, NULL, ev);
}

CORBA_long Test_Echo_add(Test_Echo echo, CORBA_long left, CORBA_long right, CORBA_Environment *ev)
{
    const struct argument arguments[] = {{NUMBER, &left}, {NUMBER, &right}};
    CORBA_long sum = 0;
    ask(echo, "add", true, arguments, 2, NUMBER, &sum, ev);
    return sum;
}

Test_Octets *Test_Echo_bytes(Test_Echo echo, const Test_Octets *given, CORBA_Environment *ev)
{
    const struct argument argument = {BYTES, given};
    Test_Octets *bytes = NULL;
    ask(echo, "bytes", true, &argument, 1, BYTES, &bytes, ev);
    return bytes;
}

CORBA_long Test_Echo_sum(Test_Echo echo, const Test_Numbers *given, CORBA_Environment *ev)
{
    const struct argument argument = {NUMBERS, given};
    CORBA_long sum = 0;
    ask(echo, "sum", true, &argument, 1, NUMBER, &sum, ev);
    return sum;
}

Test_Numbers *Test_Echo_series(Test_Echo echo, CORBA_long count, CORBA_Environment *ev)
{
    const struct argument argument = {NUMBER, &count};
    Test_Numbers *longs = NULL;
    ask(echo, "series", true, &argument, 1, NUMBERS, &longs, ev);
    return longs;
}

CORBA_char *Test_Echo_greet(Test_Echo echo, const CORBA_char *name, CORBA_Environment *ev)
{
    const struct argument argument = {TEXT, name};
    CORBA_char *text = NULL;
    ask(echo, "greet", true, &argument, 1, TEXT, &text, ev);
    return text;
}

void Test_Echo_note(Test_Echo echo, CORBA_long value, CORBA_Environment *ev)
{
    const struct argument argument = {NUMBER, &value};
    ask(echo, "note", false, &argument, 1, NOTHING, NULL, ev);
}

CORBA_long Test_Echo_noted(Test_Echo echo, CORBA_Environment *ev)
{
    CORBA_long noted = 0;
    ask(echo, "noted", true, NULL, 0, NUMBER, &noted, ev);
    return noted;
}

Test_Echo Test_Echo_self(Test_Echo echo, CORBA_Environment *ev)
{
    Test_Echo self = CORBA_OBJECT_NIL;
    ask(echo, "self", true, NULL, 0, OBJECT, &self, ev);
    return self;
}

Test_Echo Test_Echo_pass(Test_Echo echo, Test_Echo given, CORBA_Environment *ev)
{
    const struct argument argument = {OBJECT, &given};
    Test_Echo passed = CORBA_OBJECT_NIL;
    ask(echo, "pass", true, &argument, 1, OBJECT, &passed, ev);
    return passed;
}

void Test_Echo_pause(Test_Echo echo, CORBA_unsigned_long milliseconds, CORBA_Environment *ev)
{
    const struct argument argument = {NUMBER, &milliseconds};
    ask(echo, "pause", true, &argument, 1, NOTHING, NULL, ev);
}

CORBA_long Test_Echo_back(Test_Echo echo, Test_Echo other, CORBA_long depth, CORBA_Environment *ev)
{
    const struct argument arguments[] = {{OBJECT, &other}, {NUMBER, &depth}};
    CORBA_long reached = 0;
    ask(echo, "back", true, arguments, 2, NUMBER, &reached, ev);
    return reached;
}

CORBA_wchar *Test_Echo_wide(Test_Echo echo, const CORBA_wchar *given, CORBA_Environment *ev)
{
    const struct argument argument = {WIDE, &given};
    CORBA_wchar *text = NULL;
    ask(echo, "wide", true, &argument, 1, WIDE, &text, ev);
    return text;
}

void Test_Echo_stop(Test_Echo echo, CORBA_Environment *ev)
{
    ask(echo, "stop", false, NULL, 0, NOTHING, NULL, ev);
}

void Test_Echo_missing(Test_Echo echo, CORBA_Environment *ev)
{
    ask(echo, "missing", true, NULL, 0, NOTHING, NULL, ev);
}
