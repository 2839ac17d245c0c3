/* The packets of the paper, as a C programmer declares them; and a colour image of 364 x 366 and some pixels. */
#ifndef PACKETS_H
#define PACKETS_H
#include <stdint.h>

typedef struct { int32_t numbers[1]; } Small;
typedef struct { char text[100]; float reals[10]; int32_t numbers[3]; } Mixed;
typedef struct { int32_t numbers[3072]; } Large;
typedef struct { int32_t numbers[1]; uint8_t pixels[399996]; } Image;
#endif
