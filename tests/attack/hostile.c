/* SPDX-License-Identifier: MIT-0 */
/*
 * The process of a hostile server: listens, and has each request answered in its manner; honestly when the client's side says so. In: a
 * manner, a link. Out: an address, bytes.
 */
#include "hostile.h"
#include <arpa/inet.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/un.h>
#include <sys/wait.h>

struct aim aim;
struct shared *shared;
uint16_t hostile_ports[PORTS];

static const struct manner *manner;
static uint64_t seed;
static pid_t child;
static char path[100];
static int listeners[PORTS];
static int listener_count;

bool hostile_times(void)
{
    return !atomic_load(&shared->honest);
}

bool say(struct talk *talk, const void *bytes, size_t size)
{
    if (talk->from != NULL)
        return sendto(talk->fd, bytes, size, MSG_NOSIGNAL, (const struct sockaddr *)talk->from, talk->from_size) >= 0;
    for (size_t at = 0; at < size;) {
        struct pollfd wait = {.fd = talk->fd, .events = POLLOUT};
        const ssize_t done = put_some(talk->fd, (const char *)bytes + at, size - at);
        if (done < 0)
            return false;
        at += (size_t)done;
        if (done == 0 && poll(&wait, 1, 20) == 0 && !hostile_times())
            return false;
    }
    return true;
}

static bool answer(struct talk *talk)
{
    talk->turn = atomic_fetch_add(&shared->requests, 1);
    talk->chance.random = (seed + 1) * 0x9e3779b97f4a7c15ull + (talk->turn + 1) * 0xd1b54a32d192ed03ull;
    if (hostile_times() && manner->answer != NULL)
        return manner->answer(talk);
    struct bytes bytes = {NULL, 0, 0};
    reply_honest(&bytes, talk);
    const bool lasts = say(talk, bytes.at, bytes.size);
    bytes_free(&bytes);
    return lasts;
}

static void *converse(void *given)
{
    struct talk talk = {.fd = (int)(intptr_t)given};
    const bool deaf = manner->deaf && hostile_times();
    for (char some[1000]; deaf && hostile_times(); pause_for(5))
        if (manner->sips)
            recv(talk.fd, some, sizeof some, MSG_DONTWAIT);
    if (!deaf)
        while (request_read(&talk) && answer(&talk))
            ;
    bytes_free(&talk.arguments);
    close(talk.fd);
    return NULL;
}

static void datagrams(int fd)
{
    static uint8_t bytes[65536];
    for (;;) {
        struct sockaddr_storage from;
        struct talk talk = {.fd = fd, .from = &from, .from_size = sizeof from};
        const ssize_t size = recvfrom(fd, bytes, sizeof bytes, 0, (struct sockaddr *)&from, &talk.from_size);
        if (size >= 0 && request_parse(&talk, bytes, (size_t)size))
            answer(&talk);
        bytes_free(&talk.arguments);
    }
}

static void serve(void)
{
    struct pollfd all[PORTS];
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, 512 * 1024);
    if (aim.datagrams)
        datagrams(listeners[0]);
    while (manner->closed && hostile_times())
        pause_for(5);
    for (int index = 0; index < listener_count; index++)
        all[index] = (struct pollfd){.fd = listeners[index], .events = POLLIN};
    for (;;) {
        poll(all, (nfds_t)listener_count, -1);
        for (int index = 0; index < listener_count; index++)
            if (all[index].revents != 0) {
                pthread_t thread;
                const int fd = accept(listeners[index], NULL, NULL);
                if (fd >= 0 && pthread_create(&thread, &attributes, converse, (void *)(intptr_t)fd) != 0)
                    close(fd);
            }
    }
}

static int listen_at(uint16_t *port)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(*port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof at;
    const int fd = socket(AF_INET, aim.datagrams ? SOCK_DGRAM : SOCK_STREAM, 0), small = 4096, yes = 1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (manner->deaf)
        setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
    if (bind(fd, (struct sockaddr *)&at, size) != 0 || (!aim.datagrams && listen(fd, manner->closed ? 0 : 100) != 0)) {
        perror("hostile: listen");
        exit(1);
    }
    getsockname(fd, (struct sockaddr *)&at, &size);
    *port = ntohs(at.sin_port);
    return fd;
}

void hostile_start(const struct manner *which, const char *link, uint64_t number, char *address, size_t size)
{
    manner = which, seed = number;
    shared = (struct shared *)mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    aim.until = UINT64_MAX;
    aim.datagrams = strcmp(link, "udp") == 0;
    if (strcmp(link, "unix") == 0) {
        struct sockaddr_un at = {.sun_family = AF_UNIX};
        snprintf(path, sizeof path, "/tmp/whittle-hostile-%d.socket", (int)getpid());
        strcpy(at.sun_path, path);
        unlink(path);
        listeners[listener_count++] = socket(AF_UNIX, SOCK_STREAM, 0);
        if (bind(listeners[0], (struct sockaddr *)&at, sizeof at) != 0 || listen(listeners[0], manner->closed ? 0 : 100) != 0)
            exit(1);
        snprintf(address, size, "unix:%s", path);
    } else {
        const int count = strcmp(manner->name, "forward-ports") == 0 ? PORTS : 1;
        hostile_ports[0] = manner->deeds == NO_PORT ? 111 : 0;
        for (; listener_count < count; listener_count++)
            listeners[listener_count] = listen_at(&hostile_ports[listener_count]);
        if (aim.giop)
            snprintf(address, size, "corbaloc:iiop:1.2@127.0.0.1:%d/attacked", hostile_ports[0]);
        else
            snprintf(address, size, "%s://127.0.0.1:%d", link, hostile_ports[0]);
    }
    child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        signal(SIGPIPE, SIG_IGN);
        serve();
    }
    while (listener_count > 0)
        close(listeners[--listener_count]);
}

void hostile_end(void)
{
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    if (path[0] != 0)
        unlink(path);
}
