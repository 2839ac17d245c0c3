/* Which stage the test wants to fail. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static inline bool fails(const char *what)
{
    const char *const wanted = getenv("FAILS");
    return wanted != NULL && strcmp(wanted, what) == 0;
}
