/* SPDX-License-Identifier: MIT-0 */
/*
 * The transports, a row each: what the rest of this library asks of one, so that nothing else names any. Those of messages are carried by
 * a channel (struct whittle_flow_transport_functions), which the process brings; the others by connections from process to process.
 */
#include "internal.h"

const struct whittle_flow_transport_traits whittle_flow_transports[] = {
    [WHITTLE_FLOW_TCP] = {.by_port = true, .near = WHITTLE_FLOW_NEAR},
    [WHITTLE_FLOW_UNIX] = {.near = WHITTLE_FLOW_NEAR / 2},
    [WHITTLE_FLOW_SHM] = {.shared = true, .near = WHITTLE_FLOW_NEAR},
    [WHITTLE_FLOW_NATS] = {.brought = offsetof(struct whittle_flow_process, nats),
        .missing = "nothing carries it: its process must say `.nats = &whittle_flow_nats`", .near = WHITTLE_FLOW_NEAR},
    [WHITTLE_FLOW_DDS] = {.brought = offsetof(struct whittle_flow_process, dds),
        .missing = "nothing carries it: its process must say `.dds = &whittle_flow_dds`", .near = WHITTLE_FLOW_NEAR},
    [WHITTLE_FLOW_DIRECT] = {.calls = true, .near = WHITTLE_FLOW_NEAR},
};
