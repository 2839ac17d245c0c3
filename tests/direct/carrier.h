/* What carries the calls of a program: ONC RPC, or, with -DIIOP, IIOP, or, with -DFLUKE, registers. */
#ifndef CARRIER_H
#define CARRIER_H
#ifdef IIOP
#define CARRIER(name) whittle_iiop_##name
#define ADDRESS whittle_iiop_server_reference
#define PORT(server) whittle_iiop_server_port(server)
#define REFERENCE "corbaloc:iiop:1.2@127.0.0.1:%u/%s"
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
#else
#define CARRIER(name) whittle_onc_##name
#define ADDRESS whittle_onc_server_address
#define PORT(server) (unsigned)atoi(strrchr(whittle_onc_server_address(server, 0), ':') + 1)
#define REFERENCE "tcp://127.0.0.1:%u%.0s"
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
