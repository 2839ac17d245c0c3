/*
 * A storm over an edge: its processes are killed and come again, are stopped for a while, and lose their connections, at
 * times drawn from a seed. In the end each packet that came is the one that was offered, they came in order and once each, and
 * the account says where all others are. Over a server, which keeps what was not acknowledged, what a receiver had in hand when
 * it died comes again; the server dies, too.
 */
#include "storm_common.h"

enum { FAULTY_EACH = 97 };

/* What the processes and the storm know of each other beside the flow. */
struct board {
    uint32_t over;          /* the source is to end */
    int64_t last;           /* the number of the packet that came last */
    uint64_t received, gaps;
};
static struct board *board;
static uint64_t chance;

uint64_t draw(uint64_t below)
{
    chance ^= chance << 13;
    chance ^= chance >> 7;
    chance ^= chance << 17;
    return (chance >> 16) % below;
}

static void cut(int number)
{
    const int problem = errno;
    (void)number;
    cut_connections();
    errno = problem;
}

void watch_cuts(void)
{
    const struct sigaction cuts = {.sa_handler = cut, .sa_flags = SA_RESTART};
    sigaction(SIGUSR1, &cuts, NULL);
}

/* Words of a list follow from its number; the last is the number. One among many is no list. */
static void fill(const struct whittle_flow_edge *edge, void *room, uint32_t n)
{
    struct list *const list = room;
    if (edge->type == &number_type) {
        ((struct number *)room)->value = n;
        return;
    }
    list->used = n % 300 + 1;
    for (uint32_t i = 0; i + 1 < list->used; i++)
        list->item[i] = n * 2654435761u + i;
    list->item[list->used - 1] = n;
    if (n % FAULTY_EACH == 5)
        list->used = 4000;
}

static uint32_t number_of(const struct whittle_flow_edge *edge, const void *packet)
{
    const struct list *const list = packet;
    if (edge->type == &number_type)
        return ((const struct number *)packet)->value;
    const uint32_t n = list->item[list->used - 1];
    CHECK(list->used == n % 300 + 1, "%u words in packet %u", list->used, n);
    for (uint32_t i = 0; i + 1 < list->used; i++)
        CHECK(list->item[i] == n * 2654435761u + i, "word %u of packet %u", i, n);
    return n;
}

static int source(const void *argument)
{
    const struct weather *const weather = argument;
    struct end end;
    weather->begin(&end, &weather->edge, true);
    for (uint32_t n = (uint32_t)whittle_flow_ledger_offered(page_of(weather->edge.number, "sender")); !__atomic_load_n(&board->over, __ATOMIC_SEQ_CST); n++) {
        fill(&weather->edge, whittle_flow_room(&end.sender), n);
        CHECK(whittle_flow_send(&end.sender, 0) != WHITTLE_FLOW_IS_CLOSED, "packet %u", n);
        if (n % PACKETS_AT_ONCE == 0)
            sleep_ms(1);
    }
    return weather->finish(&end);
}

static int sink(const void *argument)
{
    const struct weather *const weather = argument;
    struct end end;
    const void *packet;
    weather->begin(&end, &weather->edge, false);
    for (bool first = true; (packet = whittle_flow_receive(&end.receiver)) != NULL; first = false) {
        const int64_t n = number_of(&weather->edge, packet);
        const bool again = first && weather->keeps && n == board->last;
        CHECK(n > board->last || again, "%lld after %lld", (long long)n, (long long)board->last);
        board->gaps += again ? 0 : (uint64_t)(n - board->last - 1);
        board->last = n;
        board->received++;
    }
    return weather->finish(&end);
}

unsigned blow(pid_t *victim, int (*body)(const void *), const void *argument)
{
    switch (draw(4)) {
    case 0:
    case 1:
        kill_hard(*victim);
        if (draw(2) == 0)
            sleep_ms((unsigned)draw(30));
        *victim = spawn(body, argument);
        return 1;
    case 2:
        kill(*victim, SIGSTOP);
        sleep_ms((unsigned)draw(20));
        kill(*victim, SIGCONT);
        return 0;
    default:
        kill(*victim, SIGUSR1);
        return 0;
    }
}

