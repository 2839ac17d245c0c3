/* Fixed-point numbers: reckoning, and their octets, which are the same in both orders. Long doubles: binary128. */
#include "common.h"
#include <math.h>

WHITTLE_FIXED(5, 2)
WHITTLE_FIXED(6, 2)
WHITTLE_FIXED(15, 5)
WHITTLE_FIXED(31, 0)
WHITTLE_FIXED(31, 31)

static CORBA_fixed_15_5 number(CORBA_long integer_part, CORBA_long fraction_part)
{
    CORBA_fixed_15_5 made = {15u, 5, {0}};
    CHECK(CORBA_fixed_set(&made, integer_part, fraction_part));
    return made;
}

static void check_number(const void *fixed, CORBA_long integer_part, CORBA_long fraction_part)
{
    CHECK(CORBA_fixed_integer_part(fixed) == integer_part);
    CHECK(CORBA_fixed_fraction_part(fixed) == fraction_part);
}

static void test_parts(void)
{
    CORBA_fixed_15_5 zero = {15u, 5, {0}}, made = number(-12, 50000);
    check_number(&zero, 0, 0);
    check_number(&made, -12, -50000);
    made = number(0, -7);
    check_number(&made, 0, -7);
    made = number(INT32_MIN, 99999);
    check_number(&made, INT32_MIN, -99999);
    CHECK(!CORBA_fixed_set(&made, 1, 100000));
    check_number(&made, INT32_MIN, -99999);
    CORBA_fixed_5_2 small = {5, 2, {0}};
    CHECK(CORBA_fixed_set(&small, 999, 99) && !CORBA_fixed_set(&small, 1000, 0));
    check_number(&small, 999, 99);
}

static void test_reckoning(void)
{
    CORBA_fixed_15_5 one = number(2, 50000), other = number(-4, 0), result = {15, 5, {0}};
    CHECK(CORBA_fixed_add(&result, &one, &other));
    check_number(&result, -1, -50000);
    CHECK(CORBA_fixed_sub(&result, &one, &other));
    check_number(&result, 6, 50000);
    CHECK(CORBA_fixed_mul(&result, &one, &other));
    check_number(&result, -10, 0);
    CHECK(CORBA_fixed_div(&result, &one, &other));
    check_number(&result, 0, -62500);
    other = number(-3, 0);
    CHECK(CORBA_fixed_div(&result, &one, &other));
    check_number(&result, 0, -83333);
    other = number(0, 0);
    CHECK(!CORBA_fixed_div(&result, &one, &other));
    check_number(&result, 0, -83333);

    /* The result's own form decides; operands may be the result. */
    CORBA_fixed_5_2 small = {5, 2, {0}};
    one = number(123, 45678);
    other = number(0, 0);
    CHECK(CORBA_fixed_add(&small, &one, &other));
    check_number(&small, 123, 45);
    CHECK(CORBA_fixed_add(&small, &small, &small));
    check_number(&small, 246, 90);
    CHECK(CORBA_fixed_mul(&small, &one, &one) == CORBA_FALSE);

    /* The longest numbers: 10^31 - 1 by 10^-31. */
    CORBA_fixed_31_0 large = {31, 0, {0}};
    memset(large._value, 0x99, sizeof large._value);
    large._value[15] = (CORBA_char)0x9c;
    CORBA_fixed_31_31 least = {31, 31, {0}};
    least._value[15] = 0x1c;
    CORBA_fixed_31_31 product = {31, 31, {0}};
    CHECK(CORBA_fixed_mul(&product, &large, &least));
    CHECK(memcmp(product._value, large._value, sizeof large._value) == 0);
    CHECK(!CORBA_fixed_div(&product, &large, &least) && !CORBA_fixed_add(&product, &large, &least));
    CHECK(CORBA_fixed_div(&large, &least, &least) && CORBA_fixed_integer_part(&large) == 1);
}

/* What the machine reckons with scaled integers. */
static void test_against_integers(void)
{
    srand(1);
    for (int round = 0; round < 20000; round++) {
        const int64_t a = rand() % 20000001 - 10000000, b = rand() % 20001 - 10000;
        CORBA_fixed_15_5 one = number((CORBA_long)(a / 100000), (CORBA_long)(a % 100000)), result = {15, 5, {0}};
        if (a < 0 && a > -100000)
            CHECK(CORBA_fixed_integer_part(&one) == 0);
        CORBA_fixed_6_2 other = {6, 2, {0}};
        CHECK(CORBA_fixed_set(&other, (CORBA_long)(b / 100), (CORBA_long)(b % 100)));
        CHECK(CORBA_fixed_add(&result, &one, &other));
        check_number(&result, (CORBA_long)((a + 1000 * b) / 100000), (CORBA_long)((a + 1000 * b) % 100000));
        CHECK(CORBA_fixed_sub(&result, &one, &other));
        check_number(&result, (CORBA_long)((a - 1000 * b) / 100000), (CORBA_long)((a - 1000 * b) % 100000));
        CHECK(CORBA_fixed_mul(&result, &one, &other));
        check_number(&result, (CORBA_long)(a * b / 100 / 100000), (CORBA_long)(a * b / 100 % 100000));
        if (b != 0) {
            CHECK(CORBA_fixed_div(&result, &one, &other));
            check_number(&result, (CORBA_long)(a * 100 / b / 100000), (CORBA_long)(a * 100 / b % 100000));
        }
    }
}

