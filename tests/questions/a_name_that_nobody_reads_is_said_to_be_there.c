/* whittle: --why never_used --why never_called:argument --why PLAIN --why settings */
#include "wholes.h"
