/* What newlib's strtol.c needs of the rest of newlib. */
#include <reent.h>
#include "setlocale.h"

static struct _reent own;
struct _reent *_impure_ptr = &own;
struct __locale_t __global_locale;

int *__errno(void)
{
    return &_impure_ptr->_errno;
}