static void test_fixed_bytes(void)
{
    CORBA_fixed_5_2 odd = {5, 2, {0}};
    CORBA_fixed_6_2 even = {6, 2, {0}};
    CHECK(CORBA_fixed_set(&odd, -123, -45) && CORBA_fixed_set(&even, 1234, 56));
    struct message message;
    message_begin(&message, 1);
    message.at = whittle_cdr_out_fixed(&message.out, message.at, &odd, 5, 2);
    message.at = whittle_cdr_out_fixed(&message.out, message.at, &even, 6, 2);
    message.at = whittle_cdr_out_fixed(&message.out, message.at, &odd, 6, 3);
    check_bytes(&message, "12 34 5d 01 23 45 6c 01 23 45 0d");
    struct whittle_cdr_in in = reads(message.out.base, message_size(&message));
    CORBA_fixed_5_2 odd_read;
    CORBA_fixed_6_2 even_read;
    const char *at = whittle_cdr_in_fixed(&in, in.base, &odd_read, 5, 2, false);
    at = whittle_cdr_in_fixed(&in, at, &even_read, 6, 2, true);
    CHECK(at == in.base + 7 && whittle_fixed_equal(&odd, &odd_read) && whittle_fixed_equal(&even, &even_read));
    CHECK(memcmp(odd._value, odd_read._value, sizeof odd._value) == 0 && !whittle_fixed_equal(&odd, &even));
    for (size_t cut = 0; cut < 3; cut++) {
        in = reads(message.out.base, cut);
        CHECK(whittle_cdr_in_fixed(&in, in.base, &odd_read, 5, 2, false) == NULL);
    }
    message_end(&message);
    /* No digit, no sign, a sign that is another's, a digit too many. */
    const char *const wrong[] = {"12 3a 5d", "12 34 50", "12 34 5b", "10 00 00 0c"};
    for (int index = 0; index < 4; index++) {
        char bytes[16];
        const size_t size = bytes_of(wrong[index], true, bytes, 512);
        in = reads(bytes, size);
        CHECK(whittle_cdr_in_fixed(&in, bytes, &even_read, size == 3 ? 5 : 6, 2, false) == NULL);
    }
}

static void test_long_doubles(void)
{
    const struct { CORBA_long_double value; const char *bytes; } cases[] = {
        {0.0L, "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"},
        {1.0L, "3f ff 00 00 00 00 00 00 00 00 00 00 00 00 00 00"},
        {-2.5L, "c0 00 40 00 00 00 00 00 00 00 00 00 00 00 00 00"},
        {0x1.8000000000000002p+0L, "3f ff 80 00 00 00 00 00 00 02 00 00 00 00 00 00"},
        {(CORBA_long_double)INFINITY, "7f ff 00 00 00 00 00 00 00 00 00 00 00 00 00 00"},
        {0x1p-1022L, "3c 01 00 00 00 00 00 00 00 00 00 00 00 00 00 00"}};
    for (size_t index = 0; index < sizeof cases / sizeof cases[0]; index++) {
        char big[512], little[16];
        CHECK(bytes_of(cases[index].bytes, false, big, sizeof big) == 16);
        if (sizeof(CORBA_long_double) == 8 && index == 3)
            continue;
        for (int octet = 0; octet < 16; octet++)
            little[octet] = big[15 - octet];
        for (int order = 0; order < 2; order++) {
            struct whittle_cdr_in in = reads(order ? little : big, 16);
            CORBA_long_double read = 7;
            CHECK(whittle_cdr_in_long_double(&in, in.base, &read, order != host_is_little()) == in.base + 16);
            CHECK(read == cases[index].value);
        }
        struct message message;
        message_begin(&message, 3);
        *message.at++ = 1;
        message.at = whittle_cdr_out_long_double(&message.out, message.at, &cases[index].value);
        CHECK(message_size(&message) == 24);
        CHECK(memcmp(message.out.base + 8, host_is_little() ? little : big, 16) == 0);
        message_end(&message);
    }
}

/* More digits than most machines have: the nearest number. */
static void test_rounded_long_doubles(void)
{
    char third[512];
    bytes_of("bf fd 55 55 55 55 55 55 55 55 55 55 55 55 55 55", false, third, sizeof third);
    struct whittle_cdr_in in = reads(third, 16);
    CORBA_long_double read = 0;
    CHECK(whittle_cdr_in_long_double(&in, third, &read, host_is_little()) != NULL && read == -1.0L / 3);
}

int main(void)
{
    test_parts();
    test_reckoning();
    test_against_integers();
    test_fixed_bytes();
    test_long_doubles();
    test_rounded_long_doubles();
    return 0;
}
