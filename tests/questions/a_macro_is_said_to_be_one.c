/* whittle: --why LIMIT */
#include "wholes.h"
