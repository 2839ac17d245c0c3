/* See common.h. */
#include "common.h"
#include <fcntl.h>
#include <ftw.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>

enum { PATIENCE = 120 };    /* seconds in which a packet goes by, however busy the machine is */
static char place[80];
static unsigned port;
static int watched;   /* what ends with the test */
static pid_t owner;   /* the test itself, which is not one of its processes */

/* The linker puts this behind each count. */
struct whittle_flow_link;
void __real_whittle_flow_count(struct whittle_flow_link *link, enum whittle_flow_counter which, uint64_t more);
void __wrap_whittle_flow_count(struct whittle_flow_link *link, enum whittle_flow_counter which, uint64_t more);

enum whittle_flow_counter dies_at;

void __wrap_whittle_flow_count(struct whittle_flow_link *link, enum whittle_flow_counter which, uint64_t more)
{
    __real_whittle_flow_count(link, which, more);
    if (dies_at != 0 && which == dies_at && more > 0)
        raise(SIGKILL);
}

static uint32_t list_used(const void *packet)
{
    uint32_t count;
    memcpy(&count, packet, 4);
    return count > 3072 ? 0 : 4 + 4 * count;
}

static size_t text_encode(const void *packet, uint8_t *at, size_t room)
{
    const struct text *const text = packet;
    const size_t length = text->words != NULL ? strlen(text->words) : 0;
    if (text->words == NULL || length + 1 > room)
        return 0;
    memcpy(at, text->words, length + 1);
    return length + 1;
}

static bool text_decode(void *packet, const uint8_t *at, size_t bytes)
{
    if (at[bytes - 1] != 0 || memchr(at, 0, bytes) != at + bytes - 1)
        return false;
    ((struct text *)packet)->words = strdup((const char *)at);
    return ((struct text *)packet)->words != NULL;
}

static void text_release(void *packet)
{
    free(((struct text *)packet)->words);
}

const struct whittle_flow_type number_type = {.name = "number", .fingerprint = 4, .size = 4, .alignment = 4, .fixed = 4};
const struct whittle_flow_type mixed_type = {.name = "mixed", .fingerprint = 152, .size = sizeof(struct mixed), .alignment = 4, .fixed = sizeof(struct mixed)};
const struct whittle_flow_type list_type = {.name = "list", .fingerprint = 12292, .size = sizeof(struct list), .alignment = 4, .fixed = 4, .used = list_used};
const struct whittle_flow_type text_type = {
    .name = "text", .fingerprint = 77, .size = sizeof(struct text), .alignment = sizeof(void *), .largest = 1000,
    .encode = text_encode, .decode = text_decode, .release = text_release};

struct whittle_flow_edge an_edge(const struct whittle_flow_type *type, enum whittle_flow_transport transport)
{
    return (struct whittle_flow_edge){
        .flow = "test", .name = "Source.out -> Sink.in", .from = "Source", .to = "Sink", .number = 3, .transport = transport,
        .delivery = WHITTLE_FLOW_RELIABLE, .full = WHITTLE_FLOW_BLOCK, .one_clock = true, .queue_items = 64, .type = type};
}

void edges_to_one_socket(struct whittle_flow_edge *edges, unsigned count, unsigned first, enum whittle_flow_transport transport)
{
    static char names[8][32];
    CHECK(count <= sizeof names / sizeof *names, "%u edges", count);
    for (unsigned n = 0; n < count; n++) {
        snprintf(names[n], sizeof names[n], "S.out%u -> T.in%u", n, n);
        edges[n] = an_edge(&number_type, transport);
        edges[n].name = names[n];
        edges[n].number = (uint16_t)(first + n);
        edges[n].shares = (uint16_t)n;
    }
}

static void begin_process(struct end *end, const char *name)
{
    static char program[] = "test";
    char *arguments[] = {program, NULL};
    end->process.flow = "test";
    end->process.name = name;
    end->process.security = &whittle_flow_keyed;
    CHECK(whittle_flow_begin(&end->process, 1, arguments), "%s", name);
}

void begin_sender(struct end *end, const struct whittle_flow_edge *edge)
{
    memset(end, 0, sizeof *end);
    end->sender.edge = edge;
    end->senders[0] = &end->sender;
    end->process.senders = end->senders;
    end->process.sender_count = 1;
    begin_process(end, "source");
}

