/* SPDX-License-Identifier: MIT-0 */
/* How long to stay awake: spin.h. */
#include "spin.h"
#include <sched.h>

/* With one processor the peer cannot answer while this one looks. */
uint64_t whittle_net_spin_time(void)
{
    cpu_set_t processors;
    return sched_getaffinity(0, sizeof processors, &processors) != 0 || CPU_COUNT(&processors) > 1 ? WHITTLE_NET_SPIN : 0;
}