static void check_account(const struct whittle_flow_edge *edge, unsigned deaths)
{
    check_balance(edge->number, 0);
    const struct whittle_flow_ledger *const sent = page_of(edge->number, "sender"), *const taken = page_of(edge->number, "receiver");
    const uint64_t delivered = whittle_flow_ledger_delivered(taken);
    /* What a sink had in hand when it died may have been looked at, or not. */
    CHECK(board->received >= delivered && board->received <= delivered + deaths, "%llu came, %llu are counted", (unsigned long long)board->received,
        (unsigned long long)delivered);
    CHECK(whittle_flow_counter(taken, WHITTLE_FLOW_UNKNOWN) <= deaths, "unknown");
    EQUAL(whittle_flow_counter(taken, WHITTLE_FLOW_FAULTY), 0);
    EQUAL(whittle_flow_counter(sent, WHITTLE_FLOW_STRANGERS) + whittle_flow_counter(sent, WHITTLE_FLOW_ALTERED), 0);
    if (edge->delivery != WHITTLE_FLOW_BEST_EFFORT)
        EQUAL(whittle_flow_ledger_dropped(sent) + whittle_flow_ledger_dropped(taken), 0);
}

void keep_trace(const struct whittle_flow_edge *edge)
{
    static unsigned storms;
    char from[200], to[400];
    const char *const folder = getenv("STORM_TRACES");
    snprintf(from, sizeof from, "%s/%u.trace", place_name(), edge->number);
    snprintf(to, sizeof to, "%s/%u.trace", folder != NULL ? folder : "", storms++);
    if (folder != NULL)
        CHECK(symlink(to, from) == 0, "%s", strerror(errno));
}

void storm(const struct weather *weather)
{
    keep_trace(&weather->edge);
    watch_cuts();
    memset(board, 0, sizeof *board);
    board->last = -1;
    pid_t from = spawn(source, weather), to = spawn(sink, weather);
    unsigned deaths = 0;
    for (unsigned n = 0; n < weather->blows; n++) {
        sleep_ms((unsigned)draw(draw(4) == 0 ? 60 : 6));
        if (weather->strike != NULL && draw(8) == 0)
            weather->strike();
        else if (draw(2) == 0)
            blow(&from, source, weather);
        else
            deaths += blow(&to, sink, weather);
    }
    board->over = 1;
    EQUAL(reap(from), 0);
    EQUAL(reap(to), 0);
    check_account(&weather->edge, deaths);
}

unsigned long long storm_seed(int argc, char **argv)
{
    const char *const given = argc > 1 ? argv[1] : getenv("SOAK_SEED");
    const unsigned long long seed = given != NULL ? strtoull(given, NULL, 10) : 1;
    board = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(board != MAP_FAILED, "%s", strerror(errno));
    chance = seed * 0x9e3779b97f4a7c15u + 0x2545f4914f6cdd1du;
    return seed;
}

struct whittle_flow_edge storm_edge(enum whittle_flow_transport transport, int kind)
{
    struct whittle_flow_edge edge = an_edge(kind % 2 == 0 ? &list_type : &number_type, transport);
    const int delivery = kind / 2;
    edge.queue_items = 1u << draw(11);
    edge.delivery = delivery == 0 ? WHITTLE_FLOW_RELIABLE : WHITTLE_FLOW_BEST_EFFORT;
    edge.full = delivery == 2 ? WHITTLE_FLOW_DROP_OLDEST : delivery == 3 ? WHITTLE_FLOW_DROP_NEWEST : WHITTLE_FLOW_BLOCK;
    return edge;
}

const char *storm_name(unsigned long long seed, const char *way, const struct whittle_flow_edge *edge)
{
    static const char *const deliveries[] = {"best effort", "reliable", "durable"}, *const full[] = {"", ", drop oldest", ", drop newest"};
    static char name[160];
    snprintf(name, sizeof name, "seed %llu: %s, %s%s, queue %llu of %s", seed, way, deliveries[edge->delivery], full[edge->full],
        (unsigned long long)edge->queue_items, edge->type->name);
    return name;
}
