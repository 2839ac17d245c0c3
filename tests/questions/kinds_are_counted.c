/* whittle: --statistics */
#include "stream.h"
