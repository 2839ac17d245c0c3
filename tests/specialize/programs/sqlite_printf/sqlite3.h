/* The interface, as the source has it; a build would fill in versions. */
#define SQLITE_API
#include "sqlite.h.in"
