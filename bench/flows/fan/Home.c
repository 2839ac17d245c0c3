#include "Home.h"

bool keep(struct Home *self)
{
    (void)self;
    return true;
}
