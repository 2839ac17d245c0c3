/* whittle: --why stream.h:14 */
#include "stream.h"
