/*
 * Calls every procedure of everything.x and checks what comes back.
 *
 *     client tcp|udp 4|6 PORT
 *
 * One source for all of rpcgen's styles: with -M (MULTITHREAD) and -N (NEWSTYLE) and without.
 */
#include "values.h"

#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DATAGRAM_LARGEST = 60000, BLOCK = 4 * 1024 * 1024 };

static void require_at(int condition, const char *what, int line)
{
    if (!condition) {
        fprintf(stderr, "client.c:%d: %s\n", line, what);
        exit(EXIT_FAILURE);
    }
}
#define REQUIRE(condition) require_at(condition, #condition, __LINE__)

#ifdef NEWSTYLE
#define PASS(argument) argument
#define NOTHING_PASSED
#else
#define PASS(argument) (&(argument))
#define NOTHING_PASSED NULL,
#endif

/* True, and the result filled in, when the call succeeds. Results without -M are the stub's own. */
#ifdef MULTITHREAD
#define CALL(procedure, argument, result)                                                                              \
    (memset(&(result), 0, sizeof(result)), procedure(PASS(argument), &(result), client) == RPC_SUCCESS)
#define CALL_WITHOUT(procedure, result) (procedure(NOTHING_PASSED & (result), client) == RPC_SUCCESS)
#else
#define CALL(procedure, argument, result)                                                                              \
    __extension__({                                                                                                    \
        __typeof__(result) *answer_ = procedure(PASS(argument), client);                                               \
        if (answer_ != NULL)                                                                                           \
            result = *answer_;                                                                                         \
        answer_ != NULL;                                                                                               \
    })
#define CALL_WITHOUT(procedure, result)                                                                                \
    __extension__({                                                                                                    \
        __typeof__(result) *answer_ = procedure(NOTHING_PASSED client);                                                \
        if (answer_ != NULL)                                                                                           \
            result = *answer_;                                                                                         \
        answer_ != NULL;                                                                                               \
    })
#endif

#define RELEASE(routine, value) xdr_free((xdrproc_t) routine, (char *) &(value))

static void call_with_scalars(CLIENT *client)
{
    int number = 5, answer = 0;
    REQUIRE(CALL(negate_1, number, answer) && answer == -5);
    u_quad_t large = 0;
    REQUIRE(CALL_WITHOUT(count_1, large) && large == 0xfedcba9876543210ull);
    bool_t red = FALSE;
    colour asked = RED;
    REQUIRE(CALL(is_red_1, asked, red) && red == TRUE);
    asked = INFRARED;
    REQUIRE(CALL(is_red_1, asked, red) && red == FALSE);
    numbers sent, received;
    make_numbers(&sent, 3);
    REQUIRE(CALL(first_1, sent, received) && same_numbers(&sent, &received));
}

static void call_without_results(CLIENT *client)
{
#ifdef MULTITHREAD
    char nothing;
    REQUIRE(nothing_1(NOTHING_PASSED & nothing, client) == RPC_SUCCESS);
    int number = 1;
    REQUIRE(forget_1(PASS(number), &nothing, client) == RPC_SUCCESS);
#else
    int number = 1;
    REQUIRE(nothing_1(NOTHING_PASSED client) != NULL);
    REQUIRE(forget_1(PASS(number), client) != NULL);
#endif
}

static void call_with_text(CLIENT *client)
{
    name asked = "quiet, please", loud = NULL;
    REQUIRE(CALL(upper_1, asked, loud) && strcmp(loud, "QUIET, PLEASE") == 0);
    RELEASE(xdr_name, loud);
    name empty = "";
    loud = NULL;
    REQUIRE(CALL(upper_1, empty, loud) && strcmp(loud, "") == 0);
    RELEASE(xdr_name, loud);
}

/* What goes out must not be touched by a call; what comes back is the caller's to release. */
static void call_with_structures(CLIENT *client)
{
    for (unsigned seed = 0; seed < SEEDS; seed++) {
        wide sent, kept, received;
        make_wide(&sent, seed);
        make_wide(&kept, seed);
        REQUIRE(CALL(echo_wide_1, sent, received));
        REQUIRE(same_wide(&sent, &kept));
        received.scalars.an_int -= 1;
        REQUIRE(same_wide(&sent, &received));
        RELEASE(xdr_wide, received);
        RELEASE(xdr_wide, sent);
        RELEASE(xdr_wide, kept);

        by_enum given, next;
        make_by_enum(&given, seed);
        REQUIRE(CALL(next_colour_1, given, next));
        REQUIRE(given.kind == RED ? strcmp(next.by_enum_u.cold, "was red") == 0 : same_by_enum(&given, &next));
        RELEASE(xdr_by_enum, given);
        RELEASE(xdr_by_enum, next);
    }
    maybe_numbers none = NULL, some = allocate(sizeof *some), back = NULL;
    make_numbers(some, 4);
    REQUIRE(CALL(perhaps_1, none, back) && back == NULL);
    REQUIRE(CALL(perhaps_1, some, back) && same_numbers(some, back));
    RELEASE(xdr_maybe_numbers, back);
    RELEASE(xdr_maybe_numbers, some);
}

static void call_with_lists(CLIENT *client)
{
    list sent, there = NULL, back = NULL;
    make_chain(&sent, 500, 9);
    REQUIRE(CALL(reverse_list_1, sent, there));
    list held = there; /* In the stub's static result, unless -M: the next call may not touch what it led to. */
#ifndef MULTITHREAD
    list *answer = reverse_list_1(
#ifdef NEWSTYLE
        held,
#else
        &held,
#endif
        client);
    REQUIRE(answer != NULL);
    back = *answer;
#else
    REQUIRE(CALL(reverse_list_1, held, back));
#endif
    REQUIRE(same_chain(sent, back));
    RELEASE(xdr_list, sent);
    RELEASE(xdr_list, held);
    RELEASE(xdr_list, back);
}

