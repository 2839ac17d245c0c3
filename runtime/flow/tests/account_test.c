/*
 * The account of an edge, when people and peers do what they should not: two senders of one edge, a sender that dies
 * before its receiver first comes, a receiver that takes nothing, an end that is asked for meanwhile. Over each transport
 * that has a process at each end.
 */
#include "common.h"
#include <dirent.h>

static const struct { const char *name; enum whittle_flow_transport transport; } ways[] = {
    {"tcp", WHITTLE_FLOW_TCP}, {"unix", WHITTLE_FLOW_UNIX}, {"shm", WHITTLE_FLOW_SHM}};

/* What processes of a test say to each other beside the flow. */
struct board {
    uint64_t returned;      /* sends that have returned */
    uint64_t may_take;      /* packets that the receiver may take */
    uint64_t values[8];     /* how many came of each sender */
};
static struct board *board;

static void new_board(void)
{
    if (board == NULL)
        board = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(board != MAP_FAILED, "%s", strerror(errno));
    memset(board, 0, sizeof *board);
}

struct job { const struct whittle_flow_edge *edge; uint32_t who, count; unsigned pause; };
enum { EACH = 1000000 };

/* The first word of a number and of a list. */
static void fill(struct whittle_flow_sender *sender, uint32_t value)
{
    uint32_t *const words = whittle_flow_room(sender);
    if (sender->edge->type == &number_type)
        words[0] = value;
    else {
        words[0] = 100 + value % 2900;
        words[words[0]] = value;
    }
}

static uint32_t value_of(const struct whittle_flow_edge *edge, const uint32_t *words)
{
    return edge->type == &number_type ? words[0] : words[words[0]];
}

static int source(const void *argument)
{
    const struct job *const job = argument;
    struct end end;
    begin_sender(&end, job->edge);
    for (uint32_t n = 0; n < job->count && whittle_flow_goes_on(); n++) {
        fill(&end.sender, job->who * EACH + n);
        if (!whittle_flow_send(&end.sender, 0))
            break;
        __atomic_fetch_add(&board->returned, 1, __ATOMIC_SEQ_CST);
        if (job->pause > 0)
            sleep_ms(job->pause);
    }
    return whittle_flow_end(&end.process);
}

/* A source in a directory of its own, which reaches the receiver's: as on another machine, or by mistake. */
static int other_source(const void *argument)
{
    const struct job *const job = argument;
    char name[200], target[200];
    snprintf(name, sizeof name, "%s/other", place_name());
    mkdir(name, 0700);
    setenv("WHITTLE_DIR", name, 1);
    snprintf(target, sizeof target, "../%u.socket", job->edge->number);
    snprintf(name, sizeof name, "%s/other/%u.socket", place_name(), job->edge->number);
    CHECK(symlink(target, name) == 0 || errno == EEXIST, "%s", strerror(errno));
    snprintf(name, sizeof name, "%s/key", place_name());
    setenv("WHITTLE_KEY", name, 1);
    snprintf(name, sizeof name, "%s/other/said", place_name());
    const int said = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    CHECK(said >= 0 && dup2(said, STDERR_FILENO) >= 0, "%s", strerror(errno));
    return source(job);
}

/* Packets of one run come in order, each once, and are of one sender. */
static int sink(const void *argument)
{
    const struct job *const job = argument;
    struct end end;
    const uint32_t *packet;
    int64_t before = -1;
    begin_receiver(&end, job->edge);
    while ((packet = whittle_flow_receive(&end.receiver)) != NULL) {
        const uint32_t value = value_of(job->edge, packet);
        const bool other = before >= 0 && value / EACH != (uint64_t)before / EACH;
        CHECK(other ? value % EACH == 0 : (int64_t)value == before + 1 || before < 0, "%u after %lld", value, (long long)before);
        before = value;
        __atomic_fetch_add(&board->values[value / EACH % 8], 1, __ATOMIC_SEQ_CST);
    }
    return whittle_flow_end(&end.process);
}

