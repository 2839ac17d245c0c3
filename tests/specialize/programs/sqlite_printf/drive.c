#include "../musl_vfprintf/drive.c"
