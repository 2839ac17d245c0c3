/* SPDX-License-Identifier: MIT-0 */
/* What greet.c and greetings.c share: connections that have been accepted, and are no edge's yet. */
#ifndef WHITTLE_FLOW_GREETINGS_H
#define WHITTLE_FLOW_GREETINGS_H
#include "parts.h"

void whittle_flow_greeting_drop(struct whittle_flow_greeting *greeting);
void whittle_flow_greeting_refuse(struct whittle_flow_greeting *greeting, const char *why);
void whittle_flow_greeting_proven(struct whittle_flow_greeting *greeting);
#endif
