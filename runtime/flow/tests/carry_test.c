/*
 * Packets of every kind arrive, in order, whole, over every transport; the end arrives after them; the ledger balances.
 *
 * Usage: carry_test [WORDS]: of all cases, those that have WORDS in their name.
 */
#include "common.h"

struct job {
    const struct whittle_flow_edge *edge;
    uint32_t count;
};

static void fill_packet(const struct whittle_flow_type *type, void *room, uint32_t n)
{
    static char words[1000];
    if (type == &number_type)
        ((struct number *)room)->value = n;
    else if (type == &mixed_type) {
        struct mixed *const mixed = room;
        memset(mixed, (int)(n & 127), sizeof *mixed);
        mixed->x = (int32_t)n;
    } else if (type == &list_type) {
        struct list *const list = room;
        list->used = n % 3073;
        for (uint32_t i = 0; i < list->used; i++)
            list->item[i] = n + i;
    } else {
        snprintf(words, sizeof words, "%u%*s", n, (int)(n % 900), "");
        ((struct text *)room)->words = words;
    }
}

static void check_packet(const struct whittle_flow_type *type, const void *packet, uint32_t n)
{
    char words[1000];
    if (type == &number_type)
        EQUAL(((const struct number *)packet)->value, n);
    else if (type == &mixed_type) {
        EQUAL(((const struct mixed *)packet)->x, n);
        EQUAL(((const struct mixed *)packet)->name[99], n & 127);
    } else if (type == &list_type) {
        const struct list *const list = packet;
        EQUAL(list->used, n % 3073);
        for (uint32_t i = 0; i < list->used; i++)
            EQUAL(list->item[i], n + i);
    } else {
        snprintf(words, sizeof words, "%u%*s", n, (int)(n % 900), "");
        CHECK(strcmp(words, ((const struct text *)packet)->words) == 0, "packet %u", n);
    }
}

static int source(const void *argument)
{
    const struct job *const job = argument;
    struct end end;
    begin_sender(&end, job->edge);
    for (uint32_t n = 0; n < job->count; n++) {
        if (n % 7 == 3) {
            _Alignas(16) char elsewhere[16384];
            fill_packet(job->edge->type, elsewhere, n);
            void *room = elsewhere;
            const bool is_sent = n % 2 == 0 ? whittle_flow_send_copy(&end.sender, elsewhere, 0) : whittle_flow_send_next(&end.sender, 0, &room);
            CHECK(is_sent, "packet %u", n);
            CHECK(n % 2 == 0 || room == whittle_flow_room(&end.sender), "the next is to be written into the room");
            continue;
        }
        fill_packet(job->edge->type, whittle_flow_room(&end.sender), n);
        CHECK(whittle_flow_send(&end.sender, 0), "packet %u", n);
    }
    return whittle_flow_end(&end.process);
}

/* Many at a time: as many as there is room for, then some from an array, and so on. */
static int source_of_batches(const void *argument)
{
    enum { ARRAY = 200000 };
    static _Alignas(16) unsigned char array[ARRAY];
    const struct job *const job = argument;
    const struct whittle_flow_type *const type = job->edge->type;
    struct end end;
    begin_sender(&end, job->edge);
    void *room = whittle_flow_room(&end.sender);
    for (uint32_t n = 0, turn = 0; n < job->count; turn++) {
        const bool is_own = turn % 3 == 2;
        const size_t fits = is_own ? turn % (ARRAY / type->size) : whittle_flow_room_for(&end.sender, room, type->size);
        CHECK(is_own || (fits >= 1 && (fits == 1 || fits * type->size <= 16384)), "%zu fit", fits);
        const size_t count = fits < job->count - n ? fits : job->count - n;
        unsigned char *const first = is_own ? array : room;
        for (size_t i = 0; i < count; i++)
            fill_packet(type, first + i * type->size, n++);
        if (is_own)
            room = array;
        CHECK(whittle_flow_send_batch(&end.sender, 0, &room, type->size, count), "packets up to %u", n);
        CHECK(count == 0 || room == whittle_flow_room(&end.sender), "the next is to be written into the room");
        room = whittle_flow_room(&end.sender);
    }
    return whittle_flow_end(&end.process);
}

static int sink(const void *argument)
{
    const struct job *const job = argument;
    struct end end;
    const void *packet;
    uint32_t n = 0;
    begin_receiver(&end, job->edge);
    while ((packet = whittle_flow_receive(&end.receiver)) != NULL) {
        check_packet(job->edge->type, packet, n++);
        if (n % 3 == 0)
            whittle_flow_done(&end.receiver);
    }
    EQUAL(n, job->count);
    CHECK(whittle_flow_receive(&end.receiver) == NULL, "after the end");
    return whittle_flow_end(&end.process);
}

