/*
 * A subscriber whose connection is cut comes again, and is not taken for gone: not even while the publisher's thread, which has
 * found the cut, has yet to note when that was. The linker puts this test in between. The publisher is older than the grace
 * that a subscriber has.
 */
#include "common.h"
#include "../internal.h"

enum { CUTS = 40, OLD = 2200 };     /* times; milliseconds */

void __real_whittle_flow_end_session(const struct whittle_flow_link *link, struct whittle_flow_session **session);
void __wrap_whittle_flow_end_session(const struct whittle_flow_link *link, struct whittle_flow_session **session);

static pthread_t publishing;
static unsigned found;              /* cuts that the publisher's thread has found */

void __wrap_whittle_flow_end_session(const struct whittle_flow_link *link, struct whittle_flow_session **session)
{
    __real_whittle_flow_end_session(link, session);
    if (publishing != 0 && pthread_equal(pthread_self(), publishing)) {
        found++;
        sleep_ms(60);
    }
}

static int subscriber(const void *argument)
{
    struct end end;
    begin_receiver(&end, argument);
    while (whittle_flow_receive(&end.receiver) != NULL)
        continue;
    return whittle_flow_end(&end.process);
}

static void publish(struct whittle_flow_fan *fan)
{
    static struct number packet;
    packet.value++;
    CHECK(whittle_flow_publish(fan, &packet, 0) != WHITTLE_FLOW_IS_FAULTY, "packet %u", packet.value);
}

static uint64_t delivered(void)
{
    const struct whittle_flow_ledger *const page = page_of(5, "receiver");
    return page != NULL ? whittle_flow_ledger_delivered(page) : 0;
}

/* Until it has had more than that. */
static void until_more(struct whittle_flow_fan *fan, uint64_t count)
{
    for (int turn = 0; delivered() <= count; turn++) {
        CHECK(turn < 10000, "the subscriber gets nothing any more, after %u cuts", found);
        publish(fan);
        sleep_ms(1);
    }
}

static void comes_again(enum whittle_flow_transport transport)
{
    static struct whittle_flow_sender sender, *senders[] = {&sender};
    static struct whittle_flow_fan fan, *fans[] = {&fan};
    struct whittle_flow_process process = {.flow = "test", .name = "source", .security = &whittle_flow_keyed, .senders = senders, .sender_count = 1,
        .fans = fans, .fan_count = 1};
    struct whittle_flow_edge edge = an_edge(&number_type, transport);
    char program[] = "test", *arguments[] = {program, NULL};
    edge.number = 5;
    edge.subscription = true;
    sender = (struct whittle_flow_sender){.edge = &edge};
    fan = (struct whittle_flow_fan){.channel = "News", .senders = senders, .count = 1, .history = 4};
    new_place("rejoin");
    const pid_t to = spawn(subscriber, &edge);
    found = 0;
    CHECK(whittle_flow_begin(&process, 1, arguments), "the publisher");
    until_more(&fan, 0);
    sleep_ms(OLD);
    for (int cut = 0; cut < CUTS && found < 3; cut++) {
        publishing = pthread_self();
        cut_connections();
        for (int n = 0; n < 20; n++)
            publish(&fan);
        publishing = 0;
        until_more(&fan, delivered());
    }
    CHECK(found > 0, "the publisher's thread has never found a cut");
    whittle_flow_close(&sender);
    CHECK(whittle_flow_end(&process) == 0, "the publisher's end");
    kill(to, SIGTERM);
    const int ended = reap(to);
    CHECK(ended == 0 || ended == 128 + SIGTERM, "%d", ended);
}

int main(void)
{
    comes_again(WHITTLE_FLOW_TCP);
    comes_again(WHITTLE_FLOW_UNIX);
    return 0;
}
