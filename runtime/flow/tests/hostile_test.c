/*
 * Bytes of any kind on an edge's port: a receiver closes, counts, says why, and goes on; the edge's own sender gets
 * through. Run under sanitizers: nothing is read or written where it must not be.
 */
#include "hostile_common.h"
#include <dirent.h>

/* Proves that it has the key, says a hello that fits, and where the stream begins. */
static struct peer begin_stream(const struct whittle_flow_event_loop *holder, const struct whittle_flow_edge *edge, uint64_t count, uint64_t bytes)
{
    struct whittle_flow_hello hello;
    struct whittle_flow_answer answer;
    struct whittle_flow_start start = {.count = htole64(count), .bytes = htole64(bytes)};
    struct peer peer;
    for (;;) {
        CHECK(prove(holder, edge, &peer), "not believed");
        fit_hello(edge, &hello);
        SEALED(&peer, WHITTLE_FLOW_HELLO, hello);
        put(peer.fd, &hello, sizeof hello);
        EQUAL(recv(peer.fd, &answer, sizeof answer, MSG_WAITALL), sizeof answer);
        if (le32toh(answer.verdict) != WHITTLE_FLOW_HELD)
            break;
        hang_up(&peer);     /* the one before may still come again */
        sleep_ms(100);
    }
    EQUAL(le32toh(answer.verdict), WHITTLE_FLOW_ACCEPTED);
    SEALED(&peer, WHITTLE_FLOW_START, start);
    if (edge->transport != WHITTLE_FLOW_SHM)
        put(peer.fd, &start, sizeof start);
    return peer;
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

static void hellos(const struct whittle_flow_event_loop *holder, const struct whittle_flow_edge *edge)
{
    struct whittle_flow_hello hello;
    struct whittle_flow_answer answer;
    for (int turn = 0; turn < 6; turn++) {
        if (turn == 3 && edge->type->fixed == 0)
            continue;   /* encoded: the same on every machine */
        struct peer peer;
        CHECK(prove(holder, edge, &peer), "not believed");
        fit_hello(edge, &hello);
        hello.protocol = turn == 0 ? htole32(WHITTLE_FLOW_PROTOCOL - 1) : hello.protocol;
        hello.edge = turn == 1 ? 77 : hello.edge;
        hello.fingerprint ^= turn == 2;
        hello.order = turn == 3 ? 0x04030201 : hello.order;
        hello.flags ^= turn == 4 ? 2 : 0;
        hello.flow ^= turn == 5;
        memset(hello.type, 0xff, sizeof hello.type);
        SEALED(&peer, WHITTLE_FLOW_HELLO, hello);
        put(peer.fd, &hello, sizeof hello);
        EQUAL(recv(peer.fd, &answer, sizeof answer, MSG_WAITALL), sizeof answer);
        CHECK(le32toh(answer.verdict) != WHITTLE_FLOW_ACCEPTED, "turn %d", turn);
        hang_up(&peer);
    }
}

static void streams(const struct whittle_flow_event_loop *holder, const struct whittle_flow_edge *edge)
{
    static const struct { uint32_t bytes, flags, more; uint32_t item; } batches[] = {
        {0, 0, 0, 0}, {0xffffffff, 0, 8, 0xffffffff}, {3, 0, 3, 0}, {64, 7, 64, 0}, {64, 1, 64, 0}, {8, 0, 8, 0xffffffff},
        {4, 0, 4, 3072}, {0x7ffffffc, 0, 60000, 100000}, {2, 0, 2, 0}, {16, 0, 16, 4000},
    };
    static char body[65536];
    for (size_t n = 0; n < sizeof batches / sizeof *batches; n++) {
        struct whittle_flow_batch head = {.bytes = htole32(batches[n].bytes), .flags = htole32(batches[n].flags)};
        struct peer peer = begin_stream(holder, edge, 0, 4096);
        memset(body, 0, sizeof body);
        for (size_t at = 0; at + 4 <= sizeof body; at += 4)
            memcpy(body + at, &batches[n].item, 4);
        seal(&peer, WHITTLE_FLOW_BATCH, &head, offsetof(struct whittle_flow_batch, tag), body, batches[n].more, head.tag);
        put(peer.fd, &head, sizeof head);
        put(peer.fd, body, batches[n].more);
        shutdown(peer.fd, SHUT_WR);
        hang_up(&peer);
    }
}

/* Streams that begin near the end of all numbers: a sum would begin anew at zero. */
static void far_starts(const struct whittle_flow_event_loop *holder, const struct whittle_flow_edge *edge)
{
    static const uint64_t starts[][2] = {{0, UINT64_MAX - 15}, {UINT64_MAX, 0}, {UINT64_MAX / 2, UINT64_MAX / 2}, {UINT64_MAX, UINT64_MAX - 3}};
    static char body[4096];
    for (size_t n = 0; n < sizeof starts / sizeof *starts; n++) {
        struct whittle_flow_batch head = {.bytes = htole32(sizeof body)};
        struct peer peer = begin_stream(holder, edge, starts[n][0], starts[n][1]);
        seal(&peer, WHITTLE_FLOW_BATCH, &head, offsetof(struct whittle_flow_batch, tag), body, sizeof body, head.tag);
        put(peer.fd, &head, sizeof head);
        put(peer.fd, body, sizeof body);
        shutdown(peer.fd, SHUT_WR);
        hang_up(&peer);
    }
}

static void silent(const struct whittle_flow_edge *edge)
{
    for (int n = 0; n < 40; n++)
        dial(edge);     /* kept open, and saying nothing, until the test ends */
}

/* Passes memory that is no ring, or a ring whose numbers lie. */
static void rings(const struct whittle_flow_event_loop *holder, const struct whittle_flow_edge *edge)
{
    for (int turn = 0; turn < 6; turn++) {
        const size_t bytes = turn == 0 ? 100 : WHITTLE_FLOW_SHARED_HEAD + 65 * stride_of(edge);
        const int memory = memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING), fd = begin_stream(holder, edge, 0, 0).fd;
        CHECK(ftruncate(memory, (off_t)bytes) == 0, "%s", strerror(errno));
        if (turn != 1)
            fcntl(memory, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
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

static unsigned descriptors_of(pid_t process)
{
    char name[64];
    unsigned count = 0;
    snprintf(name, sizeof name, "/proc/%d/fd", (int)process);
    DIR *const all = opendir(name);
    CHECK(all != NULL, "%s", name);
    while (readdir(all) != NULL)
        count++;
    closedir(all);
    return count;
}

/* Several descriptors, in one message or in several heads of it: none stays open in the receiver. */
static void many_descriptors(const struct whittle_flow_event_loop *holder, const struct whittle_flow_edge *edge, pid_t to)
{
    static const unsigned counts[] = {2, 3, 16, 200};
    unsigned before = 0;
    for (size_t turn = 0; turn < 12; turn++) {
        const unsigned count = counts[turn % 4];
        struct whittle_flow_start start = {0};
        struct iovec part = {&start, sizeof start};
        union { struct cmsghdr head; char room[CMSG_SPACE(200 * sizeof(int))]; } control;
        struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = CMSG_SPACE(count * sizeof(int))};
        const int fd = begin_stream(holder, edge, 0, 0).fd;
        memset(&control, 0, sizeof control);
        control.head = (struct cmsghdr){.cmsg_len = CMSG_LEN(count * sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
        for (unsigned n = 0; n < count; n++)
            memcpy(CMSG_DATA(&control.head) + n * sizeof(int), &(const int){STDERR_FILENO}, sizeof(int));
        CHECK(sendmsg(fd, &message, MSG_NOSIGNAL) == sizeof start, "%s", strerror(errno));
        await_close(fd);
        if (turn == 0)
            before = descriptors_of(to);
    }
    const unsigned after = descriptors_of(to);
    CHECK(after <= before + 1, "%u descriptors, and %u before", after, before);
}

/* A receiver writes nonsense over all of the ring's head and goes; one that is sound comes after it, and gets all. */
static void scribbled_rings(void)
{
    const struct whittle_flow_edge edge = an_edge(&list_type, WHITTLE_FLOW_SHM);
    for (int turn = 0; turn < 5; turn++) {
        struct sockaddr_un local = {.sun_family = AF_UNIX};
        struct whittle_flow_hello hello;
        struct whittle_flow_answer answer = {.magic = "whittle", .protocol = htole32(WHITTLE_FLOW_PROTOCOL)};
        struct whittle_flow_start start;
        struct iovec part = {&start, sizeof start};
        union { struct cmsghdr head; char room[CMSG_SPACE(sizeof(int))]; } control;
        struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control.room};
        int memory;
        answer.magic[7] = '\n';
        new_place("a ring that a receiver wrote over is whole again for the next");
        const int listener = socket(AF_UNIX, SOCK_STREAM, 0);
        snprintf(local.sun_path, sizeof local.sun_path, "%s/3.socket", place_name());
        CHECK(bind(listener, (struct sockaddr *)&local, sizeof local) == 0 && listen(listener, 4) == 0, "%s", strerror(errno));
        const pid_t from = spawn(honest, &edge);
        const int fd = accept(listener, NULL, NULL);
        EQUAL(recv(fd, &hello, sizeof hello, MSG_WAITALL), sizeof hello);
        put(fd, &answer, sizeof answer);
        EQUAL(recvmsg(fd, &message, 0), sizeof start);
        memcpy(&memory, CMSG_DATA(&control.head), sizeof memory);
        struct whittle_flow_shared *const shared = mmap(NULL, WHITTLE_FLOW_SHARED_HEAD, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
        CHECK(shared != MAP_FAILED, "%s", strerror(errno));
        close(listener);
        unlink(local.sun_path);
        while (__atomic_load_n(&shared->head, __ATOMIC_ACQUIRE) < 64)
            sleep_ms(1);    /* the sender waits for room now */
        static const uint64_t words[] = {0, UINT64_MAX, UINT64_MAX / 2, 0x1111111111111111u, 77777};
        for (size_t at = 0; at + 8 <= sizeof *shared; at += 8)
            if (turn != 4 || at == offsetof(struct whittle_flow_shared, head))
                memcpy((char *)shared + at, &words[turn], 8);
        close(fd);
        const pid_t to = spawn(sink, &edge);
        EQUAL(reap(from), 0);
        EQUAL(reap(to), 0);
        EQUAL(whittle_flow_ledger_offered(page_of(3, "sender")), HONEST);
        EQUAL(whittle_flow_ledger_delivered(page_of(3, "receiver")), HONEST);
        munmap(shared, WHITTLE_FLOW_SHARED_HEAD);
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
            snprintf(name, sizeof name, "a receiver of %s survives strangers, and hostile peers, on %s", types[type]->name, way == 0 ? "tcp" : way == 1 ? "unix" : "shm");
            new_place(name);
            const pid_t to = spawn(sink, &edge);
            noise(&edge);
            /* Over TCP nobody has proved anything; a local socket's peer is a process of this user. */
            if (ways[way] == WHITTLE_FLOW_TCP)
                EQUAL(counter_of(3, "receiver", WHITTLE_FLOW_STRANGERS), 0);
            struct whittle_flow_event_loop *const holder = key_holder(NULL);
            hellos(holder, &edge);
            if (ways[way] == WHITTLE_FLOW_SHM) {
                rings(holder, &edge);
                many_descriptors(holder, &edge, to);
            } else {
                far_starts(holder, &edge);
                streams(holder, &edge);
            }
            silent(&edge);
            key_drop(holder);
            CHECK(counter_of(3, "receiver", WHITTLE_FLOW_STRANGERS) >= 6, "not counted");
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
    scribbled_rings();
    return 0;
}
