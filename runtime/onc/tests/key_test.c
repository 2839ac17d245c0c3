/* SPDX-License-Identifier: MIT-0 */
/*
 * Keys, by which processes of different users call each other through shared memory: the proofs, against known answers and against
 * whoever changes or repeats them; files that are no keys; and two users, where this one is root, which may be anybody.
 */
#include "check.h"
#include "../../net/memory.h"
#include "../../net/sealed.h"
#include "../../net/socket.h"
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void is_proof(const uint8_t *proof, const char *digits)
{
    char text[2 * WHITTLE_NET_PROOF + 1];
    for (int at = 0; at < WHITTLE_NET_PROOF; at++)
        snprintf(text + 2 * at, 3, "%02x", proof[at]);
    CHECK(strcmp(text, digits) == 0);
}

/* RFC 4231; a key that is shorter than a block is as good as one with zeros behind it. */
static void known_answers(void)
{
    static const struct { uint8_t byte, size; const char *message; size_t times; const char *proof; } known[] = {
        {0x0b, 20, "Hi There", 1, "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"},
        {0, 0, "what do ya want for nothing?", 1, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"},
        {0xaa, 20, "\xdd", 50, "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"}};
    for (size_t index = 0; index < sizeof known / sizeof known[0]; index++) {
        struct whittle_net_key key = {{0}};
        struct whittle_net_piece pieces[50];
        uint8_t proof[WHITTLE_NET_PROOF];
        memset(key.bytes, known[index].byte, known[index].size);
        if (known[index].size == 0)
            memcpy(key.bytes, "Jefe", 4);
        for (size_t at = 0; at < known[index].times; at++)
            pieces[at] = (struct whittle_net_piece){known[index].message, strlen(known[index].message)};
        whittle_net_hmac(&key, pieces, known[index].times, proof);
        is_proof(proof, known[index].proof);
    }
}

/* Each length has its own end of the last block; in pieces it is as in one. */
static void pieces_are_one(void)
{
    static char bytes[300];
    const struct whittle_net_key key = {{1, 2, 3}};
    for (size_t size = 0; size < sizeof bytes; size++) {
        uint8_t whole[WHITTLE_NET_PROOF], parts[WHITTLE_NET_PROOF];
        const size_t cut = size / 3;
        const struct whittle_net_piece one = {bytes, size}, three[] = {{bytes, cut}, {bytes + cut, cut}, {bytes + 2 * cut, size - 2 * cut}};
        bytes[size == 0 ? 0 : size - 1] = (char)size;
        whittle_net_hmac(&key, &one, 1, whole);
        whittle_net_hmac(&key, three, 3, parts);
        CHECK(whittle_net_proof_is(whole, parts));
        parts[size % WHITTLE_NET_PROOF] ^= 1;
        CHECK(!whittle_net_proof_is(whole, parts));
    }
}

static const struct whittle_net_challenges between = {.users = {1000, 2000}};

/* What a server of that key makes of a client's messages, each changed in one place, by another key, and over again. */
static void proofs(void)
{
    const struct whittle_net_key right = {{1, 2, 3}}, wrong = {{1, 2, 3, 4}};
    struct whittle_net_challenges said = between, other = between;
    uint8_t proof[WHITTLE_NET_PROOF], again[WHITTLE_NET_PROOF];
    CHECK(whittle_net_challenge_make(&said, &right, WHITTLE_NET_CLIENT) && whittle_net_challenge_is(&said, &right, WHITTLE_NET_CLIENT));
    CHECK(!whittle_net_challenge_is(&said, &wrong, WHITTLE_NET_CLIENT));
    for (size_t bit = 0; bit < 8 * sizeof said.by[0]; bit++) {
        struct whittle_net_challenges changed = said;
        ((char *)&changed.by[WHITTLE_NET_CLIENT])[bit / 8] ^= (char)(1 << bit % 8);
        CHECK(!whittle_net_challenge_is(&changed, &right, WHITTLE_NET_CLIENT));
    }
    CHECK(whittle_net_challenge_make(&said, &right, WHITTLE_NET_SERVER) && whittle_net_challenge_is(&said, &right, WHITTLE_NET_SERVER));
    CHECK(!whittle_net_challenge_is(&said, &wrong, WHITTLE_NET_SERVER));
    /* A server's is none for another client's challenge, and a client's is no server's. */
    other.by[WHITTLE_NET_SERVER] = said.by[WHITTLE_NET_SERVER];
    CHECK(whittle_net_challenge_make(&other, &right, WHITTLE_NET_CLIENT) && !whittle_net_challenge_is(&other, &right, WHITTLE_NET_SERVER));
    other.by[WHITTLE_NET_SERVER] = other.by[WHITTLE_NET_CLIENT];
    CHECK(!whittle_net_challenge_is(&other, &right, WHITTLE_NET_SERVER));
    other.by[WHITTLE_NET_SERVER].role = WHITTLE_NET_SERVER;
    CHECK(!whittle_net_challenge_is(&other, &right, WHITTLE_NET_SERVER));
    /* A hello that was said to one challenge is none for the next. */
    whittle_net_hello_prove(&said, &right, "hello", 5, proof);
    CHECK(whittle_net_challenge_make(&said, &right, WHITTLE_NET_SERVER));
    whittle_net_hello_prove(&said, &right, "hello", 5, again);
    CHECK(!whittle_net_proof_is(proof, again));
    whittle_net_hello_prove(&said, &right, "hellp", 5, proof);
    CHECK(!whittle_net_proof_is(proof, again));
}

/* Who passes on what both say is another user to each of them. */
static void somebody_between(void)
{
    const struct whittle_net_key key = {{7}};
    struct whittle_net_challenges client = {.users = {1000, 666}}, server = {.users = {666, 2000}};
    CHECK(whittle_net_challenge_make(&client, &key, WHITTLE_NET_CLIENT));
    server.by[WHITTLE_NET_CLIENT] = client.by[WHITTLE_NET_CLIENT];
    CHECK(!whittle_net_challenge_is(&server, &key, WHITTLE_NET_CLIENT));
    CHECK(whittle_net_challenge_make(&server, &key, WHITTLE_NET_SERVER));
    client.by[WHITTLE_NET_SERVER] = server.by[WHITTLE_NET_SERVER];
    CHECK(!whittle_net_challenge_is(&client, &key, WHITTLE_NET_SERVER));
}

static char folder[64];

static const char *place(const char *name)
{
    static char path[4][128];
    static unsigned next;
    char *const own = path[next++ % 4];
    snprintf(own, sizeof path[0], "%s/%s", folder, name);
    return own;
}

static void write_key(const char *name, const char *text, mode_t mode, uid_t user)
{
    const int file = open(place(name), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    CHECK(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text));
    CHECK(fchmod(file, mode) == 0 && (user == geteuid() || fchown(file, user, user) == 0));
    close(file);
}

#define REST "112233445566778899aabbccddeeff00112233445566778899aabbccddeeff\n"
#define RIGHT "00" REST
#define WRONG "00112233445566778899aabbccddeeff00112233445566778899aabbccddee00\n"

static void refused(const char *name, const char *why)
{
    struct whittle_net_key key;
    const char *const said = whittle_net_key_read(AT_FDCWD, place(name), &key);
    CHECK(said != NULL && strstr(said, why) != NULL);
}

static void files(void)
{
    struct whittle_net_key key;
    write_key("good", RIGHT, 0600, geteuid());
    write_key("open", RIGHT, 0640, geteuid());
    write_key("short", RIGHT + 2, 0600, geteuid());
    write_key("long", RIGHT "0", 0600, geteuid());
    write_key("letters", "GG" REST, 0600, geteuid());
    CHECK(symlink(place("good"), place("link")) == 0 && mkfifo(place("pipe"), 0600) == 0);
    CHECK(whittle_net_key_read(AT_FDCWD, place("good"), &key) == NULL && key.bytes[0] == 0 && key.bytes[31] == 0xff);
    refused("open", "chmod 600");
    refused("short", "holds no key");
    refused("long", "holds no key");
    refused("letters", "holds no key");
    refused("link", "not followed");
    refused("pipe", "no ordinary file");
    refused("missing", "No such file");
    static const char *const names[] = {"good", "open", "short", "long", "letters", "link", "pipe"};
    for (size_t index = 0; index < sizeof names / sizeof names[0]; index++)
        CHECK(unlink(place(names[index])) == 0);
}

/* --- Two users --- */

enum { SERVER = 65534, CLIENT = 65533, NOT_LISTENING = 99 };

/* A process becomes that user, with a key or without; what it writes on standard error goes to a file. */
static void become(uid_t user, const char *key, const char *log)
{
    CHECK(freopen(place(log), "w", stderr) != NULL);
    setvbuf(stderr, NULL, _IONBF, 0);
    CHECK(setgid(user) == 0 && setuid(user) == 0 && prctl(PR_SET_PDEATHSIG, SIGKILL) == 0);
    CHECK(setenv("WHITTLE_CALLS_DIR", place("calls"), 1) == 0);
    CHECK(key == NULL ? unsetenv("WHITTLE_CALLS_KEY") == 0 : setenv("WHITTLE_CALLS_KEY", place(key), 1) == 0);
}

/* Where it cannot listen, it ends with that. */
static pid_t server_process(const char *key, uint32_t workers)
{
    int ready[2];
    char byte;
    CHECK(pipe(ready) == 0);
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        static struct sample_servant servant;
        const struct whittle_onc_server_options options = {.workers = workers};
        become(SERVER, key, "server.log");
        struct whittle_onc_server *const server = whittle_onc_server_new(&options);
        GOOD(sample_serve(server, &sample_servant_operations, &servant));
        if (whittle_onc_server_listen(server, "shm:keyed") != WHITTLE_ONC_OK)
            _exit(NOT_LISTENING);
        CHECK(write(ready[1], "", 1) == 1);
        close(ready[1]);
        whittle_onc_server_run(server);
        _exit(0);
    }
    close(ready[1]);
    const ssize_t came = read(ready[0], &byte, 1);
    close(ready[0]);
    /* Who has no key keeps others out by the socket's mode already. */
    CHECK(came == 0 || key != NULL || chmod(place("calls/keyed"), 0666) == 0);
    return child;
}

