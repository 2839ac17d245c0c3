/*
 * Storms over edges via DDS (storm_common.c).
 *
 * Usage: dds_storm_test [SEED [BLOWS]]. A failure names its seed.
 */
#include "dds_common.h"
#include "storm_common.h"

enum { BLOWS = 8 };

static int finish(struct end *end)
{
    return whittle_flow_end(&end->process);
}

int main(int argc, char **argv)
{
    const unsigned long long seed = storm_seed(argc, argv);
    const unsigned blows = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : BLOWS;
    setenv("WHITTLE_WAIT", "30", 1);
    unsetenv("CYCLONEDDS_URI");
    for (int kind = 0; kind < KINDS; kind++) {
        struct weather weather = {.edge = storm_edge(WHITTLE_FLOW_DDS, kind), .blows = blows, .begin = begin_over_dds, .finish = finish, .keeps = true};
        if (weather.edge.delivery == WHITTLE_FLOW_DURABLE)
            weather.edge.delivery = WHITTLE_FLOW_RELIABLE;
        new_domain(storm_name(seed, "dds", &weather.edge));
        storm(&weather);
    }
    return 0;
}
