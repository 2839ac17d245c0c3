/* whittle: --why nonsense */
#include "stream.h"
