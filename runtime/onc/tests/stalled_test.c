/* SPDX-License-Identifier: MIT-0 */
/*
 * What calls wait for before they are sent: a connection that does not come about, and others that wait for it. Their time runs
 * meanwhile, and they can be cancelled. And servers that are out of descriptors.
 */
#include "scripted.h"
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WAITING = 3 };

/* A port at which nobody is taken in, and nobody is refused. */
struct silent {
    int listener, waiting[WAITING];
    char address[40];
};

static void silent_open(struct silent *silent)
{
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof name;
    silent->listener = socket(AF_INET, SOCK_STREAM, 0);
    CHECK(bind(silent->listener, (struct sockaddr *)&name, size) == 0 && listen(silent->listener, 0) == 0);
    CHECK(getsockname(silent->listener, (struct sockaddr *)&name, &size) == 0);
    snprintf(silent->address, sizeof silent->address, "tcp://127.0.0.1:%d", ntohs(name.sin_port));
    for (int index = 0; index < WAITING; index++) {
        silent->waiting[index] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
        connect(silent->waiting[index], (struct sockaddr *)&name, size);
    }
}

static void silent_close(struct silent *silent)
{
    for (int index = 0; index < WAITING; index++)
        close(silent->waiting[index]);
    close(silent->listener);
}

struct caller {
    struct whittle_onc_client *client;
    pthread_t thread;
    int status;
    bool done;
};

static void *call_once(void *opaque)
{
    struct caller *const caller = (struct caller *)opaque;
    caller->status = sample_nothing(caller->client);
    __atomic_store_n(&caller->done, true, __ATOMIC_RELEASE);
    return NULL;
}

static bool is_done(const struct caller *caller)
{
    return __atomic_load_n(&caller->done, __ATOMIC_ACQUIRE);
}

/* One connects, one waits for that: both are cancelled. Their time would not be over while the test lasts. */
static void cancelled(void)
{
    struct silent silent;
    const struct whittle_onc_client_options options = {.timeout = 80000};
    silent_open(&silent);
    struct caller callers[2] = {{.client = client_of(silent.address, &options)}, {.client = NULL}};
    callers[1].client = callers[0].client;
    for (int index = 0; index < 2; index++)
        CHECK(pthread_create(&callers[index].thread, NULL, call_once, &callers[index]) == 0);
    while (!is_done(&callers[0]) || !is_done(&callers[1])) {
        whittle_onc_client_cancel(callers[0].client);
        pause_for(20);
    }
    for (int index = 0; index < 2; index++) {
        pthread_join(callers[index].thread, NULL);
        IS(callers[index].status, WHITTLE_ONC_CANCELLED);
    }
    whittle_onc_client_close(callers[0].client);
    silent_close(&silent);
}

/* A call with less time ends before the one that it waits for. */
static void out_of_time(void)
{
    struct silent silent;
    struct whittle_onc_call call;
    const struct whittle_onc_client_options options = {.timeout = 80000};
    silent_open(&silent);
    struct caller first = {.client = client_of(silent.address, &options)};
    CHECK(pthread_create(&first.thread, NULL, call_once, &first) == 0);
    pause_for(50);
    char *const at = whittle_onc_begin(&call, first.client, SAMPLE_PROGRAM, SAMPLE_ONE, SAMPLE_NOTHING);
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    call.net.deadline = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec + 50000000u;
    IS(whittle_onc_exchange(&call, at), WHITTLE_ONC_TIMED_OUT);
    IS(whittle_onc_end(&call, call.at), WHITTLE_ONC_TIMED_OUT);
    CHECK(!is_done(&first));
    while (!is_done(&first)) {
        whittle_onc_client_cancel(first.client);
        pause_for(20);
    }
    pthread_join(first.thread, NULL);
    whittle_onc_client_close(first.client);
    silent_close(&silent);
}

static void say_nothing(int fd, int turn)
{
    (void)fd;
    (void)turn;
}

/* What waited to be sent has nowhere to go: the flush says so. */
static void lost_batch(void)
{
    struct scripted scripted;
    int status = WHITTLE_ONC_OK;
    scripted_open(&scripted, false, say_nothing);
    struct whittle_onc_client *const client = client_of(scripted.address, NULL);
    GOOD(sample_note(client, 1));
    scripted_hung_up(&scripted, 1);
    for (int count = 0; count < 100 && status == WHITTLE_ONC_OK; count++) {
        pause_for(5);
        GOOD(sample_note(client, 1));
        status = whittle_onc_client_flush(client);
    }
    IS(status, WHITTLE_ONC_LOST);
    whittle_onc_client_close(client);
    scripted_close(&scripted);
}

enum { TOO_MANY = 200 };

/* More connections than the server has descriptors for; who is not accepted gets an error. */
static void crowd(const char *address)
{
    int all[TOO_MANY];
    for (int index = 0; index < TOO_MANY; index++)
        all[index] = peer_connect(address);
    for (int index = 0; index < TOO_MANY / 2; index++)
        close(all[index]);
    _exit(0);
}

static void exhausted(void)
{
    static const char *const addresses[] = {"tcp://127.0.0.1", "tcp://127.0.0.1", NULL};
    const struct whittle_onc_server_options options = {.workers = 8};
    struct running running;
    struct rlimit before;
    CHECK(getrlimit(RLIMIT_NOFILE, &before) == 0);
    running_open(&running, &options, addresses);
    const int next = dup(0);
    close(next);
    pid_t children[2];
    for (size_t index = 0; index < 2; index++) {
        children[index] = fork();
        if (children[index] == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            pause_for(20);
            crowd(whittle_onc_server_address(running.server, index));
        }
    }
    const struct rlimit few = {(rlim_t)next + 20, before.rlim_max};
    CHECK(setrlimit(RLIMIT_NOFILE, &few) == 0);
    for (size_t index = 0; index < 2; index++) {
        int status = 1;
        CHECK(waitpid(children[index], &status, 0) == children[index] && status == 0);
    }
    CHECK(setrlimit(RLIMIT_NOFILE, &before) == 0);
    struct whittle_onc_client *const client = client_of(running_at(&running, "tcp"), NULL);
    GOOD(sample_nothing(client));
    whittle_onc_client_close(client);
    running_close(&running);
}

int main(void)
{
    cancelled();
    out_of_time();
    lost_batch();
    for (int round = 0; round < 3; round++)
        exhausted();
    return 0;
}