static void lines_of(char *text, size_t room, unsigned *lines)
{
    char name[200];
    snprintf(name, sizeof name, "%s/other/said", place_name());
    const int file = open(name, O_RDONLY);
    const ssize_t count = file < 0 ? 0 : read(file, text, room - 1);
    text[count > 0 ? count : 0] = '\0';
    *lines = 0;
    for (const char *at = text; *at != '\0'; at++)
        *lines += *at == '\n';
    close(file);
}

static void await_lines(unsigned least, char *text, size_t room)
{
    unsigned lines = 0;
    for (;; sleep_ms(10)) {
        lines_of(text, room, &lines);
        if (lines >= least)
            return;
    }
}

/* The second sender learns who has the edge, once, and waits; the first one's account is as if nobody had come. */
static void two_senders(const char *way, const struct whittle_flow_edge *edge, bool first_dies)
{
    char name[100], said[4096], process[32];
    const struct job first = {edge, 1, 1u << 30, 1}, second = {edge, 2, 2000, 0}, reader = {edge, 0, 0, 0};
    snprintf(name, sizeof name, "%s: a second sender of an edge waits until the first %s", way, first_dies ? "dies" : "ends");
    new_place(name);
    new_board();
    const pid_t to = spawn(sink, &reader), from = spawn(source, &first);
    await_counter(edge->number, "receiver", whittle_flow_ledger_delivered, 10);
    const pid_t other = spawn(other_source, &second);
    await_lines(1, said, sizeof said);
    snprintf(process, sizeof process, "process %d", (int)from);
    CHECK(strstr(said, process) != NULL, "it does not learn who has the edge: %s", said);
    sleep_ms(2500);
    unsigned lines;
    lines_of(said, sizeof said, &lines);
    CHECK(lines == 1, "more than one line: %s", said);
    EQUAL(counter_of(edge->number, "receiver", WHITTLE_FLOW_CONNECTIONS), 1);
    EQUAL(board->values[2], 0);
    if (first_dies) {
        kill_hard(from);
        EQUAL(reap(other), 0);
        EQUAL(reap(to), 0);
        EQUAL(board->values[2], 2000);
        EQUAL(whittle_flow_ledger_delivered(page_of(edge->number, "receiver")), 2000);
        return;
    }
    kill(from, SIGTERM);
    EQUAL(reap(from), 0);
    EQUAL(reap(to), 0);
    check_balance(edge->number, 0);
    EQUAL(board->values[1], whittle_flow_ledger_offered(page_of(edge->number, "sender")));
    EQUAL(board->values[1], whittle_flow_ledger_delivered(page_of(edge->number, "receiver")));
    kill(other, SIGTERM);
    EQUAL(reap(other), 1);
}

/* What a sender had sent into the queue when it died is unknown, whoever comes when. */
static void dies_unmet(const char *way, const struct whittle_flow_edge *edge)
{
    char name[100];
    const struct job first = {edge, 1, 8, 0}, second = {edge, 2, 100, 0};
    snprintf(name, sizeof name, "%s: a sender that dies before its receiver first came loses nothing from the account", way);
    new_place(name);
    new_board();
    pid_t from = spawn(source, &first);
    await_counter(edge->number, "sender", whittle_flow_ledger_offered, 8);
    kill_hard(from);
    from = spawn(source, &second);
    await_counter(edge->number, "sender", whittle_flow_ledger_offered, 40);
    const pid_t to = spawn(sink, &second);
    EQUAL(reap(from), 0);
    EQUAL(reap(to), 0);
    EQUAL(whittle_flow_ledger_delivered(page_of(edge->number, "receiver")), 100);
    EQUAL(counter_of(edge->number, "sender", WHITTLE_FLOW_UNKNOWN), 8);
    check_balance(edge->number, 0);
}

/* Takes what it may, and no more. */
static int slow_sink(const void *argument)
{
    const struct whittle_flow_edge *const edge = argument;
    struct end end;
    begin_receiver(&end, edge);
    for (uint64_t taken = 0;; taken++) {
        while (taken >= __atomic_load_n(&board->may_take, __ATOMIC_SEQ_CST))
            sleep_ms(1);
        if (whittle_flow_receive(&end.receiver) == NULL)
            return whittle_flow_end(&end.process);
    }
}

