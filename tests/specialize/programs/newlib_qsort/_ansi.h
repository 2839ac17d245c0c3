/* What newlib's qsort.c needs of newlib's own headers; the others are the machine's. */
#ifndef __unused
#define __unused __attribute__((unused))
#endif
