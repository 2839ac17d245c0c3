#ifndef MACH_NOTIFY
#define MACH_NOTIFY
#define MACH_NOTIFY_SEND_ONCE 71
#endif
