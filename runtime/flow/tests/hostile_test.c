/*
 * Bytes of any kind on an edge's port: a receiver closes, counts, says why, and goes on; the edge's own sender gets
 * through. Run under sanitizers: nothing is read or written where it must not be.
 */
#include "hostile_common.h"
#include <sys/un.h>

static int dial(const struct whittle_flow_edge *edge)
{
    struct sockaddr_in tcp = {.sin_family = AF_INET, .sin_port = htons((uint16_t)(place_port() + edge->number))};
    struct sockaddr_un local = {.sun_family = AF_UNIX};
    tcp.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    snprintf(local.sun_path, sizeof local.sun_path, "%s/%u.socket", place_name(), edge->number);
    for (int turn = 0; turn < 60000; turn++) {
        const bool over_tcp = edge->transport == WHITTLE_FLOW_TCP;
        const int fd = socket(over_tcp ? AF_INET : AF_UNIX, SOCK_STREAM, 0);
        if (connect(fd, over_tcp ? (struct sockaddr *)&tcp : (struct sockaddr *)&local, over_tcp ? sizeof tcp : sizeof local) == 0)
            return fd;
        close(fd);
        sleep_ms(1);
    }
    CHECK(false, "nobody listens");
    return -1;
}

static size_t stride_of(const struct whittle_flow_edge *edge)
{
    return ((edge->type->fixed != 0 ? edge->type->size : edge->type->largest) + 31) / 16 * 16;
}

static void fit_hello(const struct whittle_flow_edge *edge, struct whittle_flow_hello *hello)
{
    static uint64_t streams;
    struct whittle_flow_ledger page = {.stream = ++streams};
    const struct whittle_flow_link link = {.edge = edge, .page = &page, .window = 1000, .slot_count = 65, .slot_stride = stride_of(edge)};
    whittle_flow_hello_write(&link, hello);
}

/* Says a hello that fits, and where the stream begins. */
static int begin_stream(const struct whittle_flow_edge *edge, uint64_t count)
{
    struct whittle_flow_hello hello;
    struct whittle_flow_answer answer;
    const struct whittle_flow_start start = {.count = htole64(count), .bytes = htole64(4096)};
    const int fd = dial(edge);
    fit_hello(edge, &hello);
    put(fd, &hello, sizeof hello);
    EQUAL(recv(fd, &answer, sizeof answer, MSG_WAITALL), sizeof answer);
    EQUAL(le32toh(answer.verdict), WHITTLE_FLOW_ACCEPTED);
    if (edge->transport != WHITTLE_FLOW_SHM)
        put(fd, &start, sizeof start);
    return fd;
}

static void noise(const struct whittle_flow_edge *edge)
{
    unsigned char bytes[4096];
    uint64_t state = 88172645463325252u;
    for (int turn = 0; turn < 100; turn++) {
        const int fd = dial(edge);
        for (size_t n = 0; n < sizeof bytes; n++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            bytes[n] = (unsigned char)(state >> 56);
        }
        if (turn % 3 == 1)
            memcpy(bytes, "whittle\n", 8);
        put(fd, bytes, turn % 4 == 0 ? 100 : sizeof bytes);
        if (turn % 4 == 0)
            shutdown(fd, SHUT_WR);
        await_close(fd);
    }
}

static void hellos(const struct whittle_flow_edge *edge)
{
    struct whittle_flow_hello hello;
    struct whittle_flow_answer answer;
    for (int turn = 0; turn < 6; turn++) {
        if (turn == 3 && edge->type->fixed == 0)
            continue;   /* encoded: the same on every machine */
        const int fd = dial(edge);
        fit_hello(edge, &hello);
        hello.protocol = turn == 0 ? 99 : hello.protocol;
        hello.edge = turn == 1 ? 77 : hello.edge;
        hello.fingerprint ^= turn == 2;
        hello.order = turn == 3 ? 0x04030201 : hello.order;
        hello.flags ^= turn == 4 ? 2 : 0;
        hello.flow ^= turn == 5;
        memset(hello.type, 0xff, sizeof hello.type);
        put(fd, &hello, sizeof hello);
        EQUAL(recv(fd, &answer, sizeof answer, MSG_WAITALL), sizeof answer);
        CHECK(le32toh(answer.verdict) != WHITTLE_FLOW_ACCEPTED, "turn %d", turn);
        await_close(fd);
    }
}

