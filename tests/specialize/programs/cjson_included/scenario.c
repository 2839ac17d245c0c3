/* The same scenario, with the library's source in the scenario's own unit. */
#include "cJSON.c"
#include "../cjson/scenario.c"
