/* whittle: --why settings_of_all --why sizes */
#include "wholes.h"