/* The status of a call, and whether it went through shared memory. */
static int called(const char *key, uid_t user)
{
    int status;
    const pid_t child = fork();
    if (child == 0) {
        int32_t sum;
        become(user, key, "client.log");
        struct whittle_onc_client *const client = client_of("shm:keyed", NULL);
        int failure = WHITTLE_ONC_OK;
        for (int32_t round = 0; round < 1000 && failure == WHITTLE_ONC_OK; round++)
            failure = sample_add(client, round, 1, &sum);
        whittle_onc_client_close(client);
        _exit(-failure);
    }
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status));
    return -WEXITSTATUS(status);
}

/* One line, with that in it; NULL: none. */
static void logged(const char *log, const char *line)
{
    char text[1000];
    FILE *const file = fopen(place(log), "r");
    CHECK(file != NULL);
    const size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[size] = 0;
    if (line == NULL ? size != 0 : strstr(text, line) == NULL || strchr(text, '\n') != text + size - 1) {
        fprintf(stderr, "%s: expected %s, found %s\n", log, line == NULL ? "nothing" : line, text);
        CHECK(false);
    }
}

static void two_users(const char *server_key, const char *client_key, uint32_t workers, int wanted, const char *server_line, const char *client_line)
{
    int status;
    const pid_t server = server_process(server_key, workers);
    IS(called(client_key, CLIENT), wanted);
    logged("client.log", client_line);
    CHECK(unlink(place("client.log")) == 0);
    IS(called(NULL, SERVER), WHITTLE_ONC_OK);     /* the same user needs none, and was not kept from calling */
    CHECK(kill(server, SIGKILL) == 0 && waitpid(server, &status, 0) == server && WIFSIGNALED(status));
    CHECK(unlink(place("calls/keyed")) == 0);
    logged("server.log", server_line);
}

