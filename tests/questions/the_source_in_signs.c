/* whittle: --show-binding-times */
#include "stream.h"
