/* SPDX-License-Identifier: MIT-0 */
/* What every object can be asked: what it is, whether it is, and where. Source: CORBA 3.3 part 1, section 8.3; part 2, section 9.4.5. */
#include "parts.h"

/* An operation that gives a boolean, with one string or nothing to it. */
static bool whittle_ask(CORBA_Object object, const char *operation, uint32_t size, const char *text, CORBA_Environment *ev)
{
    struct whittle_call call = WHITTLE_NEW_CALL;
    enum whittle_answer answer;
    bool result = false;
    do {
        char *at = whittle_call_begin(&call, object, operation, size, true, ev);
        const size_t length = text == NULL ? 0 : strlen(text) + 1;
        at = at == NULL || text == NULL ? at : whittle_cdr_out_need(&call.out, at, length + 4);
        if (at != NULL && text != NULL) {
            whittle_poke32(at, (uint32_t)length);
            memcpy(at + 4, text, length);
            at += 4 + length;
        }
        answer = whittle_call_send(&call, at, ev);
    } while (answer == WHITTLE_ANSWER_AGAIN);
    if (answer == WHITTLE_ANSWER_RESULT) {
        const char *const at = whittle_cdr_in_need(&call.in, call.at, 1);
        result = at != NULL && *at != 0;
        whittle_call_unmarshalled(&call, at, ev);
    } else if (answer == WHITTLE_ANSWER_EXCEPTION) {
        whittle_call_unknown(&call, ev);
    }
    whittle_call_end(&call);
    return result;
}

CORBA_boolean CORBA_Object_is_a(CORBA_Object object, const CORBA_char *repository_id, CORBA_Environment *ev)
{
    const struct whittle_reference *const reference = whittle_reference_of(object);
    if (reference != NULL && strcmp(reference->repository_id, repository_id) == 0)
        return true;
    return whittle_ask(object, "_is_a", sizeof "_is_a", repository_id, ev);
}

CORBA_boolean CORBA_Object_non_existent(CORBA_Object object, CORBA_Environment *ev)
{
    if (object == NULL)
        return true;
    const bool gone = whittle_ask(object, "_non_existent", sizeof "_non_existent", NULL, ev);
    if (ev->_major != CORBA_SYSTEM_EXCEPTION || strcmp(ev->_id, ex_CORBA_OBJECT_NOT_EXIST) != 0)
        return gone;
    CORBA_exception_free(ev);
    return true;
}

CORBA_boolean whittle_object_locate(CORBA_Object object, CORBA_Environment *ev)
{
    struct whittle_call call = WHITTLE_NEW_CALL;
    enum whittle_answer answer;
    do {
        char *const at = whittle_call_begin(&call, object, NULL, 0, true, ev);
        answer = whittle_call_send(&call, at, ev);
    } while (answer == WHITTLE_ANSWER_AGAIN);
    whittle_call_end(&call);
    if (answer == WHITTLE_ANSWER_FAILED && strcmp(ev->_id, ex_CORBA_OBJECT_NOT_EXIST) == 0)
        CORBA_exception_free(ev);
    return answer == WHITTLE_ANSWER_RESULT;
}