/* A queue of N: at most N packets have been sent and not taken, wherever they are. */
static void queue_bounds(const char *way, struct whittle_flow_edge edge, uint64_t items)
{
    static const char *const full[] = {"block", "drop oldest", "drop newest"};
    char name[120];
    edge.queue_items = items;
    snprintf(name, sizeof name, "%s: `queue %llu %s` of %s bounds what is between the two middles", way, (unsigned long long)items, full[edge.full], edge.type->name);
    new_place(name);
    new_board();
    const struct job job = {&edge, 0, 3000, 0};
    const pid_t to = spawn(slow_sink, &edge), from = spawn(source, &job);
    board->may_take = 5;
    if (edge.full == WHITTLE_FLOW_BLOCK)
        await_counter(3, "receiver", whittle_flow_ledger_taken, 5);
    /* As many as it likes, but for those that the queue holds back. */
    if (edge.full == WHITTLE_FLOW_BLOCK) {
        for (uint64_t last = UINT64_MAX; last != board->returned; sleep_ms(300))
            last = board->returned;
        CHECK(board->returned <= items + 5, "%llu went, and 5 were taken", (unsigned long long)board->returned);
        CHECK(board->returned >= 5, "%llu went", (unsigned long long)board->returned);
        board->may_take = UINT64_MAX;
        EQUAL(reap(from), 0);
        EQUAL(reap(to), 0);
        EQUAL(whittle_flow_ledger_delivered(page_of(3, "receiver")), 3000);
    } else {
        await_counter(3, "sender", whittle_flow_ledger_offered, 3000);
        const uint64_t sent = counter_of(3, "sender", WHITTLE_FLOW_SENT), waiting = whittle_flow_ledger_waiting(page_of(3, "sender"));
        CHECK(sent + waiting <= items + 5, "%llu sent, %llu wait, 5 taken", (unsigned long long)sent, (unsigned long long)waiting);
        board->may_take = UINT64_MAX;
        EQUAL(reap(from), 0);
        EQUAL(reap(to), 0);
        CHECK(whittle_flow_ledger_delivered(page_of(3, "receiver")) <= items + 5, "delivered");
    }
    check_balance(3, 0);
}

static uint64_t acknowledged(const struct whittle_flow_ledger *page)
{
    return whittle_flow_counter(page, WHITTLE_FLOW_ACKNOWLEDGED);
}

/* A queue moves by parts, whatever has come at once: the sender goes on while the receiver takes the rest. */
static void queue_moves(const char *way, struct whittle_flow_edge edge)
{
    enum { PACKETS = 16384 };
    char name[100];
    edge.queue_items = 0;
    edge.queue_bytes = PACKETS * sizeof(struct number);
    snprintf(name, sizeof name, "%s: half of a queue has been taken, and more is sent", way);
    new_place(name);
    new_board();
    const struct job job = {&edge, 0, 4 * PACKETS, 0};
    const pid_t to = spawn(slow_sink, &edge), from = spawn(source, &job);
    await_counter(3, "sender", whittle_flow_ledger_offered, PACKETS);
    board->may_take = PACKETS / 2;
    await_counter(3, "sender", acknowledged, PACKETS / 4);
    await_counter(3, "sender", whittle_flow_ledger_offered, PACKETS + PACKETS / 4);
    board->may_take = UINT64_MAX;
    EQUAL(reap(from), 0);
    EQUAL(reap(to), 0);
    check_balance(3, 0);
}

/* How often the threads of a process have woken up. */
static uint64_t wakes_of(pid_t process)
{
    char name[64], line[256];
    uint64_t sum = 0;
    snprintf(name, sizeof name, "/proc/%d/task", (int)process);
    DIR *const all = opendir(name);
    CHECK(all != NULL, "%s", name);
    for (struct dirent *one; (one = readdir(all)) != NULL;) {
        char path[400];
        unsigned long long count;
        snprintf(path, sizeof path, "%s/%.32s/status", name, one->d_name);
        FILE *const status = one->d_name[0] == '.' ? NULL : fopen(path, "r");
        while (status != NULL && fgets(line, sizeof line, status) != NULL)
            if (sscanf(line, "voluntary_ctxt_switches: %llu", &count) == 1)
                sum += count;
        if (status != NULL)
            fclose(status);
    }
    closedir(all);
    return sum;
}

