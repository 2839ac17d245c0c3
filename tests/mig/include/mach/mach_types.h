#ifndef MACH_MACH_TYPES
#define MACH_MACH_TYPES
#include <mach/message.h>
typedef uintptr_t vm_address_t;
typedef uintptr_t vm_offset_t;
typedef uintptr_t vm_size_t;
#endif
