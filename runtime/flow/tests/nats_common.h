/* What tests of edges over NATS share: a server, and processes that use it. */
#ifndef NATS_COMMON_H
#define NATS_COMMON_H
#include "common.h"

extern pid_t server;
bool has_server(void);                      /* else it is said that the test is skipped */
void new_server_place(const char *test);    /* as new_place; processes that begin from now on use the server of this place */
void start_server(bool jetstream);
void stop_server(int how);

void begin_over_nats(struct end *end, const struct whittle_flow_edge *edge, bool sends, bool replay);
int end_with_library(struct end *end);
#endif
