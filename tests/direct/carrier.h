/* What carries the calls of a program: ONC RPC, or, with -DIIOP, IIOP, with -DFLUKE, registers, with -DMACH, Mach's ports, with -DTIRPC, libtirpc. */
#ifndef CARRIER_H
#define CARRIER_H
#ifdef IIOP
#define CARRIER(name) whittle_iiop_##name
#define ADDRESS whittle_iiop_server_reference
#define PORT(server) whittle_iiop_server_port(server)
#define REFERENCE "corbaloc:iiop:1.2@127.0.0.1:%u/%s"
typedef const char *server_address;
#define ZERO "_"    /* within texts: CORBA's hold none */
enum {
    NO_MEMORY = WHITTLE_IIOP_NO_MEMORY,
    FAILED = WHITTLE_IIOP_UNKNOWN,
    REFUSED = WHITTLE_IIOP_NO_PERMISSION,
    NOT_THERE = WHITTLE_IIOP_NO_IMPLEMENT,
    UNWRITTEN = WHITTLE_IIOP_MARSHAL,
    CANNOT_MARSHAL = WHITTLE_IIOP_MARSHAL,
    BAD_REQUEST = WHITTLE_IIOP_MARSHAL,
    BAD_RESULTS = WHITTLE_IIOP_MARSHAL
};
#elif defined FLUKE
#define CARRIER(name) whittle_fluke_##name
enum {
    FAILED = WHITTLE_FLUKE_SYSTEM_ERROR,
    REFUSED = WHITTLE_FLUKE_BAD_ARGUMENTS,
    NOT_THERE = WHITTLE_FLUKE_UNKNOWN_OPERATION,
    UNWRITTEN = WHITTLE_FLUKE_SYSTEM_ERROR,
    CANNOT_MARSHAL = WHITTLE_FLUKE_CANNOT_MARSHAL,
    BAD_REQUEST = WHITTLE_FLUKE_BAD_ARGUMENTS,
    BAD_RESULTS = WHITTLE_FLUKE_CANNOT_UNMARSHAL
};
#elif defined TIRPC
#include "carrier_tirpc.h"
#elif defined MACH
#include <mach.h>
#include <stdio.h>
#include <unistd.h>
#define CARRIER(name) whittle_mach_##name
#define ADDRESS right_to
#define OBJECT(address, ev) whittle_mach_object(address, NULL, ev)
#define NOBODY(ev) whittle_mach_object(MACH_PORT_NULL, NULL, ev)
typedef mach_port_t server_address;
#define PORT(server) 0
#define ZERO "_"
enum {
    NO_MEMORY = WHITTLE_MACH_NO_MEMORY,
    FAILED = WHITTLE_MACH_SYSTEM_ERROR,
    REFUSED = WHITTLE_MACH_GARBAGE_ARGUMENTS,
    NOT_THERE = WHITTLE_MACH_OPERATION_UNAVAILABLE,
    UNWRITTEN = WHITTLE_MACH_SYSTEM_ERROR,
    CANNOT_MARSHAL = WHITTLE_MACH_CANNOT_MARSHAL,
    BAD_REQUEST = WHITTLE_MACH_GARBAGE_ARGUMENTS,
    BAD_RESULTS = WHITTLE_MACH_CANNOT_UNMARSHAL
};
static unsigned rights_made;

/* At the end nobody has a right or memory of messages but for what the test made. */
__attribute__((destructor)) static void nothing_is_left(void)
{
    unsigned const left = mach_left();
    if (left <= rights_made)
        return;
    fprintf(stderr, "%u rights or regions of memory are left\n", left - rights_made);
    _exit(1);
}
/* The server's ports are there as soon as it serves. */
static inline int whittle_mach_server_listen(struct whittle_mach_server *server, const char *address)
{
    return (void)server, (void)address, 0;
}
/* A right to send to an object. */
static inline mach_port_t right_to(const struct whittle_mach_server *server, size_t index)
{
    mach_port_t const port = whittle_mach_server_port(server, index);
    rights_made++;
    return mach_port_insert_right(mach_task_self(), port, port, MACH_MSG_TYPE_MAKE_SEND) == KERN_SUCCESS ? port : MACH_PORT_NULL;
}
#else
#define CARRIER(name) whittle_onc_##name
#define ADDRESS whittle_onc_server_address
#define OBJECT(address, ev) whittle_onc_object(address, NULL, ev)
#define NOBODY(ev) whittle_onc_object("tcp://[::1", NULL, ev)
#define PORT(server) (unsigned)atoi(strrchr(whittle_onc_server_address(server, 0), ':') + 1)
#define REFERENCE "tcp://127.0.0.1:%u%.0s"
typedef const char *server_address;
#define ZERO "\0"
enum {
    NO_MEMORY = WHITTLE_ONC_NO_MEMORY,
    FAILED = WHITTLE_ONC_SYSTEM_ERROR,
    REFUSED = WHITTLE_ONC_AUTH_TOO_WEAK,
    NOT_THERE = WHITTLE_ONC_PROCEDURE_UNAVAILABLE,
    UNWRITTEN = WHITTLE_ONC_SYSTEM_ERROR,
    CANNOT_MARSHAL = WHITTLE_ONC_CANNOT_MARSHAL,
    BAD_REQUEST = WHITTLE_ONC_GARBAGE_ARGUMENTS,
    BAD_RESULTS = WHITTLE_ONC_CANNOT_UNMARSHAL
};
#endif
#endif
