/* whittle: --statistics --message-format json */
#include "stream.h"