static void call_with_arrays(CLIENT *client, u_int size)
{
    blob bytes, turned;
    make_blob(&bytes, size, size);
    REQUIRE(CALL(reverse_1, bytes, turned) && turned.blob_len == size);
    for (u_int at = 0; at < size; at++)
        REQUIRE(turned.blob_val[at] == bytes.blob_val[size - 1 - at]);
    RELEASE(xdr_blob, bytes);
    RELEASE(xdr_blob, turned);

    int_list ints, doubled;
    make_ints(&ints, size / 4, size);
    REQUIRE(CALL(double_all_1, ints, doubled) && doubled.int_list_len == size / 4);
    for (u_int at = 0; at < size / 4; at++)
        REQUIRE(doubled.int_list_val[at] == (int) (2u * (u_int) ints.int_list_val[at]));
    RELEASE(xdr_int_list, ints);
    RELEASE(xdr_int_list, doubled);

    rectangles frames, moved;
    make_rectangles(&frames, size / 16, size);
    REQUIRE(CALL(move_1, frames, moved) && moved.rectangles_len == size / 16);
    for (u_int at = 0; at < size / 16; at++)
        REQUIRE((moved.rectangles_val[at].low.x ^ 1) == frames.rectangles_val[at].low.x
                && moved.rectangles_val[at].high.y == frames.rectangles_val[at].high.y);
    RELEASE(xdr_rectangles, frames);
    RELEASE(xdr_rectangles, moved);

    char count[16];
    name path = count;
    direntseq entries, expected;
    snprintf(count, sizeof count, "%u", size / 200);
    make_directory(&expected, size / 200, 77);
    REQUIRE(CALL(list_directory_1, path, entries) && same_directory(&entries, &expected));
    RELEASE(xdr_direntseq, entries);
    RELEASE(xdr_direntseq, expected);
}

static void call_newstyle(CLIENT *client)
{
#if defined NEWSTYLE && defined MULTITHREAD
    int sum = 0;
    char *text = NULL;
    REQUIRE(add_1(3, 4, &sum, client) == RPC_SUCCESS && sum == 7);
    REQUIRE(join_1("ab", "cd", 3, &text, client) == RPC_SUCCESS && strcmp(text, "abcdcdcd") == 0);
    RELEASE(xdr_name, text);
#elif defined NEWSTYLE
    int *sum = add_1(3, 4, client);
    REQUIRE(sum != NULL && *sum == 7);
    char **text = join_1("ab", "cd", 3, client);
    REQUIRE(text != NULL && strcmp(*text, "abcdcdcd") == 0);
    RELEASE(xdr_name, *text);
#else
    (void) client;
#endif
}

static void call_the_second_version(CLIENT *client)
{
    int number = 5, answer = 0;
    quad_t root = 3000000000, square = 0;
    REQUIRE(CALL(negate_2, number, answer) && answer == ~5);
    REQUIRE(CALL(square_2, root, square) && square == 9000000000000000000);
}

/* A handle on a port of this machine; rpcbind is not asked. */
static CLIENT *connect_to(int stream, int family, unsigned short port, rpcvers_t version)
{
    struct sockaddr_storage address;
    struct sockaddr_in *four = (struct sockaddr_in *) &address;
    struct sockaddr_in6 *six = (struct sockaddr_in6 *) &address;
    socklen_t length = family == AF_INET ? sizeof *four : sizeof *six;
    memset(&address, 0, sizeof address);
    address.ss_family = (sa_family_t) family;
    if (family == AF_INET) {
        four->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        four->sin_port = htons(port);
    } else {
        six->sin6_addr = in6addr_loopback;
        six->sin6_port = htons(port);
    }
    struct netbuf where = {length, length, &address};
    int descriptor = socket(family, stream ? SOCK_STREAM : SOCK_DGRAM, 0);
    REQUIRE(descriptor >= 0);
    if (stream) {
        REQUIRE(connect(descriptor, (struct sockaddr *) &address, length) == 0);
        return clnt_vc_create(descriptor, &where, EVERYTHING, version, 0, 0);
    }
    return clnt_dg_create(descriptor, &where, EVERYTHING, version, DATAGRAM_LARGEST, DATAGRAM_LARGEST);
}

int main(int count, char **arguments)
{
    if (count != 4) {
        fprintf(stderr, "usage: client tcp|udp 4|6 PORT\n");
        return EXIT_FAILURE;
    }
    alarm(200);
    int stream = strcmp(arguments[1], "tcp") == 0;
    int family = arguments[2][0] == '6' ? AF_INET6 : AF_INET;
    unsigned short port = (unsigned short) atoi(arguments[3]);

    CLIENT *client = connect_to(stream, family, port, EVERYTHING_ONE);
    REQUIRE(client != NULL);
    call_without_results(client);
    call_with_scalars(client);
    call_with_text(client);
    call_with_structures(client);
    call_with_lists(client);
    for (u_int size = 1; size < (stream ? BLOCK : DATAGRAM_LARGEST / 2); size = size * 4 + 1)
        call_with_arrays(client, size);
    if (stream)
        call_with_arrays(client, BLOCK);
    call_newstyle(client);
    clnt_destroy(client);

    client = connect_to(stream, family, port, EVERYTHING_TWO);
    REQUIRE(client != NULL);
    call_the_second_version(client);
    clnt_destroy(client);
    return EXIT_SUCCESS;
}