static void streams(const struct whittle_flow_edge *edge)
{
    static const struct { uint32_t bytes, flags, more; uint32_t item; } batches[] = {
        {0, 0, 0, 0}, {0xffffffff, 0, 8, 0xffffffff}, {3, 0, 3, 0}, {64, 7, 64, 0}, {64, 1, 64, 0}, {8, 0, 8, 0xffffffff},
        {4, 0, 4, 3072}, {0x7ffffffc, 0, 60000, 100000}, {2, 0, 2, 0}, {16, 0, 16, 4000},
    };
    static char body[65536];
    for (size_t n = 0; n < sizeof batches / sizeof *batches; n++) {
        const struct whittle_flow_batch head = {.bytes = htole32(batches[n].bytes), .flags = htole32(batches[n].flags)};
        const int fd = begin_stream(edge, 0);
        memset(body, 0, sizeof body);
        for (size_t at = 0; at + 4 <= sizeof body; at += 4)
            memcpy(body + at, &batches[n].item, 4);
        put(fd, &head, sizeof head);
        put(fd, body, batches[n].more);
        shutdown(fd, SHUT_WR);
        await_close(fd);
    }
}

static void silent(const struct whittle_flow_edge *edge)
{
    for (int n = 0; n < 40; n++)
        dial(edge);     /* kept open, and saying nothing, until the test ends */
}

/* Passes memory that is no ring, or a ring whose numbers lie. */
static void rings(const struct whittle_flow_edge *edge)
{
    for (int turn = 0; turn < 6; turn++) {
        const size_t bytes = turn == 0 ? 100 : WHITTLE_FLOW_SHARED_HEAD + 65 * stride_of(edge);
        const int memory = memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING), fd = begin_stream(edge, 0);
        CHECK(ftruncate(memory, (off_t)bytes) == 0, "%s", strerror(errno));
        if (turn != 1)
            fcntl(memory, F_ADD_SEALS, F_SEAL_SHRINK);
        struct whittle_flow_shared *const shared = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
        const struct whittle_flow_start start = {0};
        const struct whittle_flow_link link = {.shared_fd = memory};
        if (turn == 2)
            shared->head = UINT64_MAX / 2;
        if (turn == 3)
            shared->head = 66;
        if (turn == 4 || turn == 5) {
            memset((char *)shared + WHITTLE_FLOW_SHARED_HEAD, turn == 4 ? 0xff : 0x11, bytes - WHITTLE_FLOW_SHARED_HEAD);
            shared->head = 60;
            shared->taken = UINT64_MAX;
        }
        CHECK(whittle_flow_shared_pass(&link, fd, &start), "%s", strerror(errno));
        shutdown(fd, SHUT_WR);
        await_close(fd);
        munmap(shared, bytes);
        close(memory);
    }
}

int main(void)
{
    static const enum whittle_flow_transport ways[] = {WHITTLE_FLOW_TCP, WHITTLE_FLOW_UNIX, WHITTLE_FLOW_SHM};
    static const struct whittle_flow_type *const types[] = {&list_type, &text_type, &number_type};
    for (size_t way = 0; way < 3; way++)
        for (size_t type = 0; type < 3; type++) {
            const struct whittle_flow_edge edge = an_edge(types[type], ways[way]);
            char name[100];
            snprintf(name, sizeof name, "a receiver of %s survives strangers on %s", types[type]->name, way == 0 ? "tcp" : way == 1 ? "unix" : "shm");
            new_place(name);
            const pid_t to = spawn(sink, &edge);
            noise(&edge);
            hellos(&edge);
            if (ways[way] == WHITTLE_FLOW_SHM)
                rings(&edge);
            else
                streams(&edge);
            silent(&edge);
            CHECK(counter_of(3, "receiver", WHITTLE_FLOW_STRANGERS) >= 106, "not counted");
            if (types[type] == &text_type) {
                kill(to, SIGTERM);
                const int status = reap(to);
                CHECK(status <= 1, "%d", status);
                continue;
            }
            const pid_t from = spawn(honest, &edge);
            EQUAL(reap(from), 0);
            EQUAL(reap(to), 0);
        }
    return 0;
}
