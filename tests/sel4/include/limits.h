/* The compiler's own, without the C library's behind it. */
#ifndef SEL4_LIMITS_H
#define SEL4_LIMITS_H
#define CHAR_BIT __CHAR_BIT__
#define INT_MAX __INT_MAX__
#define UINT_MAX (__INT_MAX__ * 2U + 1)
#endif
