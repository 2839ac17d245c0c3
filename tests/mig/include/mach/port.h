#ifndef MACH_PORT
#define MACH_PORT
#include <stdint.h>
typedef unsigned int mach_port_t;
typedef unsigned int mach_port_name_t;
typedef unsigned int mach_port_seqno_t;
typedef mach_port_t *mach_port_array_t;
#define MACH_PORT_NULL 0
#endif
