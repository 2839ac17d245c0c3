/* Mach's typed messages, for words of 32 and 64 bits. */
#ifndef MACH_MESSAGE
#define MACH_MESSAGE
#include <mach/boolean.h>
#include <mach/kern_return.h>
#include <mach/port.h>

typedef unsigned int mach_msg_type_name_t;
typedef unsigned int mach_msg_type_number_t;
typedef kern_return_t mach_msg_return_t;
typedef unsigned int mach_msg_bits_t;
typedef unsigned int mach_msg_size_t;
typedef int mach_msg_id_t;
typedef int mach_msg_option_t;

typedef struct {
    unsigned int msgh_bits;
    unsigned int msgh_size;
    union {
        mach_port_t msgh_remote_port;
        uintptr_t remote_word;
    };
    union {
        mach_port_t msgh_local_port;
        uintptr_t msgh_protected_payload;
    };
    mach_port_seqno_t msgh_seqno;
    int msgh_id;
} mach_msg_header_t;

typedef struct {
    union {
        mach_port_name_t name;
        uintptr_t kernel_port_do_not_use;
    };
} mach_port_name_inlined_t;

#ifdef __LP64__
typedef struct {
    unsigned int msgt_name : 8, msgt_size : 16, msgt_unused : 5, msgt_inline : 1, msgt_longform : 1, msgt_deallocate : 1;
    mach_msg_type_number_t msgt_number;
} __attribute__((aligned(8))) mach_msg_type_t;
typedef struct {
    union {
        mach_msg_type_t msgtl_header;
        struct {
            unsigned int msgtl_name : 8, msgtl_size : 16, msgtl_unused : 5, msgtl_inline : 1, msgtl_longform : 1,
                msgtl_deallocate : 1;
            mach_msg_type_number_t msgtl_number;
        };
    };
} __attribute__((aligned(8))) mach_msg_type_long_t;
#else
typedef struct {
    unsigned int msgt_name : 8, msgt_size : 8, msgt_number : 12, msgt_inline : 1, msgt_longform : 1, msgt_deallocate : 1,
        msgt_unused : 1;
} mach_msg_type_t;
typedef struct {
    mach_msg_type_t msgtl_header;
    unsigned short msgtl_name;
    unsigned short msgtl_size;
    unsigned int msgtl_number;
} mach_msg_type_long_t;
#endif

#define MACH_MSGH_BITS_REMOTE_MASK 0xffu
#define MACH_MSGH_BITS_COMPLEX 0x80000000u
#define MACH_MSGH_BITS(remote, local) ((remote) | ((local) << 8))
#define MACH_MSGH_BITS_REMOTE(bits) ((bits) & 0xffu)
#define MACH_MSGH_BITS_LOCAL(bits) (((bits) & 0xff00u) >> 8)

#define MACH_MSG_TYPE_BOOLEAN 0
#define MACH_MSG_TYPE_INTEGER_16 1
#define MACH_MSG_TYPE_INTEGER_32 2
#define MACH_MSG_TYPE_CHAR 8
#define MACH_MSG_TYPE_BYTE 9
#define MACH_MSG_TYPE_INTEGER_8 9
#define MACH_MSG_TYPE_INTEGER_64 11
#define MACH_MSG_TYPE_STRING_C 12
#define MACH_MSG_TYPE_PORT_NAME 15
#define MACH_MSG_TYPE_MOVE_RECEIVE 16
#define MACH_MSG_TYPE_MOVE_SEND 17
#define MACH_MSG_TYPE_MOVE_SEND_ONCE 18
#define MACH_MSG_TYPE_COPY_SEND 19
#define MACH_MSG_TYPE_MAKE_SEND 20
#define MACH_MSG_TYPE_MAKE_SEND_ONCE 21
#define MACH_MSG_TYPE_PORT_RECEIVE MACH_MSG_TYPE_MOVE_RECEIVE
#define MACH_MSG_TYPE_PORT_SEND MACH_MSG_TYPE_MOVE_SEND
#define MACH_MSG_TYPE_PORT_SEND_ONCE MACH_MSG_TYPE_MOVE_SEND_ONCE
#define MACH_MSG_TYPE_PROTECTED_PAYLOAD 23
#define MACH_MSG_TYPE_POLYMORPHIC ((mach_msg_type_name_t) -1)
#define MACH_MSG_TYPE_PORT_ANY(x) ((x) >= MACH_MSG_TYPE_MOVE_RECEIVE && (x) <= MACH_MSG_TYPE_MAKE_SEND_ONCE)

#define MACH_MSG_SUCCESS 0
#define MACH_MSG_OPTION_NONE 0
#define MACH_MSG_TIMEOUT_NONE 0
#define MACH_SEND_MSG 0x1
#define MACH_RCV_MSG 0x2
#define MACH_SEND_TIMEOUT 0x10
#define MACH_RCV_TIMEOUT 0x100
#define MACH_RCV_INTERRUPT 0x400
#define MACH_RCV_LARGE 0x800

#define MACH_MSG_MASK 0x3c00
#define MACH_SEND_INVALID_DATA 0x10000002
#define MACH_SEND_INVALID_DEST 0x10000003
#define MACH_SEND_TIMED_OUT 0x10000004
#define MACH_SEND_INTERRUPTED 0x10000007
#define MACH_SEND_MSG_TOO_SMALL 0x10000008
#define MACH_SEND_NO_BUFFER 0x1000000d
#define MACH_RCV_TIMED_OUT 0x10004003
#define MACH_RCV_TOO_LARGE 0x10004004
#define MACH_RCV_INTERRUPTED 0x10004005
#define MACH_RCV_PORT_DIED 0x10004009
#define MACH_RCV_HEADER_ERROR 0x1000400b
#define MACH_RCV_BODY_ERROR 0x1000400c

mach_msg_return_t mach_msg(mach_msg_header_t *message, int options, unsigned int size, unsigned int room, mach_port_t port,
    unsigned int timeout, mach_port_t notify);
#endif
