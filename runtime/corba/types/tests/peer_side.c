/* Our side of the test against omniORB. */
#include "peer_side.h"
#include "random_values.h"

WHITTLE_FIXED(31, 10)

static size_t write_any(const CORBA_any *any, char *written, size_t room)
{
    struct whittle_cdr_out out = {.base = written, .end = written + room};
    char *const end = whittle_cdr_out_any(&out, written, any);
    CHECK(end != NULL);
    return (size_t)(end - written);
}

size_t random_any(char *message, size_t room)
{
    CORBA_any any;
    const char *end = NULL;
    while (end == NULL) {
        put_type(true);
        put_value();
        struct whittle_cdr_in in = reads(bytes, size);
        end = whittle_cdr_in_any(&in, bytes, &any, is_little != host_is_little());
    }
    const size_t length = write_any(&any, message, room);
    whittle_release_any(&any);
    return length;
}

size_t any_again(const char *message, size_t length, int is_swapped, char *written, size_t room)
{
    CORBA_any any;
    struct whittle_cdr_in in = reads(message, length);
    if (whittle_cdr_in_any(&in, message, &any, is_swapped) != in.end) {
        whittle_release_any(&any);
        return 0;
    }
    const size_t again = write_any(&any, written, room);
    whittle_release_any(&any);
    return again;
}

size_t reckoned(const char *one, const char *other, int digits, int scale, char op, char *result)
{
    struct { CORBA_unsigned_short digits; CORBA_short scale; char value[16]; } first, second;
    CORBA_fixed_31_10 made = {31, 10, {0}};
    struct whittle_cdr_in in = reads(one, 16);
    CHECK(whittle_cdr_in_fixed(&in, one, &first, (uint32_t)digits, scale, false) != NULL);
    in = reads(other, 16);
    CHECK(whittle_cdr_in_fixed(&in, other, &second, (uint32_t)digits, scale, false) != NULL);
    CORBA_boolean (*const reckon)(void *, const void *, const void *) =
        op == '+' ? CORBA_fixed_add : op == '-' ? CORBA_fixed_sub : op == '*' ? CORBA_fixed_mul : CORBA_fixed_div;
    if (!reckon(&made, &first, &second))
        return 0;
    struct whittle_cdr_out out = {.base = result, .end = result + 16};
    return (size_t)(whittle_cdr_out_fixed(&out, result, &made, 31, 10) - result);
}
