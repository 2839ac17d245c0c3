#ifndef FIGURE7_TYPES_H
#define FIGURE7_TYPES_H
typedef int *ints_array;
#endif
