/* whittle: --why mode */
#include "stream.h"
