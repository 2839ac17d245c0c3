/*
 * Messages that nobody wrote: random types with random values, then some of their bytes changed. Whatever is accepted
 * must go out and come in again as the same; whatever is refused must leave nothing behind (the sanitizers watch).
 * Argument: how many.
 */
#include "random_values.h"

static void change_bytes(void)
{
    for (uint32_t changes = random_below(4); changes > 0 && size > 0; changes--)
        bytes[random_below((uint32_t)size)] = (char)(random_below(2) ? random_below(256) : random_below(2) ? 255 : 0);
    if (random_below(4) == 0)
        size = random_below((uint32_t)size + 1);
}

/* Out and in again. */
static void check_any(const CORBA_any *any)
{
    struct message first, second;
    CORBA_any read, copy;
    message_begin(&first, random_below(8));
    first.at = whittle_cdr_out_any(&first.out, first.at, any);
    const size_t written = message_size(&first);
    struct whittle_cdr_in in = reads(first.out.base, written);
    CHECK(whittle_cdr_in_any(&in, in.base, &read, false) == in.base + written);
    CHECK(CORBA_any__copy(&copy, &read));
    message_begin(&second, 0);
    second.at = whittle_cdr_out_any(&second.out, second.at, &copy);
    CHECK(message_size(&second) == written && memcmp(first.out.base, second.out.base, written) == 0);
    whittle_release_any(&copy);
    whittle_release_any(&read);
    message_end(&second);
    message_end(&first);
}

static bool try_any(bool is_served)
{
    char *const there = exactly(bytes, size);
    struct whittle_cdr_in in = is_served ? serves(there, size) : reads(there, size);
    CORBA_any any;
    const bool is_read = whittle_cdr_in_any(&in, there, &any, is_little != host_is_little()) != NULL;
    if (is_read)
        check_any(&any);
    else
        CHECK(any._type == NULL && any._value == NULL);
    if (!is_served)
        whittle_release_any(&any);
    serve_end();
    free(there);
    return is_read;
}

static bool try_type(void)
{
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    struct whittle_cdr_in in = reads(bytes, size);
    CORBA_TypeCode type, again;
    if (whittle_cdr_in_typecode(&in, bytes, &type, is_little != host_is_little()) == NULL)
        return false;
    struct message message;
    message_begin(&message, 0);
    message.at = whittle_cdr_out_typecode(&message.out, message.at, &type);
    in = reads(message.out.base, message_size(&message));
    CHECK(whittle_cdr_in_typecode(&in, in.base, &again, false) == in.end);
    CHECK(CORBA_TypeCode_equal(type, again, &ev) && CORBA_TypeCode_equivalent(again, type, &ev));
    whittle_release_typecode(&type);
    whittle_release_typecode(&again);
    message_end(&message);
    return true;
}

int main(int count, char **arguments)
{
    const long inputs = count > 1 ? atol(arguments[1]) : 20000;
    long types = 0, anys = 0, changed = 0;
    for (long input = 0; input < inputs; input++) {
        put_type(false);
        types += try_type();
        put_value();
        anys += try_any(random_below(4) == 0);
        change_bytes();
        changed += try_any(false);
        try_type();
        CHECK(objects == 0);
    }
    printf("%ld inputs: %ld types, %ld values, %ld changed values accepted\n", inputs, types, anys, changed);
    CHECK(types > inputs / 2 && anys > inputs / 10 && changed > inputs / 50);
    return 0;
}
