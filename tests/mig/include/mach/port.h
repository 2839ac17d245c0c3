#ifndef MACH_PORT
#define MACH_PORT
#include <stdint.h>
typedef unsigned int mach_port_t;
typedef unsigned int mach_port_name_t;
typedef unsigned int mach_port_seqno_t;
typedef mach_port_t *mach_port_array_t;
#define MACH_PORT_NULL 0
#define MACH_PORT_DEAD (~0u)
#define MACH_PORT_RIGHT_SEND 0
#define MACH_PORT_RIGHT_RECEIVE 1
#define MACH_PORT_RIGHT_PORT_SET 3
#endif
