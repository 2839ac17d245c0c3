/*
 * Storms over edges via a NATS server, which is killed and comes again as the two ends are (storm_common.c).
 *
 * Usage: nats_storm_test [SEED [BLOWS]]. A failure names its seed.
 */
#include "nats_common.h"
#include "storm_common.h"

enum { BLOWS = 12 };

static void begin(struct end *end, const struct whittle_flow_edge *edge, bool sends)
{
    begin_over_nats(end, edge, sends, false);
}

static void strike(void)
{
    stop_server(SIGKILL);
    sleep_ms((unsigned)draw(50));
    start_server(true);
}

int main(int argc, char **argv)
{
    if (!has_server())
        return 0;
    const unsigned long long seed = storm_seed(argc, argv);
    const unsigned blows = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : BLOWS;
    setenv("WHITTLE_WAIT", "30", 1);
    for (int kind = 0; kind < KINDS; kind++) {
        struct weather weather = {.edge = storm_edge(WHITTLE_FLOW_NATS, kind), .blows = blows, .begin = begin, .finish = end_with_library,
            .strike = strike, .keeps = true};
        /* In place of best effort that blocks, which over a server is no other than reliable. */
        if (weather.edge.full == WHITTLE_FLOW_BLOCK && weather.edge.delivery == WHITTLE_FLOW_BEST_EFFORT)
            weather.edge.delivery = WHITTLE_FLOW_DURABLE;
        new_server_place(storm_name(seed, "nats", &weather.edge));
        start_server(true);
        storm(&weather);
        stop_server(SIGTERM);
    }
    return 0;
}
