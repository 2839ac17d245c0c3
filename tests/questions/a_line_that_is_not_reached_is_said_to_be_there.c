/* whittle: --why wholes.h:11 --why wholes.h:99 */
#include "wholes.h"