void begin_receiver(struct end *end, const struct whittle_flow_edge *edge)
{
    memset(end, 0, sizeof *end);
    end->receiver.edge = edge;
    end->receivers[0] = &end->receiver;
    end->process.receivers = end->receivers;
    end->process.receiver_count = 1;
    begin_process(end, "sink");
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *walk)
{
    (void)status, (void)kind, (void)walk;
    return remove(path) != 0 && errno != ENOENT;
}

/* Processes that were forked leave the place to the one that made it. */
static void remove_place(void)
{
    if (owner != getpid())
        return;
    nftw(place, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    close(watched);
}

/*
 * A process of nobody's, which removes the place once the test and all that it forked have ended, however they did: the end of its
 * input says so. crates/filetest/src/scratch.rs does the same.
 */
static void watch_place(void)
{
    int ends[2], status;
    CHECK(pipe2(ends, O_CLOEXEC) == 0, "%s", strerror(errno));
    const pid_t child = fork();
    CHECK(child >= 0, "%s", strerror(errno));
    if (child == 0) {
        const int nothing = open("/dev/null", O_RDWR);
        if (fork() == 0 && setsid() >= 0 && dup2(ends[0], 0) == 0 && dup2(nothing, 1) == 1 && dup2(nothing, 2) == 2)
            execl("/bin/sh", "sh", "-c", "trap '' INT TERM HUP; cat; rm -rf -- \"$1\"", "sh", place, (char *)NULL);
        _exit(0);
    }
    waitpid(child, &status, 0);
    close(ends[0]);
    watched = ends[1];
}

/*
 * Ports that no other test on this machine has now: a block of 128 belongs to who has bound the abstract Unix socket of its name, until
 * the process ends or takes another. crates/filetest/src/ports.rs takes blocks in the same way.
 */
static unsigned take_ports(void)
{
    enum { FIRST = 10000, SIZE = 128, BLOCKS = 150 };
    static int taken = -1;
    const int before = taken;
    for (unsigned turn = 0; turn < BLOCKS; turn++) {
        const unsigned block = ((unsigned)getpid() + turn) % BLOCKS;
        struct sockaddr_un name = {.sun_family = AF_UNIX};
        const int size = snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "whittle-test-ports-%u", block);
        taken = socket(AF_UNIX, SOCK_STREAM, 0);
        if (bind(taken, (const struct sockaddr *)&name, (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)size)) == 0) {
            close(before);
            return FIRST + block * SIZE;
        }
        close(taken);
    }
    CHECK(false, "tests have all blocks of ports");
    return 0;
}

/* How far the packets of the usual edge are. */
static uint64_t progress(void)
{
    const unsigned edge = an_edge(&number_type, WHITTLE_FLOW_TCP).number;
    const struct whittle_flow_ledger *const from = page_of(edge, "sender"), *const to = page_of(edge, "receiver");
    const uint64_t far = (from != NULL ? whittle_flow_ledger_offered(from) : 0) + (to != NULL ? whittle_flow_ledger_taken(to) : 0);
    if (from != NULL)
        munmap((void *)(uintptr_t)from, WHITTLE_FLOW_LEDGER_BYTES);
    if (to != NULL)
        munmap((void *)(uintptr_t)to, WHITTLE_FLOW_LEDGER_BYTES);
    return far;
}

/* Xorshift (Marsaglia, 2003). */
static uint64_t numbers = 1;
void seed_numbers(uint64_t seed)
{
    numbers = seed | 1;
}

uint64_t random_number(void)
{
    numbers ^= numbers << 13;
    numbers ^= numbers >> 7;
    return numbers ^= numbers << 17;
}

uint32_t any(uint32_t below)
{
    return (uint32_t)((random_number() >> 16) % below);
}

/* A test that hangs says which it is, and how far its packets are. One whose packets go on is slow. */
static const char *running;
static void hangs(int number)
{
    static uint64_t before;
    const uint64_t far = progress();
    (void)number;
    if (owner != getpid())
        _exit(98);
    if (far != before) {
        before = far;
        alarm(PATIENCE);
        return;
    }
    fprintf(stderr, "%s: hangs\n", running);
    show_pages(an_edge(&number_type, WHITTLE_FLOW_TCP).number);
    _exit(98);
}

