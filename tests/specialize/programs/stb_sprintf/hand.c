#include "../musl_vfprintf/hand.c"
