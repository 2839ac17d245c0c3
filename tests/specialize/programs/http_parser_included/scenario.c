/* The same scenario, with the library's source in the scenario's own unit. */
#include "http_parser.c"
#include "../http_parser/scenario.c"