static int sink_in_a_run(const void *argument)
{
    const struct job *const job = argument;
    struct whittle_flow_run run = {0};
    struct end end;
    const void *packet;
    uint32_t n = 0;
    begin_receiver(&end, job->edge);
    const struct whittle_flow_ledger *const page = page_of(job->edge->number, "receiver");
    while ((packet = whittle_flow_run_next(&run, &end.receiver)) != NULL) {
        check_packet(job->edge->type, packet, n++);
        EQUAL(whittle_flow_ledger_taken(page), n);
        EQUAL(whittle_flow_ledger_hand(page), 1);
    }
    whittle_flow_done(&end.receiver);
    EQUAL(n, job->count);
    return whittle_flow_end(&end.process);
}

static int sink_of_batches(const void *argument)
{
    const struct job *const job = argument;
    const uint32_t size = job->edge->type->size;
    struct end end;
    const void *first;
    uint32_t n = 0;
    size_t most = 0;
    begin_receiver(&end, job->edge);
    const struct whittle_flow_ledger *const page = page_of(job->edge->number, "receiver");
    for (size_t count; (count = whittle_flow_receive_batch(&end.receiver, &first, size)) > 0;) {
        for (size_t i = 0; i < count; i++)
            check_packet(job->edge->type, (const char *)first + i * size, n++);
        EQUAL(whittle_flow_ledger_taken(page), n - (count - 1));
        EQUAL(whittle_flow_ledger_hand(page), 1);
        if (n % 3 == 0) {
            whittle_flow_done(&end.receiver);
            EQUAL(whittle_flow_ledger_taken(page), n);
            EQUAL(whittle_flow_ledger_hand(page), 0);
        }
        most = count > most ? count : most;
    }
    CHECK(most > 1 || job->edge->transport == WHITTLE_FLOW_SHM || job->edge->type == &list_type || n == 0, "never more than one");
    EQUAL(n, job->count);
    return whittle_flow_end(&end.process);
}

static const char *only;
typedef int end_of_edge(const void *argument);

static void run_ends(const char *name, const struct whittle_flow_edge *edge, uint32_t count, end_of_edge *from_end, end_of_edge *to_end)
{
    const struct job job = {edge, count};
    if (only != NULL && strstr(name, only) == NULL)
        return;
    new_place(name);
    const pid_t from = spawn(from_end, &job), to = spawn(to_end, &job);
    EQUAL(reap(from), 0);
    EQUAL(reap(to), 0);
    check_balance(edge->number, 0);
    check_ages(edge->number, count);
    EQUAL(whittle_flow_ledger_delivered(page_of(edge->number, "receiver")), count);
}

static void run(const char *name, const struct whittle_flow_edge *edge, uint32_t count, bool in_a_run)
{
    run_ends(name, edge, count, source, in_a_run ? sink_in_a_run : sink);
}

/* Texts stand elsewhere than in their packets: an array of them would need as many places. */
static void run_batches(const char *way, const struct whittle_flow_edge *edge, uint32_t count)
{
    char name[80];
    struct whittle_flow_edge other = *edge;
    if (edge->type == &text_type)
        return;
    snprintf(name, sizeof name, "%s carries batches of %s", way, edge->type->name);
    run_ends(name, edge, count, source_of_batches, sink_of_batches);
    snprintf(name, sizeof name, "%s carries batches of %s through a queue of three", way, edge->type->name);
    other.queue_items = 3;
    run_ends(name, &other, count / 10, source_of_batches, sink);
}

int main(int argc, char **argv)
{
    only = argc > 1 ? argv[1] : NULL;
    static const struct { const char *name; enum whittle_flow_transport transport; } ways[] = {
        {"tcp", WHITTLE_FLOW_TCP}, {"unix", WHITTLE_FLOW_UNIX}, {"shm", WHITTLE_FLOW_SHM}};
    static const struct { const struct whittle_flow_type *type; uint32_t count; } kinds[] = {
        {&number_type, 300000}, {&mixed_type, 100000}, {&list_type, 10000}, {&text_type, 50000}};
    for (size_t way = 0; way < sizeof ways / sizeof *ways; way++)
        for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
            char name[80];
            struct whittle_flow_edge edge = an_edge(kinds[kind].type, ways[way].transport);
            snprintf(name, sizeof name, "%s carries %s", ways[way].name, kinds[kind].type->name);
            run(name, &edge, kinds[kind].count, true);
            run_batches(ways[way].name, &edge, kinds[kind].count);
            snprintf(name, sizeof name, "%s carries %s with stamps, batches of 10 and a queue of bytes", ways[way].name, kinds[kind].type->name);
            edge.stamped = true;
            edge.batch_items = 10;
            edge.queue_bytes = 40000;
            run(name, &edge, kinds[kind].count / 10, false);
            snprintf(name, sizeof name, "%s carries %s with one place in the queue", ways[way].name, kinds[kind].type->name);
            edge = an_edge(kinds[kind].type, ways[way].transport);
            edge.queue_items = 1;
            run(name, &edge, kinds[kind].count / 10, false);
            snprintf(name, sizeof name, "%s carries no %s at all", ways[way].name, kinds[kind].type->name);
            run(name, &edge, 0, true);
        }
    return 0;
}
