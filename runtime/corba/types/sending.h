/* SPDX-License-Identifier: MIT-0 */
/*
 * The byte order that messages are sent in: the machine's own, or the one that WHITTLE_BYTE_ORDER names before this
 * (`whittle compile --byte-order`). What is received may have either. All files of a program agree on it, or do not link.
 */
#ifndef WHITTLE_CORBA_SENDING_H
#define WHITTLE_CORBA_SENDING_H
#ifndef WHITTLE_BYTE_ORDER
#define WHITTLE_BYTE_ORDER __BYTE_ORDER__
#elif WHITTLE_BYTE_ORDER == __ORDER_BIG_ENDIAN__
#define whittle_call_begin whittle_call_begin_big_endian
#define whittle_reply_begin whittle_reply_begin_big_endian
#define whittle_iiop_begin whittle_iiop_begin_big_endian
#elif WHITTLE_BYTE_ORDER == __ORDER_LITTLE_ENDIAN__
#define whittle_call_begin whittle_call_begin_little_endian
#define whittle_reply_begin whittle_reply_begin_little_endian
#define whittle_iiop_begin whittle_iiop_begin_little_endian
#else
#error WHITTLE_BYTE_ORDER is neither __ORDER_BIG_ENDIAN__ nor __ORDER_LITTLE_ENDIAN__
#endif

enum {
    WHITTLE_SENDS_SWAPPED = WHITTLE_BYTE_ORDER != __BYTE_ORDER__,
    WHITTLE_SENDS_LITTLE = WHITTLE_BYTE_ORDER == __ORDER_LITTLE_ENDIAN__    /* as messages and encapsulations say it */
};
#endif