static void server_without(const char *key, const char *line)
{
    int status;
    const pid_t server = server_process(key, 0);
    CHECK(access(place("calls/keyed"), F_OK) != 0);
    CHECK(waitpid(server, &status, 0) == server && WIFEXITED(status) && WEXITSTATUS(status) == NOT_LISTENING);
    logged("server.log", line);
}

/* --- What is none of the run time's --- */

static int raw_connection(void)
{
    struct whittle_net_name name;
    const struct whittle_net_limits soon = {.deadline = whittle_net_now() + 20000 * WHITTLE_NET_MILLISECOND};
    whittle_net_path_name(place("calls/keyed"), &name);
    const int fd = whittle_net_connect_name(&name, SOCK_STREAM, &soon);
    CHECK(fd >= 0);
    return fd;
}

/* What comes within some seconds, and the descriptor with it. */
static ssize_t heard(int fd, void *bytes, size_t size, int *descriptor)
{
    CHECK(whittle_net_wait_for(fd, POLLIN, whittle_net_now() + 20000 * WHITTLE_NET_MILLISECOND) == 1);
    return whittle_net_take(fd, bytes, size, descriptor);
}

/* The server's status of the message, with memory where `memory` says so. */
static void judged(int fd, const void *said, size_t size, bool memory, int wanted)
{
    struct whittle_net_memory_answer answer;
    int descriptor, passed = memory ? whittle_net_sealed_make(whittle_net_memory_size(4096, 4096), true) : -1;
    CHECK(memory ? whittle_net_pass(fd, said, size, passed) : send(fd, said, size, MSG_NOSIGNAL) == (ssize_t)size);
    close(passed);
    CHECK(heard(fd, &answer, sizeof answer, &descriptor) == (ssize_t)sizeof answer && descriptor < 0);
    CHECK(-(int)answer.status == wanted);
    if (wanted != WHITTLE_NET_OK)       /* and it hangs up */
        CHECK(heard(fd, &answer, sizeof answer, &descriptor) == 0);
    close(fd);
}

