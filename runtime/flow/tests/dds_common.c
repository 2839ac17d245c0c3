/* What tests of edges over DDS share: a domain of the test's own, which does not leave this machine, and processes in it. */
#include "dds_common.h"

void begin_over_dds(struct end *end, const struct whittle_flow_edge *edge, bool sends)
{
    char *arguments[] = {"test", NULL};
    memset(end, 0, sizeof *end);
    end->sender.edge = end->receiver.edge = edge;
    end->senders[0] = &end->sender;
    end->receivers[0] = &end->receiver;
    end->process.flow = "test";
    end->process.name = sends ? "source" : "sink";
    end->process.senders = end->senders;
    end->process.receivers = end->receivers;
    end->process.sender_count = sends;
    end->process.receiver_count = !sends;
    end->process.dds = &whittle_flow_dds;
    if (!whittle_flow_begin(&end->process, 1, arguments))
        exit(77);
}

void new_domain(const char *test)
{
    static unsigned places;
    char number[16];
    new_place(test);
    snprintf(number, sizeof number, "%u", ((unsigned)getpid() * 7 + places++) % 200);
    setenv("WHITTLE_DDS_DOMAIN", number, 1);
}
