/*
 * Three processes in a row, and two edges that meet: ends travel down, a signal at the source loses nothing, what has the
 * greater priority goes first, a second process of one end is refused.
 */
#include "common.h"

static struct whittle_flow_edge first, second, other;

static int source(const void *argument)
{
    struct end end;
    begin_sender(&end, argument);
    uint64_t next = 0;
    for (uint32_t n = 0; whittle_flow_goes_on(); n++) {
        whittle_flow_pace(&next, 20000, 1000000000u);
        ((struct number *)whittle_flow_room(&end.sender))->value = n;
        CHECK(whittle_flow_send(&end.sender, 0), "packet %u", n);
    }
    return whittle_flow_end(&end.process);
}

static int middle(const void *argument)
{
    struct whittle_flow_sender sender = {.edge = &second};
    struct whittle_flow_receiver receiver = {.edge = &first};
    struct whittle_flow_sender *const senders[] = {&sender};
    struct whittle_flow_receiver *const receivers[] = {&receiver};
    struct whittle_flow_process process = {.flow = "test", .security = &whittle_flow_keyed, .name = "middle", .senders = senders, .sender_count = 1, .receivers = receivers, .receiver_count = 1};
    char *arguments[] = {(char *)(uintptr_t)"middle", NULL};
    const struct number *packet;
    CHECK(argument == NULL && whittle_flow_begin(&process, 1, arguments), "middle");
    while ((packet = whittle_flow_receive(&receiver)) != NULL) {
        ((struct number *)whittle_flow_room(&sender))->value = packet->value + 1;
        CHECK(whittle_flow_send(&sender, 0), "packet");
    }
    return whittle_flow_end(&process);
}

static int sink(const void *argument)
{
    struct end end;
    const struct number *packet;
    uint32_t n = 0;
    begin_receiver(&end, argument);
    while ((packet = whittle_flow_receive(&end.receiver)) != NULL)
        EQUAL(packet->value, ++n);
    return whittle_flow_end(&end.process);
}

static void chain(enum whittle_flow_transport one, enum whittle_flow_transport two)
{
    new_place("a signal at the source ends a chain, and loses nothing");
    first = an_edge(&number_type, one);
    second = an_edge(&number_type, two);
    second.number = 4;
    const pid_t from = spawn(source, &first), through = spawn(middle, NULL), to = spawn(sink, &second);
    await_counter(4, "receiver", whittle_flow_ledger_taken, 2000);
    kill(from, SIGINT);
    EQUAL(reap(from), 0);
    EQUAL(reap(through), 0);
    EQUAL(reap(to), 0);
    check_balance(3, 0);
    check_balance(4, 0);
    EQUAL(whittle_flow_ledger_offered(page_of(3, "sender")), whittle_flow_ledger_delivered(page_of(4, "receiver")));
}

static int few(const void *argument)
{
    struct end end;
    begin_sender(&end, argument);
    for (uint32_t n = 0; n < 50; n++) {
        ((struct number *)whittle_flow_room(&end.sender))->value = n;
        CHECK(whittle_flow_send(&end.sender, 0), "packet %u", n);
    }
    return whittle_flow_end(&end.process);
}

static int meeting(const void *argument)
{
    struct whittle_flow_receiver low = {.edge = &first}, high = {.edge = &other};
    struct whittle_flow_receiver *const receivers[] = {&low, &high};
    struct whittle_flow_process process = {.flow = "test", .security = &whittle_flow_keyed, .name = "meeting", .receivers = receivers, .receiver_count = 2};
    char *arguments[] = {(char *)(uintptr_t)"meeting", NULL};
    uint32_t next[2] = {0, 0};
    size_t which;
    const struct number *packet;
    CHECK(argument == NULL && whittle_flow_begin(&process, 1, arguments), "meeting");
    /* Once one of each has come, all of each has: both were sent in one batch, and the shared ring is full from the start. */
    while ((packet = whittle_flow_receive_any(receivers, 2, &which)) != NULL) {
        EQUAL(packet->value, next[which]++);
        if (which == 0 && next[0] > 1 && next[1] > 0)
            EQUAL(next[1], 50);
        if (next[0] + next[1] == 1)
            sleep_ms(300);
    }
    EQUAL(next[0], 50);
    EQUAL(next[1], 50);
    return whittle_flow_end(&process);
}

static void meet(enum whittle_flow_transport one, enum whittle_flow_transport two)
{
    new_place("of edges that meet, the greater priority goes first");
    first = an_edge(&number_type, one);
    other = an_edge(&number_type, two);
    other.number = 5;
    other.priority = 7;
    const pid_t at = spawn(meeting, NULL), one_sends = spawn(few, &first), two_sends = spawn(few, &other);
    EQUAL(reap(one_sends), 0);
    EQUAL(reap(two_sends), 0);
    EQUAL(reap(at), 0);
    check_balance(3, 0);
    check_balance(5, 0);
}