void new_place(const char *test)
{
    static char name[160];
    static unsigned places;
    char text[16];
    if (places++ == 0) {
        owner = getpid();
        atexit(remove_place);
    } else {
        remove_place();
    }
    const char *const folder = getenv("TMPDIR");
    /* Addresses of sockets are short. */
    const bool fits = folder != NULL && folder[0] == '/' && strlen(folder) < sizeof place - sizeof "/whittle-test-" - 6;
    snprintf(place, sizeof place, "%s/whittle-test-XX" "XX" "XX", fits ? folder : "/tmp");
    CHECK(mkdtemp(place) != NULL, "%s", strerror(errno));
    watch_place();
    port = take_ports();
    snprintf(text, sizeof text, "%u", port);
    setenv("WHITTLE_DIR", place, 1);
    setenv("WHITTLE_PORT", text, 1);
    snprintf(name, sizeof name, "%s", test);
    running = name;
    signal(SIGALRM, hangs);
    alarm(PATIENCE);
    printf("%s\n", test);
    fflush(stdout);
}

char *place_name(void) { return place; }

const char *own_host(void)
{
    static char host[16];
    if (host[0] == '\0')
        snprintf(host, sizeof host, "127.%d.%d.%d", 1 + (int)(getpid() >> 14 & 127), 1 + (int)(getpid() >> 7 & 127), 1 + (int)(getpid() & 127));
    return host;
}

unsigned place_port(void) { return port; }

pid_t spawn(int (*body)(const void *), const void *argument)
{
    fflush(NULL);
    const pid_t parent = getpid(), child = fork();
    CHECK(child >= 0, "%s", strerror(errno));
    if (child == 0) {
        /* It ends with a test that fails, or that has failed already. */
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent)
            _exit(99);
        exit(body(argument));
    }
    return child;
}

