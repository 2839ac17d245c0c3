/* Hears wishes, and passes none on: what a camera does that nobody asks for anything. */
#include "Deaf.h"

bool ignore(struct Deaf *self)
{
    (void)self;
    return true;
}
