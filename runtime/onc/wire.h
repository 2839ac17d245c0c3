/* SPDX-License-Identifier: MIT-0 */
/* Numbers of RFC 5531: messages (section 9), record marking (section 11), and of ours: where in memory messages stand. */
#ifndef WHITTLE_ONC_WIRE_H
#define WHITTLE_ONC_WIRE_H
#include "stubs.h"
#include "whittle_net.h"

enum {
    WHITTLE_ONC_CALL = 0, WHITTLE_ONC_REPLY = 1, WHITTLE_ONC_VERSION = 2,
    WHITTLE_ONC_ACCEPTED = 0, WHITTLE_ONC_DENIED = 1,
    WHITTLE_ONC_DENIED_VERSION = 0, WHITTLE_ONC_DENIED_AUTH = 1,
    WHITTLE_ONC_SUCCESS = 0, WHITTLE_ONC_NO_PROGRAM = 1, WHITTLE_ONC_NO_VERSION = 2, WHITTLE_ONC_NO_PROCEDURE = 3,
    WHITTLE_ONC_GARBAGE = 4, WHITTLE_ONC_SYSTEM = 5,
    WHITTLE_ONC_AUTH_NONE = 0, WHITTLE_ONC_AUTH_SYS = 1,
    WHITTLE_ONC_AUTH_BYTES = 400,               /* of a credential or verifier, at most */
    WHITTLE_ONC_GROUPS = 16                     /* of an identity of AUTH_SYS, at most (RFC 5531, appendix A) */
};
enum {
    WHITTLE_ONC_MARK = 4,                       /* of a record's fragment, before each message; datagrams go without it */
    WHITTLE_ONC_CALL_HEADER = 40,               /* with AUTH_NONE */
    WHITTLE_ONC_REPLY_HEADER = 24,
    WHITTLE_ONC_DATAGRAM = 65507,               /* bytes, at most */
    /*
     * What is sent begins with a cache line: the kernel copies it faster so. What is received is read to where its arguments or
     * results begin with one, so that they can be used where they lie: this is where marks stand.
     */
    WHITTLE_ONC_CALL_LEAD = 64 - WHITTLE_ONC_MARK - WHITTLE_ONC_CALL_HEADER,
    WHITTLE_ONC_REPLY_LEAD = 64 - WHITTLE_ONC_MARK - WHITTLE_ONC_REPLY_HEADER
};
#define WHITTLE_ONC_LAST 0x80000000u
#endif
