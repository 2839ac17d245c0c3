/* What tests of edges over DDS share: a domain, and processes in it. */
#ifndef DDS_COMMON_H
#define DDS_COMMON_H
#include "common.h"

void new_domain(const char *test);          /* as new_place; processes that begin from now on are in a domain of this place */
void begin_over_dds(struct end *end, const struct whittle_flow_edge *edge, bool sends);
#endif