/* A connection where both have proved the key. */
static int proved(struct whittle_net_challenges *said, const struct whittle_net_key *key)
{
    struct whittle_net_challenge *const own = &said->by[WHITTLE_NET_CLIENT], *const other = &said->by[WHITTLE_NET_SERVER];
    int descriptor;
    const int fd = raw_connection();
    CHECK(whittle_net_challenges_open(said, fd, WHITTLE_NET_CLIENT) && whittle_net_challenge_make(said, key, WHITTLE_NET_CLIENT));
    CHECK(send(fd, own, sizeof *own, MSG_NOSIGNAL) == (ssize_t)sizeof *own);
    CHECK(heard(fd, other, sizeof *other, &descriptor) == (ssize_t)sizeof *other && whittle_net_challenge_is(said, key, WHITTLE_NET_SERVER));
    return fd;
}

static void hostile_client(void)
{
    struct whittle_net_key key;
    struct whittle_net_challenges said, before;
    struct whittle_net_memory_proven proven = {.hello = {.version = WHITTLE_NET_MEMORY_VERSION, .requests = 4096, .replies = 4096}};
    memcpy(proven.hello.name, whittle_net_greeting, sizeof proven.hello.name);
    CHECK(whittle_net_calls_key(&key) == NULL);
    int fd = proved(&before, &key);
    whittle_net_hello_prove(&before, &key, &proven.hello, sizeof proven.hello, proven.proof);
    judged(fd, &proven, sizeof proven, true, WHITTLE_NET_OK);
    fd = proved(&said, &key);
    judged(fd, &proven, sizeof proven, true, WHITTLE_NET_NOT_ALLOWED);      /* what was said before */
    fd = proved(&said, &key);
    judged(fd, &proven.hello, sizeof proven.hello, true, WHITTLE_NET_NOT_ALLOWED);
    fd = proved(&said, &key);
    judged(fd, &said.by[WHITTLE_NET_CLIENT], sizeof said.by[0], false, WHITTLE_NET_NOT_ALLOWED);
    fd = proved(&said, &key);
    whittle_net_hello_prove(&said, &key, &proven.hello, sizeof proven.hello, proven.proof);
    judged(fd, &proven, sizeof proven, false, WHITTLE_NET_OTHER_VERSION);   /* proven, and without memory */
    fd = proved(&said, &key);
    whittle_net_hello_prove(&said, &key, &proven.hello, sizeof proven.hello, proven.proof);
    proven.hello.requests *= 2;
    judged(fd, &proven, sizeof proven, true, WHITTLE_NET_NOT_ALLOWED);
    judged(raw_connection(), &proven, sizeof proven, true, WHITTLE_NET_NOT_ALLOWED);
    judged(raw_connection(), &proven.hello, sizeof proven.hello, true, WHITTLE_NET_NOT_ALLOWED);
    judged(raw_connection(), "G", 1, false, WHITTLE_NET_NOT_ALLOWED);
    memset(&said.by[WHITTLE_NET_CLIENT].proof, 0, WHITTLE_NET_PROOF);
    judged(raw_connection(), &said.by[WHITTLE_NET_CLIENT], sizeof said.by[0], true, WHITTLE_NET_NOT_ALLOWED);
    /* Who goes in the midst of it leaves nothing behind. */
    for (int round = 0; round < 50; round++)
        close(round % 2 == 0 ? proved(&said, &key) : raw_connection());
}

