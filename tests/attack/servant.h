/* SPDX-License-Identifier: MIT-0 */
/* The object of attack.x in the C mapping of CORBA, whatever link serves it: `servant`. */
#ifndef ATTACK_SERVANT_H
#define ATTACK_SERVANT_H
#include "attack.h"
#include "procedures.h"
#include <string.h>

/* NULL: no memory. */
static blob *blob_of(CORBA_unsigned_long size, CORBA_Environment *ev)
{
    blob *const made = blob__alloc();
    CORBA_octet *const bytes = CORBA_sequence_CORBA_octet_allocbuf(size);
    if (made != NULL && bytes != NULL) {
        *made = (blob){size, size, bytes, CORBA_TRUE};
        return made;
    }
    CORBA_free(made);
    CORBA_free(bytes);
    CORBA_exception_set_system(ev, ex_CORBA_NO_MEMORY, CORBA_COMPLETED_NO);
    return NULL;
}

static void nothing(PortableServer_Servant servant, CORBA_Environment *ev)
{
    (void)servant, (void)ev;
    procedure_served();
}

static blob *echo(PortableServer_Servant servant, const blob *argument, CORBA_Environment *ev)
{
    (void)servant;
    procedure_served();
    blob *const made = blob_of(argument->_length, ev);
    if (made != NULL && made->_length > 0)
        memcpy(made->_buffer, argument->_buffer, made->_length);
    return made;
}

static word_list *words(PortableServer_Servant servant, const word_list *argument, CORBA_Environment *ev)
{
    (void)servant;
    procedure_served();
    const CORBA_unsigned_long length = argument->_length;
    word_list *const made = word_list__alloc();
    CORBA_unsigned_long *const items = CORBA_sequence_CORBA_unsigned_long_allocbuf(length);
    if (made == NULL || items == NULL) {
        CORBA_free(made);
        CORBA_free(items);
        CORBA_exception_set_system(ev, ex_CORBA_NO_MEMORY, CORBA_COMPLETED_NO);
        return NULL;
    }
    *made = (word_list){length, length, items, CORBA_TRUE};
    if (length > 0)
        memcpy(items, argument->_buffer, 4 * (size_t)length);
    return made;
}

static blob *large(PortableServer_Servant servant, CORBA_unsigned_long argument, CORBA_Environment *ev)
{
    (void)servant;
    procedure_served();
    blob *const made = blob_of(argument > LARGEST ? LARGEST : argument, ev);
    if (made != NULL)
        procedure_fill(made->_buffer, made->_length);
    return made;
}

static CORBA_unsigned_long slow(PortableServer_Servant servant, CORBA_unsigned_long argument, CORBA_Environment *ev)
{
    (void)servant, (void)ev;
    procedure_served();
    return procedure_slow(argument);
}

static CORBA_unsigned_long titles(PortableServer_Servant servant, const title_list *argument, CORBA_Environment *ev)
{
    (void)servant, (void)ev;
    procedure_served();
    return argument->_length;
}

static CORBA_unsigned_long parts(PortableServer_Servant servant, const part_list *argument, CORBA_Environment *ev)
{
    (void)servant, (void)ev;
    procedure_served();
    return argument->_length;
}

static PortableServer_ServantBase__epv base;
static POA_ATTACKED_ATTACKED_1__epv functions = {NULL, nothing, echo, words, large, slow, parts, titles};
static POA_ATTACKED_ATTACKED_1__vepv tables = {&base, &functions};
static POA_ATTACKED_ATTACKED_1 servant = {NULL, &tables};
#endif
