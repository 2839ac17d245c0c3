/*
 * Storms over each transport from process to process, delivery and kind of packet (storm_common.c).
 *
 * Usage: storm_test [SEED [BLOWS [TRANSPORT]]]. A failure names its seed.
 */
#include "storm_common.h"

enum { BLOWS = 24 };

static void begin(struct end *end, const struct whittle_flow_edge *edge, bool sends)
{
    (sends ? begin_sender : begin_receiver)(end, edge);
}

static int finish(struct end *end)
{
    return whittle_flow_end(&end->process);
}

int main(int argc, char **argv)
{
    static const struct { const char *name; enum whittle_flow_transport transport; } ways[] = {
        {"tcp", WHITTLE_FLOW_TCP}, {"unix", WHITTLE_FLOW_UNIX}, {"shm", WHITTLE_FLOW_SHM}};
    const unsigned long long seed = storm_seed(argc, argv);
    const unsigned blows = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : BLOWS;
    const char *const only = argc > 3 ? argv[3] : NULL;
    for (size_t way = 0; way < sizeof ways / sizeof *ways; way++)
        for (int kind = 0; kind < KINDS; kind++) {
            const struct weather weather = {.edge = storm_edge(ways[way].transport, kind), .blows = blows, .begin = begin, .finish = finish};
            if (only != NULL && strcmp(only, ways[way].name) != 0)
                continue;
            new_place(storm_name(seed, ways[way].name, &weather.edge));
            storm(&weather);
        }
    return 0;
}
