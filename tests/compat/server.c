/*
 * The procedures of everything.x, over TCP and UDP, IPv4 or IPv6, without rpcbind.
 *
 *     server 4|6            the first line of output says the ports: `tcp N udp M`
 *
 * One source for all of rpcgen's styles: with -M (MULTITHREAD) and -N (NEWSTYLE) and without. Each procedure is a
 * function from argument to a fresh result; SERVE wraps it as the style has it.
 */
#include "values.h"

#include <ctype.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DATAGRAM_LARGEST = 60000 };

extern void everything_1(struct svc_req *request, SVCXPRT *transport);
extern void everything_2(struct svc_req *request, SVCXPRT *transport);

#ifdef NEWSTYLE
#define BY(T) T
#define POINTER(argument) (&(argument))
#else
#define BY(T) T *
#define POINTER(argument) (argument)
#endif

#ifdef MULTITHREAD
#define SERVE(procedure, R, marshal, A)                                                                                \
    bool_t procedure##_svc(BY(A) argument, R *result, struct svc_req *request)                                         \
    {                                                                                                                  \
        (void) request;                                                                                                \
        memset(result, 0, sizeof *result);                                                                             \
        serve_##procedure(POINTER(argument), result);                                                                  \
        return TRUE;                                                                                                   \
    }
#define NO_RESULT bool_t
#define NO_RESULT_PARAMETER void *result,
#define DONE                                                                                                           \
    (void) result;                                                                                                     \
    return TRUE
int everything_1_freeresult(SVCXPRT *transport, xdrproc_t routine, caddr_t result)
{
    (void) transport;
    xdr_free(routine, result);
    return 1;
}
int everything_2_freeresult(SVCXPRT *transport, xdrproc_t routine, caddr_t result)
{
    return everything_1_freeresult(transport, routine, result);
}
#else
#define SERVE(procedure, R, marshal, A)                                                                                \
    R *procedure##_svc(BY(A) argument, struct svc_req *request)                                                        \
    {                                                                                                                  \
        static R result;                                                                                               \
        (void) request;                                                                                                \
        xdr_free((xdrproc_t) marshal, (char *) &result);                                                               \
        memset(&result, 0, sizeof result);                                                                             \
        serve_##procedure(POINTER(argument), &result);                                                                 \
        return &result;                                                                                                \
    }
#define NO_RESULT void *
#define NO_RESULT_PARAMETER
#define DONE                                                                                                           \
    static char done;                                                                                                  \
    return &done
#endif

#define PROCEDURE(procedure, R, marshal, A)                                                                            \
    static void serve_##procedure(const A *argument, R *result);                                                       \
    SERVE(procedure, R, marshal, A)                                                                                    \
    static void serve_##procedure(const A *argument, R *result)

/* A deep copy, by way of bytes. */
static void duplicate(xdrproc_t routine, const void *from, void *to)
{
    XDR stream;
    u_int size = (u_int) xdr_sizeof(routine, (void *) from);
    char *room = allocate(size);
    xdrmem_create(&stream, room, size, XDR_ENCODE);
    if (!routine(&stream, (void *) from))
        exit(EXIT_FAILURE);
    xdrmem_create(&stream, room, size, XDR_DECODE);
    if (!routine(&stream, to))
        exit(EXIT_FAILURE);
    free(room);
}

PROCEDURE(negate_1, int, xdr_int, int) { *result = -*argument; }
PROCEDURE(negate_2, int, xdr_int, int) { *result = ~*argument; }
PROCEDURE(square_2, quad_t, xdr_quad_t, quad_t) { *result = *argument * *argument; }

PROCEDURE(echo_wide_1, wide, xdr_wide, wide)
{
#ifdef NEWSTYLE
    duplicate((xdrproc_t) xdr_wide, argument, result);
#else
    /* Everything moves to the result: what is left behind has nothing to free. */
    *result = *argument;
    memset((wide *) argument, 0, sizeof *argument);
#endif
    result->scalars.an_int += 1;
}

PROCEDURE(reverse_1, blob, xdr_blob, blob)
{
    result->blob_len = argument->blob_len;
    result->blob_val = allocate(argument->blob_len);
    for (u_int at = 0; at < argument->blob_len; at++)
        result->blob_val[at] = argument->blob_val[argument->blob_len - 1 - at];
}

PROCEDURE(double_all_1, int_list, xdr_int_list, int_list)
{
    result->int_list_len = argument->int_list_len;
    result->int_list_val = allocate(argument->int_list_len * sizeof(int));
    for (u_int at = 0; at < argument->int_list_len; at++)
        result->int_list_val[at] = (int) (2u * (u_int) argument->int_list_val[at]);
}

PROCEDURE(list_directory_1, direntseq, xdr_direntseq, name) { make_directory(result, (u_int) atoi(*argument), 77); }

PROCEDURE(move_1, rectangles, xdr_rectangles, rectangles)
{
    duplicate((xdrproc_t) xdr_rectangles, argument, result);
    for (u_int at = 0; at < result->rectangles_len; at++)
        result->rectangles_val[at].low.x ^= 1;
}

PROCEDURE(reverse_list_1, list, xdr_list, list)
{
    for (const cell *one = *argument; one != NULL; one = one->next) {
        cell *made = allocate(sizeof *made);
        made->item = one->item;
        made->label = text_of(one->label);
        made->next = *result;
        *result = made;
    }
}

