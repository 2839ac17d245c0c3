/* What the interface files of this folder include. */
#ifndef XCOM_BASE_H
#define XCOM_BASE_H
#include <stdint.h>
#endif
