/* whittle: --why stream->lfet */
#include "stream.h"
