#ifndef MACH_MIG_ERRORS
#define MACH_MIG_ERRORS
#include <mach/message.h>
#define MIG_TYPE_ERROR -300
#define MIG_REPLY_MISMATCH -301
#define MIG_BAD_ID -303
#define MIG_BAD_ARGUMENTS -304
#define MIG_ARRAY_TOO_LARGE -307
#define MIG_SERVER_DIED -308
typedef struct {
    mach_msg_header_t Head;
    mach_msg_type_t RetCodeType;
    kern_return_t RetCode;
} mig_reply_header_t;
typedef void (*mig_routine_t)(mach_msg_header_t *, mach_msg_header_t *);
#endif