int reap(pid_t child)
{
    int status;
    CHECK(waitpid(child, &status, 0) == child, "%s", strerror(errno));
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

void kill_hard(pid_t child)
{
    kill(child, SIGKILL);
    EQUAL(reap(child), 128 + SIGKILL);
}

/* A socket that does not listen yet is no connection, and would never listen. */
void cut_connections(void)
{
    for (int fd = 3; fd < 64; fd++) {
        struct sockaddr_storage peer;
        socklen_t size = sizeof peer;
        if (getpeername(fd, (struct sockaddr *)&peer, &size) == 0)
            shutdown(fd, SHUT_RDWR);
    }
}

const struct whittle_flow_ledger *page_of(unsigned edge, const char *end)
{
    char name[128];
    snprintf(name, sizeof name, "%s/%u.%s", place, edge, end);
    const int fd = open(name, O_RDONLY);
    struct stat found;
    if (fd < 0)
        return NULL;
    void *page = MAP_FAILED;
    if (fstat(fd, &found) == 0 && found.st_size >= WHITTLE_FLOW_LEDGER_BYTES)
        page = mmap(NULL, WHITTLE_FLOW_LEDGER_BYTES, PROT_READ, MAP_SHARED, fd, 0);
    close(fd);
    return page == MAP_FAILED ? NULL : page;
}

void sleep_ms(unsigned ms)
{
    const struct timespec time = {ms / 1000, (long)(ms % 1000) * 1000000};
    nanosleep(&time, NULL);
}

void await_counter(unsigned edge, const char *end, uint64_t (*count)(const struct whittle_flow_ledger *), uint64_t least)
{
    for (;;) {
        const struct whittle_flow_ledger *const page = page_of(edge, end);
        const bool there = page != NULL && count(page) >= least;
        if (page != NULL)
            munmap((void *)(uintptr_t)page, WHITTLE_FLOW_LEDGER_BYTES);
        if (there)
            return;
        sleep_ms(1);
    }
}

uint64_t counter_of(unsigned edge, const char *end, enum whittle_flow_counter which)
{
    const struct whittle_flow_ledger *const page = page_of(edge, end);
    CHECK(page != NULL, "no page of %s", end);
    const uint64_t value = whittle_flow_counter(page, which);
    munmap((void *)(uintptr_t)page, WHITTLE_FLOW_LEDGER_BYTES);
    return value;
}

void check_ages(unsigned edge, uint64_t count)
{
    const struct whittle_flow_ledger *const page = page_of(edge, "receiver");
    const uint64_t ages = whittle_flow_counter(page, WHITTLE_FLOW_LATENCY_COUNT), largest = whittle_flow_counter(page, WHITTLE_FLOW_LATENCY_LARGEST);
    uint64_t sum = 0;
    for (int n = 0; n < WHITTLE_FLOW_LEDGER_BUCKETS; n++)
        sum += page->latency[n];
    EQUAL(ages, sum);
    CHECK((ages > 0) == (count > 0) && ages <= count, "%llu ages of %llu packets", (unsigned long long)ages, (unsigned long long)count);
    CHECK(largest < (uint64_t)PATIENCE * 1000000000u, "an age of %llu ns", (unsigned long long)largest);
}

void show_pages(unsigned edge)
{
    static const char *const ends[] = {"sender", "receiver"};
    for (int side = 0; side < 2; side++) {
        const struct whittle_flow_ledger *const page = page_of(edge, ends[side]);
        for (uint32_t n = 0; page != NULL && n < page->counters; n++)
            if (page->counter[n] != 0)
                fprintf(stderr, "    %s %s: %llu\n", ends[side], page->names[n], (unsigned long long)page->counter[n]);
    }
}

uint64_t check_identity(unsigned edge)
{
    const struct whittle_flow_ledger *const from = page_of(edge, "sender"), *const to = page_of(edge, "receiver");
    CHECK(from != NULL && to != NULL, "a page is missing");
    const uint64_t delivered = whittle_flow_ledger_delivered(to), dropped = whittle_flow_ledger_dropped(from) + whittle_flow_ledger_dropped(to);
    const uint64_t unknown = whittle_flow_counter(from, WHITTLE_FLOW_UNKNOWN) + whittle_flow_counter(to, WHITTLE_FLOW_UNKNOWN);
    const uint64_t faulty = whittle_flow_counter(from, WHITTLE_FLOW_FAULTY) + whittle_flow_counter(to, WHITTLE_FLOW_FAULTY);
    const uint64_t under_way = whittle_flow_counter(from, WHITTLE_FLOW_SENT) - whittle_flow_ledger_taken(to);
    const uint64_t flight = whittle_flow_ledger_waiting(from) + under_way + whittle_flow_ledger_kept(to);
    const uint64_t filtered = whittle_flow_counter(from, WHITTLE_FLOW_FILTERED), found = delivered + dropped + faulty + unknown + filtered + flight;
    if (whittle_flow_ledger_offered(from) != found)
        show_pages(edge);
    EQUAL(whittle_flow_ledger_offered(from), found);
    return flight;
}

void check_balance(unsigned edge, uint64_t in_flight)
{
    const uint64_t flight = check_identity(edge);
    if (flight != in_flight)
        show_pages(edge);
    EQUAL(flight, in_flight);
}

void write_packet(const struct whittle_flow_type *type, void *room, uint32_t n)
{
    static char words[1000];
    if (type == &number_type)
        ((struct number *)room)->value = n;
    else if (type == &list_type) {
        struct list *const list = room;
        list->used = 1 + n % 300;
        for (uint32_t i = 0; i < list->used; i++)
            list->item[i] = n;
    } else {
        snprintf(words, sizeof words, "%u%*s", n, (int)(n % 900), "");
        ((struct text *)room)->words = words;
    }
}

uint32_t read_packet(const struct whittle_flow_type *type, const void *packet)
{
    if (type == &number_type)
        return ((const struct number *)packet)->value;
    if (type == &list_type) {
        const struct list *const list = packet;
        EQUAL(list->used, 1 + list->item[0] % 300);
        EQUAL(list->item[list->used - 1], list->item[0]);
        return list->item[0];
    }
    const char *const words = ((const struct text *)packet)->words;
    const uint32_t n = (uint32_t)strtoul(words, NULL, 10);
    CHECK(strlen(words) >= n % 900, "cut short");
    return n;
}