/* A sender whose peer is stopped sleeps, and ends when it is asked to. */
static void blocked(const char *way, struct whittle_flow_edge edge)
{
    char name[100];
    snprintf(name, sizeof name, "%s: a sender of %s that is blocked by a stopped peer sleeps, and ends when asked to", way, edge.type->name);
    new_place(name);
    new_board();
    const struct job job = {&edge, 0, 1u << 30, 0};
    const pid_t to = spawn(sink, &job), from = spawn(source, &job);
    await_counter(3, "receiver", whittle_flow_ledger_taken, 100);
    kill(to, SIGSTOP);
    for (uint64_t last = UINT64_MAX; last != board->returned; sleep_ms(300))
        last = board->returned;
    const uint64_t before = wakes_of(from);
    sleep_ms(1000);
    const uint64_t after = wakes_of(from);
    CHECK(after - before < 30, "woke up %llu times in a second", (unsigned long long)(after - before));
    kill(from, SIGTERM);
    EQUAL(reap(from), 1);   /* what the peer has not acknowledged is not known to have arrived */
    kill(to, SIGCONT);
    /* What the ring holds is the receiver's, and the end behind it; a connection has ended without one. */
    if (edge.transport != WHITTLE_FLOW_SHM)
        kill(to, SIGTERM);
    EQUAL(reap(to), edge.transport != WHITTLE_FLOW_SHM);
    check_balance(3, 0);
}

/* Both ends are there, and nothing is to be done. */
static void idle(const char *way, const struct whittle_flow_edge *edge)
{
    char name[100];
    snprintf(name, sizeof name, "%s: who has nothing to do sleeps", way);
    new_place(name);
    new_board();
    const struct job few = {edge, 0, 2, 3000}, reader = {edge, 0, 0, 0};
    const pid_t to = spawn(sink, &reader), from = spawn(source, &few);
    await_counter(3, "receiver", whittle_flow_ledger_taken, 1);
    sleep_ms(300);
    const uint64_t before[] = {wakes_of(from), wakes_of(to)};
    sleep_ms(1000);
    const uint64_t woke[] = {wakes_of(from) - before[0], wakes_of(to) - before[1]};
    CHECK(woke[0] < 10 && woke[1] < 10, "woke up %llu and %llu times in a second", (unsigned long long)woke[0], (unsigned long long)woke[1]);
    EQUAL(reap(from), 0);
    EQUAL(reap(to), 0);
}

int main(void)
{
    static const struct whittle_flow_type *const types[] = {&number_type, &list_type};
    for (size_t way = 0; way < sizeof ways / sizeof *ways; way++) {
        const char *const name = ways[way].name;
        struct whittle_flow_edge edge = an_edge(&number_type, ways[way].transport);
        two_senders(name, &edge, false);
        two_senders(name, &edge, true);
        dies_unmet(name, &edge);
        idle(name, &edge);
        if (edge.transport != WHITTLE_FLOW_SHM)
            queue_moves(name, edge);
        for (size_t type = 0; type < 2; type++) {
            edge = an_edge(types[type], ways[way].transport);
            blocked(name, edge);
            for (int full = 0; full < 3; full++) {
                edge.full = (enum whittle_flow_full)full;
                edge.delivery = full == 0 ? WHITTLE_FLOW_RELIABLE : WHITTLE_FLOW_BEST_EFFORT;
                queue_bounds(name, edge, 2);
                queue_bounds(name, edge, 64);
            }
            edge.full = WHITTLE_FLOW_BLOCK;
            edge.delivery = WHITTLE_FLOW_BEST_EFFORT;
            queue_bounds(name, edge, 16);
        }
    }
    return 0;
}
