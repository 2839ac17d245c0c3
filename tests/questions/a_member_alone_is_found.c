/* whittle: --why left */
#include "stream.h"