PROCEDURE(next_colour_1, by_enum, xdr_by_enum, by_enum)
{
    duplicate((xdrproc_t) xdr_by_enum, argument, result);
    if (result->kind == RED) {
        result->kind = GREEN;
        result->by_enum_u.cold = text_of("was red");
    }
}

PROCEDURE(upper_1, name, xdr_name, name)
{
    *result = text_of(*argument);
    for (char *at = *result; *at != '\0'; at++)
        *at = (char) toupper((unsigned char) *at);
}

PROCEDURE(is_red_1, bool_t, xdr_bool, colour) { *result = *argument == RED; }
PROCEDURE(first_1, numbers, xdr_numbers, numbers) { *result = *argument; }
PROCEDURE(perhaps_1, maybe_numbers, xdr_maybe_numbers, maybe_numbers)
{
    duplicate((xdrproc_t) xdr_maybe_numbers, argument, result);
}

NO_RESULT nothing_1_svc(
#ifndef NEWSTYLE
    void *argument,
#endif
    NO_RESULT_PARAMETER struct svc_req *request)
{
#ifndef NEWSTYLE
    (void) argument;
#endif
    (void) request;
    DONE;
}

NO_RESULT forget_1_svc(BY(int) argument, NO_RESULT_PARAMETER struct svc_req *request)
{
    (void) argument;
    (void) request;
    DONE;
}

#define LARGE_COUNT 0xfedcba9876543210ull

#ifdef MULTITHREAD
bool_t count_1_svc(
#ifndef NEWSTYLE
    void *argument,
#endif
    u_quad_t *result, struct svc_req *request)
{
    *result = LARGE_COUNT;
    (void) request;
#ifndef NEWSTYLE
    (void) argument;
#endif
    return TRUE;
}
#else
u_quad_t *count_1_svc(
#ifndef NEWSTYLE
    void *argument,
#endif
    struct svc_req *request)
{
    static u_quad_t result = LARGE_COUNT;
    (void) request;
#ifndef NEWSTYLE
    (void) argument;
#endif
    return &result;
}
#endif

#ifdef NEWSTYLE
static char *join(const char *one, const char *other, int times)
{
    char *made = allocate(strlen(one) + strlen(other) * (size_t) times + 1);
    strcpy(made, one);
    while (times-- > 0)
        strcat(made, other);
    return made;
}
#ifdef MULTITHREAD
bool_t add_1_svc(int one, int other, int *result, struct svc_req *request)
{
    (void) request;
    *result = one + other;
    return TRUE;
}
bool_t join_1_svc(char *one, name other, int times, char **result, struct svc_req *request)
{
    (void) request;
    *result = join(one, other, times);
    return TRUE;
}
#else
int *add_1_svc(int one, int other, struct svc_req *request)
{
    static int result;
    (void) request;
    result = one + other;
    return &result;
}
char **join_1_svc(char *one, name other, int times, struct svc_req *request)
{
    static char *result;
    (void) request;
    free(result);
    result = join(one, other, times);
    return &result;
}
#endif
#endif

/* A socket on the loopback interface, and the port it got. */
static int bind_socket(int family, int type, unsigned *port)
{
    struct sockaddr_storage address;
    struct sockaddr_in *four = (struct sockaddr_in *) &address;
    struct sockaddr_in6 *six = (struct sockaddr_in6 *) &address;
    socklen_t length = family == AF_INET ? sizeof *four : sizeof *six;
    memset(&address, 0, sizeof address);
    address.ss_family = (sa_family_t) family;
    if (family == AF_INET)
        four->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    else
        six->sin6_addr = in6addr_loopback;
    int descriptor = socket(family, type, 0);
    if (descriptor < 0 || bind(descriptor, (struct sockaddr *) &address, length) != 0
        || getsockname(descriptor, (struct sockaddr *) &address, &length) != 0
        || (type == SOCK_STREAM && listen(descriptor, 8) != 0)) {
        perror("server");
        exit(EXIT_FAILURE);
    }
    *port = ntohs(family == AF_INET ? four->sin_port : six->sin6_port);
    return descriptor;
}

static void serve_on(SVCXPRT *transport)
{
    if (transport == NULL || !svc_reg(transport, EVERYTHING, EVERYTHING_ONE, everything_1, NULL)
        || !svc_reg(transport, EVERYTHING, EVERYTHING_TWO, everything_2, NULL)) {
        fprintf(stderr, "server: no transport\n");
        exit(EXIT_FAILURE);
    }
}

int main(int count, char **arguments)
{
    int family = count > 1 && arguments[1][0] == '6' ? AF_INET6 : AF_INET;
    unsigned stream, datagram;
    serve_on(svc_vc_create(bind_socket(family, SOCK_STREAM, &stream), 0, 0));
    serve_on(svc_dg_create(bind_socket(family, SOCK_DGRAM, &datagram), DATAGRAM_LARGEST, DATAGRAM_LARGEST));
    printf("tcp %u udp %u\n", stream, datagram);
    fflush(stdout);
    alarm(300); /* Never left behind. */
    svc_run();
    return EXIT_FAILURE;
}
