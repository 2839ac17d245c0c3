/* Wide characters and strings: UTF-16 with counted octets, big-endian unless a mark says otherwise, surrogate pairs. */
#include "common.h"
#include <wchar.h>

static void check_character(CORBA_wchar value, const char *text)
{
    struct message message;
    message_begin(&message, 1);
    message.at = whittle_cdr_out_wchar(&message.out, message.at, &value);
    check_bytes(&message, text);
    message_end(&message);
}

static CORBA_wchar read_character(const char *text)
{
    char bytes[512];
    const size_t size = bytes_of(text, true, bytes, sizeof bytes);
    for (int order = 0; order < 2; order++) {
        CORBA_wchar read = 0;
        struct whittle_cdr_in in = reads(bytes, size);
        for (size_t cut = 0; cut < size; cut++) {
            char *const there = exactly(bytes, cut);
            struct whittle_cdr_in less = reads(there, cut);
            CHECK(whittle_cdr_in_wchar(&less, there, &read, order) == NULL);
            free(there);
        }
        if (whittle_cdr_in_wchar(&in, bytes, &read, order) == NULL)
            return 0;
        if (order == 1)
            return read;
    }
    return 0;
}

static void test_characters(void)
{
    check_character(L'A', "02 00 41");
    check_character(0x20ac, "02 20 ac");
    check_character(0x1f600, "04 d8 3d de 00");
    CHECK(read_character("02 00 41") == L'A' && read_character("02 20 ac") == 0x20ac);
    CHECK(read_character("04 d8 3d de 00") == 0x1f600 && read_character("06 ff fe 3d d8 00 de") == 0x1f600);
    CHECK(read_character("04 fe ff 00 41") == L'A' && read_character("04 ff fe 41 00") == L'A');
    CHECK(read_character("02 fe ff") == 0xfeff);
    CHECK(read_character("00") == 0 && read_character("01 41") == 0 && read_character("04 00 41 00 42") == 0);
    CHECK(read_character("03 00 41 00") == 0);
    const CORBA_wchar none = 0x110000;
    struct message message;
    message_begin(&message, 0);
    CHECK(whittle_cdr_out_wchar(&message.out, message.at, &none) == NULL);
    message_end(&message);
}

static void check_string(CORBA_wchar *value, const char *text)
{
    struct message message;
    message_begin(&message, 2);
    message.at = whittle_cdr_out_wstring(&message.out, message.at, &value, 0);
    check_bytes(&message, text);
    for (int order = 0; order < 2; order++) {
        char bytes[512];
        const size_t size = bytes_of(text, order, bytes, sizeof bytes);
        for (size_t cut = 0; cut <= size; cut++) {
            CORBA_wchar *read = NULL;
            char *const there = exactly(bytes, cut);
            struct whittle_cdr_in in = reads(there, cut);
            const char *const end = whittle_cdr_in_wstring(&in, there, &read, 0, order != host_is_little());
            CHECK((end != NULL) == (cut == size) && (read != NULL) == (cut == size));
            if (read != NULL)
                CHECK(end == there + size && wcscmp(read, value) == 0);
            CORBA_free(read);
            free(there);
        }
    }
    message_end(&message);
}

static bool is_read(const char *text, uint32_t bound, const CORBA_wchar *expected)
{
    char bytes[512];
    CORBA_wchar *read = NULL;
    struct whittle_cdr_in in = serves(bytes, bytes_of(text, host_is_little(), bytes, sizeof bytes));
    const bool is = whittle_cdr_in_wstring(&in, bytes, &read, bound, false) != NULL &&
                    (expected == NULL || wcscmp(read, expected) == 0);
    serve_end();
    return is;
}

static void test_strings(void)
{
    check_string(L"", "w0");
    check_string(L"Ab", "w4 00 41 00 62");
    check_string(L"\U0001f600\u20ac", "w6 d8 3d de 00 20 ac");
    check_string(L"\ufeff!", "w6 fe ff fe ff 00 21");
    CHECK(is_read("w6 ff fe 41 00 62 00", 0, L"Ab") && is_read("w6 fe ff 00 41 00 62", 0, L"Ab"));
    CHECK(is_read("w2 fe ff", 0, L"") && is_read("w4 00 41 00 42", 2, L"AB"));
    CHECK(!is_read("w4 00 41 00 42", 1, NULL) && !is_read("w3 00 41 00", 0, NULL));
    CHECK(!is_read("w4 00 41 00 00", 0, NULL) && !is_read("w-2 00 41", 0, NULL));
    CHECK(is_read("w4 d8 3d de 00", 1, L"\U0001f600") && is_read("w2 d8 3d", 0, NULL));
    CORBA_wchar *none = NULL, *text = L"three";
    struct message message;
    message_begin(&message, 0);
    CHECK(whittle_cdr_out_wstring(&message.out, message.at, &none, 0) == NULL);
    CHECK(whittle_cdr_out_wstring(&message.out, message.out.base, &text, 4) == NULL);
    CHECK(whittle_cdr_out_wstring(&message.out, message.out.base, &text, 5) != NULL);
    message_end(&message);
}

int main(void)
{
    test_characters();
    test_strings();
    return 0;
}
