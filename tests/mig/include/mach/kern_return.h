#ifndef MACH_KERN_RETURN
#define MACH_KERN_RETURN
typedef int kern_return_t;
#define KERN_SUCCESS 0
#define KERN_NO_SPACE 3
#define KERN_INVALID_RIGHT 17
#endif
