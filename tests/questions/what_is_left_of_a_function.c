/* whittle: --why put */
#include "stream.h"