static uint64_t connections_of(pid_t server)
{
    uint64_t count = 0;
    char path[64];
    for (int descriptor = 0; descriptor < 200; descriptor++) {
        snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)server, descriptor);
        char target[8];
        count += readlink(path, target, sizeof target) > 0;
    }
    return count;
}

static void in_a_process(uid_t user, const char *key, const char *log, void (*act)(void))
{
    int status;
    const pid_t child = fork();
    if (child == 0) {
        become(user, key, log);
        act();
        _exit(0);
    }
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void strangers(uint32_t workers)
{
    const pid_t server = server_process("s.right", workers);
    IS(called("c.right", CLIENT), WHITTLE_ONC_OK);
    for (int tries = 0; tries < 200 && connections_of(server) > 100; tries++)
        usleep(10000);
    const uint64_t before = connections_of(server);
    in_a_process(CLIENT, "c.right", "client.log", hostile_client);
    for (int tries = 0; tries < 1000 && connections_of(server) > before; tries++)
        usleep(10000);
    CHECK(connections_of(server) <= before);
    IS(called("c.right", CLIENT), WHITTLE_ONC_OK);
    CHECK(kill(server, SIGKILL) == 0 && waitpid(server, NULL, 0) == server && unlink(place("calls/keyed")) == 0);
}

static int listener = -1;

/* Answers a challenge with what is no proof, and is passed nothing. */
static void false_server(void)
{
    struct whittle_net_challenges said;
    const struct whittle_net_key wrong = {{1}};
    int descriptor;
    CHECK(whittle_net_wait_for(listener, POLLIN, whittle_net_now() + 20000 * WHITTLE_NET_MILLISECOND) == 1);
    const int fd = accept(listener, NULL, NULL);
    CHECK(fd >= 0 && whittle_net_challenges_open(&said, fd, WHITTLE_NET_SERVER));
    CHECK(heard(fd, &said.by[WHITTLE_NET_CLIENT], sizeof said.by[0], &descriptor) == (ssize_t)sizeof said.by[0] && descriptor < 0);
    CHECK(whittle_net_challenge_make(&said, &wrong, WHITTLE_NET_SERVER));
    CHECK(send(fd, &said.by[WHITTLE_NET_SERVER], sizeof said.by[0], MSG_NOSIGNAL) == (ssize_t)sizeof said.by[0]);
    CHECK(heard(fd, &said, sizeof said, &descriptor) == 0 && descriptor < 0);
}

static void bind_listener(void)
{
    struct whittle_net_name name;
    listener = whittle_net_bind(&(struct whittle_net_address){.transport = WHITTLE_NET_UNIX, .host = (char *)(uintptr_t)place("calls/keyed")}, &name);
    CHECK(listener >= 0 && chmod(place("calls/keyed"), 0666) == 0);
}

static void nothing_for_strangers(void)
{
    int status, ready[2];
    char byte;
    CHECK(pipe(ready) == 0);
    const pid_t server = fork();
    if (server == 0) {
        become(SERVER, NULL, "server.log");
        bind_listener();
        CHECK(write(ready[1], "", 1) == 1);
        false_server();
        _exit(0);
    }
    CHECK(read(ready[0], &byte, 1) == 1);
    close(ready[0]);
    close(ready[1]);
    IS(called("c.right", CLIENT), WHITTLE_ONC_NOT_ALLOWED);
    CHECK(waitpid(server, &status, 0) == server && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    logged("client.log", "is not called: it has another key, or none");
    CHECK(unlink(place("calls/keyed")) == 0);
}

static void users(void)
{
    static const struct { const char *server, *client; int wanted; const char *server_line, *client_line; } cases[] = {
        {"s.right", "c.right", WHITTLE_ONC_OK, NULL, NULL},
        {"s.right", "c.wrong", WHITTLE_ONC_NOT_ALLOWED, "is refused: it has another key", "it has another key, or none"},
        {"s.right", NULL, WHITTLE_ONC_NOT_ALLOWED, "it hung up before", "WHITTLE_CALLS_KEY names no key here"},
        {"s.right", "c.open", WHITTLE_ONC_NOT_ALLOWED, "it hung up before", "others may read or write it: chmod 600"},
        {"s.right", "s.right", WHITTLE_ONC_NOT_ALLOWED, "it hung up before", "cannot be used: "},
        {"s.right", "c.missing", WHITTLE_ONC_NOT_ALLOWED, "it hung up before", "c.missing cannot be used: No such file"},
        {NULL, "c.right", WHITTLE_ONC_NOT_ALLOWED, "WHITTLE_CALLS_KEY names no key here", "it has another key, or none"}};
    if (geteuid() != 0) {
        puts("two users are skipped: only root can be both");
        return;
    }
    CHECK(chmod(folder, 0777) == 0 && mkdir(place("calls"), 0755) == 0 && chown(place("calls"), SERVER, SERVER) == 0);
    write_key("s.right", RIGHT, 0600, SERVER);
    write_key("s.open", RIGHT, 0604, SERVER);
    write_key("c.right", RIGHT, 0600, CLIENT);
    write_key("c.wrong", WRONG, 0600, CLIENT);
    write_key("c.open", RIGHT, 0644, CLIENT);
    for (size_t index = 0; index < sizeof cases / sizeof cases[0]; index++)
        for (uint32_t workers = 0; workers <= 4; workers += 4)
            two_users(cases[index].server, cases[index].client, workers, cases[index].wanted, cases[index].server_line, cases[index].client_line);
    strangers(0);
    strangers(4);
    nothing_for_strangers();
    server_without("s.open", "nobody listens there");
    server_without("s.missing", "cannot be used: No such file");
    server_without("c.right", "cannot be used: ");
    CHECK(chmod(place("calls"), 0777) == 0);
    server_without("s.right", NULL);    /* anybody could put a socket there */
}

int main(void)
{
    known_answers();
    pieces_are_one();
    proofs();
    somebody_between();
    snprintf(folder, sizeof folder, "/tmp/whittle-keys-%d", (int)getpid());
    CHECK(mkdir(folder, 0700) == 0);
    files();
    users();
    char command[100];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command) != 0;
}
