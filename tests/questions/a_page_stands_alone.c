/* whittle: --show-binding-times=html */
#include "stream.h"
