/*
 * Storms over a channel: a publisher and three subscribers, one over each transport, are killed, stopped and cut off, and subscribers leave
 * and come again, at times drawn from a seed. One of them wants even numbers only. Within each life of a subscriber numbers grow, and none
 * is missing that the account does not name; in the end each subscription's account adds up.
 *
 * Usage: channel_storm_test [SEED [BLOWS]]. A failure names its seed.
 */
#include "storm_common.h"

enum { BLOWS = 16, STORMS = 4, SUBSCRIBERS = 3, HISTORY = 4 };

/* What the processes and the storm know of each other beside the flow. */
struct board {
    uint32_t over;                      /* the publisher is to end */
    uint32_t leaves[SUBSCRIBERS];       /* this subscriber is to leave */
    uint32_t published;
};
static struct board *board;
static struct whittle_flow_edge edges[SUBSCRIBERS];
static const unsigned numbers[SUBSCRIBERS] = {0, 1, 2};

static bool is_even(const void *packet)
{
    return ((const struct number *)packet)->value % 2 == 0;
}

static int publisher(const void *argument)
{
    static struct whittle_flow_sender senders[SUBSCRIBERS], *all[SUBSCRIBERS];
    static struct whittle_flow_fan fan, *fans[] = {&fan};
    struct whittle_flow_process process = {.flow = "test", .name = "source", .security = &whittle_flow_keyed, .senders = all, .sender_count = SUBSCRIBERS,
        .fans = fans, .fan_count = 1};
    char program[] = "test", *arguments[] = {program, NULL};
    (void)argument;
    for (int n = 0; n < SUBSCRIBERS; n++) {
        senders[n] = (struct whittle_flow_sender){.edge = &edges[n], .wants = edges[n].filter != NULL ? is_even : NULL};
        all[n] = &senders[n];
    }
    fan = (struct whittle_flow_fan){.channel = "News", .senders = all, .count = SUBSCRIBERS, .history = HISTORY};
    CHECK(whittle_flow_begin(&process, 1, arguments), "the publisher");
    while (!__atomic_load_n(&board->over, __ATOMIC_SEQ_CST)) {
        const struct number packet = {++board->published};
        CHECK(whittle_flow_publish(&fan, &packet, 0) != WHITTLE_FLOW_IS_FAULTY, "packet %u", packet.value);
        if (packet.value % PACKETS_AT_ONCE == 0)
            sleep_ms(1);
    }
    for (int n = 0; n < SUBSCRIBERS; n++)
        whittle_flow_close(&senders[n]);
    return whittle_flow_end(&process);
}

static int subscriber(const void *argument)
{
    const unsigned n = *(const unsigned *)argument;
    struct end end;
    const void *packet;
    int64_t last = -1;
    begin_receiver(&end, &edges[n]);
    while ((packet = whittle_flow_receive(&end.receiver)) != NULL) {
        const int64_t number = ((const struct number *)packet)->value;
        CHECK(number > last, "%lld after %lld", (long long)number, (long long)last);
        CHECK(edges[n].filter == NULL || number % 2 == 0, "%lld is not wanted", (long long)number);
        last = number;
        if (__atomic_load_n(&board->leaves[n], __ATOMIC_SEQ_CST)) {
            whittle_flow_refuse(&end.receiver);
            break;
        }
    }
    return whittle_flow_end(&end.process);
}

/* It leaves as it likes, and another comes. */
static void leave(pid_t *victim, unsigned n)
{
    board->leaves[n] = 1;
    EQUAL(reap(*victim), 0);
    board->leaves[n] = 0;
    *victim = spawn(subscriber, &numbers[n]);
}

static void channel_storm(unsigned blows)
{
    pid_t from = spawn(publisher, NULL), to[SUBSCRIBERS];
    for (int n = 0; n < SUBSCRIBERS; n++) {
        keep_trace(&edges[n]);
        to[n] = spawn(subscriber, &numbers[n]);
    }
    for (unsigned turn = 0; turn < blows; turn++) {
        sleep_ms((unsigned)draw(draw(4) == 0 ? 60 : 6));
        const unsigned n = (unsigned)draw(SUBSCRIBERS);
        if (draw(4) == 0)
            blow(&from, publisher, NULL);
        else if (draw(3) == 0)
            leave(&to[n], n);
        else
            blow(&to[n], subscriber, &numbers[n]);
    }
    sleep_ms(50);
    board->over = 1;
    EQUAL(reap(from), 0);
    for (int n = 0; n < SUBSCRIBERS; n++) {
        kill(to[n], SIGTERM);   /* one that comes when its publisher has ended waits for another */
        const int ended = reap(to[n]);
        CHECK(ended == 0 || ended == 128 + SIGTERM, "%d", ended);  /* it had just begun */
        /* What was on its way to a subscriber that was away when its publisher ended stays so. */
        CHECK(check_identity(edges[n].number) <= edges[n].queue_items + 1, "more is in flight than the queue holds");
    }
}

int main(int argc, char **argv)
{
    static const enum whittle_flow_transport ways[SUBSCRIBERS] = {WHITTLE_FLOW_TCP, WHITTLE_FLOW_UNIX, WHITTLE_FLOW_SHM};
    static const enum whittle_flow_full full[] = {WHITTLE_FLOW_BLOCK, WHITTLE_FLOW_DROP_NEWEST, WHITTLE_FLOW_DROP_OLDEST};
    static char names[SUBSCRIBERS][40];
    const unsigned long long seed = storm_seed(argc, argv);
    const unsigned blows = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : BLOWS;
    board = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(board != MAP_FAILED, "%s", strerror(errno));
    watch_cuts();
    for (int storm = 0; storm < STORMS; storm++) {
        char name[80];
        const uint64_t filtered = draw(SUBSCRIBERS);
        for (unsigned n = 0; n < SUBSCRIBERS; n++) {
            edges[n] = an_edge(&number_type, ways[n]);
            snprintf(names[n], sizeof names[n], "Source.out -> Sink%u.in", n);
            edges[n].name = names[n];
            edges[n].number = (uint16_t)(3 + n);
            edges[n].subscription = true;
            edges[n].queue_items = 1u << draw(9);
            edges[n].full = full[draw(3)];
            edges[n].filter = n == filtered ? "value % 2 == 0" : NULL;
        }
        snprintf(name, sizeof name, "seed %llu: channel, storm %d", seed, storm);
        memset(board, 0, sizeof *board);
        new_place(name);
        channel_storm(blows);
    }
    return 0;
}