/* Two stages of one process: one waits for place in its queue, the other flushes all queues before it waits for its rate. */
enum { ROUNDS = 6000, EACH = 7 };
static struct whittle_flow_sender filling, paced;

static void fill(void)
{
    for (uint32_t n = 0; n < ROUNDS * EACH; n++) {
        ((struct list *)whittle_flow_room(&filling))->used = 3000;
        CHECK(whittle_flow_send(&filling, 0), "packet %u", n);
    }
    whittle_flow_close(&filling);
}

static void pace(void)
{
    for (uint32_t n = 0; n < ROUNDS; n++) {
        ((struct number *)whittle_flow_room(&paced))->value = n;
        CHECK(whittle_flow_send(&paced, 0), "packet %u", n);
    }
    whittle_flow_close(&paced);
}

static int both(const void *argument)
{
    struct whittle_flow_sender *const senders[] = {&filling, &paced};
    struct whittle_flow_process process = {.flow = "test", .security = &whittle_flow_keyed, .name = "both", .senders = senders, .sender_count = 2};
    whittle_flow_run_stage *const stages[] = {fill, pace};
    char *arguments[] = {(char *)(uintptr_t)"both", NULL};
    filling.edge = &first;
    paced.edge = &other;
    CHECK(argument == NULL && whittle_flow_begin(&process, 1, arguments), "both");
    CHECK(whittle_flow_run(&process, stages, 2), "stages");
    return whittle_flow_end(&process);
}

/* Takes some of the full edge for each packet of the paced one: it comes to no end where the second waits for the first. */
static int by_turns(const void *argument)
{
    struct whittle_flow_receiver full = {.edge = &first}, seldom = {.edge = &other};
    struct whittle_flow_receiver *const receivers[] = {&full, &seldom};
    struct whittle_flow_process process = {.flow = "test", .security = &whittle_flow_keyed, .name = "turns", .receivers = receivers, .receiver_count = 2};
    char *arguments[] = {(char *)(uintptr_t)"turns", NULL};
    CHECK(argument == NULL && whittle_flow_begin(&process, 1, arguments), "turns");
    while (whittle_flow_receive(&seldom) != NULL)
        for (int n = 0; n < EACH; n++) {
            whittle_flow_done(&seldom);
            CHECK(whittle_flow_receive(&full) != NULL, "full");
            whittle_flow_done(&full);
        }
    return whittle_flow_end(&process);
}

static void flush(void)
{
    new_place("who flushes does not wait for who waits");
    first = an_edge(&list_type, WHITTLE_FLOW_UNIX);
    first.queue_items = 2;
    other = an_edge(&number_type, WHITTLE_FLOW_UNIX);
    other.number = 5;
    other.queue_items = 1;
    other.rate_units = 20000;
    other.rate_period = 1000000000u;
    const pid_t to = spawn(by_turns, NULL), from = spawn(both, NULL);
    EQUAL(reap(from), 0);
    EQUAL(reap(to), 0);
    check_balance(3, 0);
    check_balance(5, 0);
}

static int second_holder(const void *argument)
{
    struct end end = {.sender = {.edge = argument}, .senders = {&end.sender}, .process = {.flow = "test", .name = "second", .senders = end.senders, .sender_count = 1}};
    char *arguments[] = {(char *)(uintptr_t)"second", NULL};
    return whittle_flow_begin(&end.process, 1, arguments) ? 1 : 0;
}

int main(void)
{
    chain(WHITTLE_FLOW_TCP, WHITTLE_FLOW_SHM);
    chain(WHITTLE_FLOW_SHM, WHITTLE_FLOW_UNIX);
    chain(WHITTLE_FLOW_UNIX, WHITTLE_FLOW_TCP);
    meet(WHITTLE_FLOW_TCP, WHITTLE_FLOW_UNIX);
    meet(WHITTLE_FLOW_SHM, WHITTLE_FLOW_TCP);
    meet(WHITTLE_FLOW_SHM, WHITTLE_FLOW_SHM);
    flush();
    first = an_edge(&number_type, WHITTLE_FLOW_SHM);
    new_place("an end that a process holds is refused to another");
    const pid_t from = spawn(source, &first);
    await_counter(3, "sender", whittle_flow_ledger_offered, 1);
    EQUAL(reap(spawn(second_holder, &first)), 0);
    kill_hard(from);
    return 0;
}
