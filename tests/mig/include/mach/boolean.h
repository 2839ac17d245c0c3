/* A stand-in for tests: as much of Mach's headers as stubs need. */
#ifndef MACH_BOOLEAN
#define MACH_BOOLEAN
typedef int boolean_t;
#define TRUE 1
#define FALSE 0
#endif
