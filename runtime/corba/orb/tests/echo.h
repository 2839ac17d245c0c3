/* SPDX-License-Identifier: MIT-0 */
/* Test::Echo of echo.idl, as a compiler would declare it. */
#ifndef ECHO_H
#define ECHO_H
#include "giop.h"

typedef CORBA_Object Test_Echo;
typedef CORBA_sequence_CORBA_octet Test_Octets;
typedef CORBA_sequence_CORBA_long Test_Numbers;
#define ex_Test_Refused "IDL:Test/Refused:1.0"
typedef struct Test_Refused { CORBA_char *why; CORBA_long code; } Test_Refused;
Test_Refused *Test_Refused__alloc(void);

/* Words and texts in the order that is sent; NULL stays NULL. */
__attribute__((unused)) static inline char *send_words(struct whittle_cdr_out *out, char *at, const void *words, size_t count)
{
    if (at == NULL)
        return NULL;
    return WHITTLE_SENDS_SWAPPED ? whittle_cdr_out_swapped32(out, at, words, count) : whittle_cdr_out_bytes(out, at, words, 4 * count);
}

__attribute__((unused)) static inline char *send_text(struct whittle_cdr_out *out, char *at, const char *text)
{
    if (at == NULL)
        return NULL;
    return WHITTLE_SENDS_SWAPPED ? whittle_cdr_out_text_swapped(out, at, text, UINT32_MAX, 1, 0)
                                 : whittle_cdr_out_text_host(out, at, text, UINT32_MAX, 1, 0);
}

void Test_Echo_nothing(Test_Echo echo, CORBA_Environment *ev);
CORBA_long Test_Echo_add(Test_Echo echo, CORBA_long left, CORBA_long right, CORBA_Environment *ev);
Test_Octets *Test_Echo_bytes(Test_Echo echo, const Test_Octets *given, CORBA_Environment *ev);
CORBA_long Test_Echo_sum(Test_Echo echo, const Test_Numbers *given, CORBA_Environment *ev);
Test_Numbers *Test_Echo_series(Test_Echo echo, CORBA_long count, CORBA_Environment *ev);
CORBA_char *Test_Echo_greet(Test_Echo echo, const CORBA_char *name, CORBA_Environment *ev);
void Test_Echo_note(Test_Echo echo, CORBA_long value, CORBA_Environment *ev);
CORBA_long Test_Echo_noted(Test_Echo echo, CORBA_Environment *ev);
Test_Echo Test_Echo_self(Test_Echo echo, CORBA_Environment *ev);
Test_Echo Test_Echo_pass(Test_Echo echo, Test_Echo given, CORBA_Environment *ev);
void Test_Echo_pause(Test_Echo echo, CORBA_unsigned_long milliseconds, CORBA_Environment *ev);
CORBA_long Test_Echo_back(Test_Echo echo, Test_Echo other, CORBA_long depth, CORBA_Environment *ev);
CORBA_wchar *Test_Echo_wide(Test_Echo echo, const CORBA_wchar *given, CORBA_Environment *ev);
void Test_Echo_stop(Test_Echo echo, CORBA_Environment *ev);
/* An operation that no interface has. */
void Test_Echo_missing(Test_Echo echo, CORBA_Environment *ev);

typedef struct POA_Test_Echo__epv {
    void *_private;
    void (*nothing)(PortableServer_Servant servant, CORBA_Environment *ev);
    CORBA_long (*add)(PortableServer_Servant servant, CORBA_long left, CORBA_long right, CORBA_Environment *ev);
    Test_Octets *(*bytes)(PortableServer_Servant servant, const Test_Octets *given, CORBA_Environment *ev);
    CORBA_long (*sum)(PortableServer_Servant servant, const Test_Numbers *given, CORBA_Environment *ev);
    Test_Numbers *(*series)(PortableServer_Servant servant, CORBA_long count, CORBA_Environment *ev);
    CORBA_char *(*greet)(PortableServer_Servant servant, const CORBA_char *name, CORBA_Environment *ev);
    void (*note)(PortableServer_Servant servant, CORBA_long value, CORBA_Environment *ev);
    CORBA_long (*noted)(PortableServer_Servant servant, CORBA_Environment *ev);
    Test_Echo (*self)(PortableServer_Servant servant, CORBA_Environment *ev);
    Test_Echo (*pass)(PortableServer_Servant servant, Test_Echo given, CORBA_Environment *ev);
    void (*pause)(PortableServer_Servant servant, CORBA_unsigned_long milliseconds, CORBA_Environment *ev);
    CORBA_long (*back)(PortableServer_Servant servant, Test_Echo other, CORBA_long depth, CORBA_Environment *ev);
    CORBA_wchar *(*wide)(PortableServer_Servant servant, const CORBA_wchar *given, CORBA_Environment *ev);
    void (*stop)(PortableServer_Servant servant, CORBA_Environment *ev);
} POA_Test_Echo__epv;
typedef struct POA_Test_Echo__vepv {
    PortableServer_ServantBase__epv *_base_epv;
    POA_Test_Echo__epv *Test_Echo_epv;
} POA_Test_Echo__vepv;
typedef struct POA_Test_Echo {
    void *_private;
    POA_Test_Echo__vepv *vepv;
} POA_Test_Echo;
void POA_Test_Echo__init(PortableServer_Servant servant, CORBA_Environment *ev);
void POA_Test_Echo__fini(PortableServer_Servant servant, CORBA_Environment *ev);

/* servant.c: an Echo that does what its name says; what it noted is in `noted`. */
struct echo {
    POA_Test_Echo servant;
    CORBA_ORB orb;
    PortableServer_POA poa;
    CORBA_long noted;
};
void echo_open(struct echo *echo, CORBA_ORB orb, PortableServer_POA poa);
#endif
