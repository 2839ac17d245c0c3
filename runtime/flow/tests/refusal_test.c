/*
 * Packets that do not go, and edges that have one end: faulty packets, a receiver that wants no more, one of another type,
 * none at all; each packet is counted with its reason.
 */
#include "common.h"

static int faulty_source(const void *argument)
{
    struct end end;
    begin_sender(&end, argument);
    struct list *list = whittle_flow_room(&end.sender);
    list->used = 4000;
    EQUAL(whittle_flow_send(&end.sender, 0), WHITTLE_FLOW_IS_FAULTY);
    list = whittle_flow_room(&end.sender);
    list->used = 1;
    list->item[0] = 7;
    EQUAL(whittle_flow_send(&end.sender, 0), WHITTLE_FLOW_IS_SENT);
    return whittle_flow_end(&end.process);
}

static int list_sink(const void *argument)
{
    struct end end;
    begin_receiver(&end, argument);
    const struct list *const list = whittle_flow_receive(&end.receiver);
    CHECK(list != NULL && list->used == 1 && list->item[0] == 7, "list");
    CHECK(whittle_flow_receive(&end.receiver) == NULL, "a second");
    return whittle_flow_end(&end.process);
}

static int stubborn_source(const void *argument)
{
    struct end end;
    uint32_t n = 0;
    begin_sender(&end, argument);
    do {
        ((struct number *)whittle_flow_room(&end.sender))->value = n++;
    } while (whittle_flow_send(&end.sender, 0));
    CHECK(!whittle_flow_send(&end.sender, 0), "sent after a refusal");
    return whittle_flow_end(&end.process);
}

static int picky_sink(const void *argument)
{
    struct end end;
    begin_receiver(&end, argument);
    for (uint32_t n = 0; n < 1000; n++)
        EQUAL(((const struct number *)whittle_flow_receive(&end.receiver))->value, n);
    whittle_flow_refuse(&end.receiver);
    CHECK(whittle_flow_receive(&end.receiver) == NULL, "received after a refusal");
    return whittle_flow_end(&end.process);
}

static void pair(const char *name, int (*from)(const void *), int (*to)(const void *), const struct whittle_flow_edge *edge)
{
    new_place(name);
    const pid_t sender = spawn(from, edge), receiver = spawn(to, edge);
    EQUAL(reap(sender), 0);
    EQUAL(reap(receiver), 0);
}

static int five(const void *argument)
{
    struct end end;
    begin_sender(&end, argument);
    for (uint32_t n = 0; n < 5; n++)
        CHECK(whittle_flow_send(&end.sender, 0), "packet %u", n);
    return whittle_flow_end(&end.process);
}

static int none(const void *argument)
{
    struct end end;
    begin_receiver(&end, argument);
    CHECK(whittle_flow_receive(&end.receiver) == NULL, "a packet");
    return whittle_flow_end(&end.process);
}

static void mismatch(void)
{
    static const struct whittle_flow_type other = {.name = "other", .fingerprint = 5, .size = 4, .alignment = 4, .fixed = 4};
    const struct whittle_flow_edge here = an_edge(&number_type, WHITTLE_FLOW_TCP), there = an_edge(&other, WHITTLE_FLOW_TCP);
    new_place("types that differ are refused on both sides");
    const pid_t to = spawn(none, &here), from = spawn(five, &there);
    EQUAL(reap(from), 1);
    CHECK(counter_of(3, "receiver", WHITTLE_FLOW_STRANGERS) > 0, "not counted");
    EQUAL(counter_of(3, "sender", WHITTLE_FLOW_ABANDONED), 5);
    kill(to, SIGTERM);
    EQUAL(reap(to), 0);
}

/* Its program ends when it is asked to; what it offered did not go anywhere, whatever it would have gone through. */
static void nobody(const struct whittle_flow_edge *edge)
{
    new_place("what nobody ever came for is abandoned");
    const pid_t from = spawn(five, edge);
    await_counter(3, "sender", whittle_flow_ledger_offered, 5);
    kill(from, SIGTERM);
    EQUAL(reap(from), 1);
    EQUAL(counter_of(3, "sender", WHITTLE_FLOW_ABANDONED), 5);
    EQUAL(counter_of(3, "sender", WHITTLE_FLOW_SENT), 0);
    EQUAL(whittle_flow_ledger_waiting(page_of(3, "sender")), 0);
}

int main(void)
{
    static const enum whittle_flow_transport ways[] = {WHITTLE_FLOW_TCP, WHITTLE_FLOW_UNIX, WHITTLE_FLOW_SHM};
    for (size_t way = 0; way < sizeof ways / sizeof *ways; way++) {
        const struct whittle_flow_edge lists = an_edge(&list_type, ways[way]), numbers = an_edge(&number_type, ways[way]);
        pair("a packet over its bounds is not sent, and counted", faulty_source, list_sink, &lists);
        check_balance(3, 0);
        EQUAL(counter_of(3, "sender", WHITTLE_FLOW_FAULTY), 1);
        pair("a receiver that wants no more ends its sender", stubborn_source, picky_sink, &numbers);
        EQUAL(whittle_flow_ledger_delivered(page_of(3, "receiver")), 1000);
        nobody(&numbers);
    }
    mismatch();
    return 0;
}
