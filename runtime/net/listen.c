/* SPDX-License-Identifier: MIT-0 */
/* The addresses that a server is called at. */
#include "memory.h"
#include "local_name.h"
#include "server.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <unistd.h>

/* No memory is left, or no descriptor, not even to turn somebody away, or all connections are busy: nobody is accepted until the resume timer's time. */
WHITTLE_NET_COLD static void whittle_net_listener_pause(struct whittle_net_listener *listener)
{
    static const struct itimerspec soon = {.it_value = {.tv_nsec = 10 * WHITTLE_NET_MILLISECOND}};
    struct whittle_net_server *const server = listener->server;
    whittle_net_pause(&server->poller, &listener->source);
    __atomic_store_n(&listener->paused, true, __ATOMIC_RELEASE);
    __atomic_store_n(&server->any_paused, true, __ATOMIC_RELEASE);
    timerfd_settime(server->resume_timer.fd, 0, &soon, NULL);  /* failing that, the sweep timer looks */
}

void whittle_net_listen_again(struct whittle_net_server *server)
{
    if (!__atomic_exchange_n(&server->any_paused, false, __ATOMIC_ACQ_REL))
        return;
    for (struct whittle_net_listener *each = server->listeners; each != NULL; each = each->next)
        if (__atomic_exchange_n(&each->paused, false, __ATOMIC_ACQ_REL) && each->source.fd >= 0
            && !whittle_net_resume(&server->poller, &each->source, EPOLLIN) && errno != EEXIST)
            whittle_net_listener_pause(each);
}

void whittle_net_resume_listening(struct whittle_net_source *source, uint32_t events)
{
    uint64_t ticks;
    (void)events;
    if (read(source->fd, &ticks, sizeof ticks) > 0)
        whittle_net_listen_again((struct whittle_net_server *)(void *)((char *)source - offsetof(struct whittle_net_server, resume_timer)));
}

static void whittle_net_accept_all(struct whittle_net_source *source, uint32_t events)
{
    struct whittle_net_listener *const listener = (struct whittle_net_listener *)(void *)source;
    struct whittle_net_server *const server = listener->server;
    (void)events;
    for (int count = 0; count < WHITTLE_NET_ACCEPTS; count++) {
        struct whittle_net_name peer;
        /* Room is made for one who is known to knock. */
        const size_t needs = listener->ops->needs;
        if (count > 0 && (!whittle_net_budget_fits(&server->pool.budget, needs + 1, WHITTLE_NET_WANT_CONNECTION) || whittle_net_is_crowded(server)))
            return;
        if (count == 0 && (whittle_net_is_crowded(server) || !whittle_net_has_room(server, needs))) {  /* who knocks waits */
            whittle_net_listener_pause(listener);
            return;
        }
        /* One thread at a time has the spare descriptor. Where closed connections still have descriptors nobody is turned away. */
        whittle_net_lock(server, &server->gate);
        const bool turns_away = __atomic_load_n(&server->open_count, __ATOMIC_RELAXED) <= server->connection_count;
        const int fd = whittle_net_accept(source->fd, turns_away ? &server->spare : NULL, &peer);
        const int problem = errno;
        const bool spare = turns_away && server->spare >= 0;
        whittle_net_unlock(server, &server->gate);
        if (fd >= 0) {
            whittle_net_connection_open(server, listener->ops, fd, &peer);
            continue;
        }
        if (turns_away && (problem == EMFILE || problem == ENFILE))
            whittle_net_increment(server, &server->usage.refused);
        if (problem != EAGAIN && (!spare || (problem != EMFILE && problem != ENFILE)))
            whittle_net_listener_pause(listener);
        return;
    }
}

/* Once it is watched it is the server's. */
bool whittle_net_listener_add(struct whittle_net_server *server, struct whittle_net_listener *listener)
{
    listener->server = server;
    listener->source.refs = 1;
    if (listener->ops == NULL)
        listener->ops = &whittle_net_sockets;
    if (listener->source.ready == NULL)
        listener->source.ready = whittle_net_accept_all;
    if (!listener->adopted && listener->transport == WHITTLE_NET_UNIX)
        listener->mark = whittle_net_path_mark(&listener->name);
    if (listener->text == NULL)
        listener->text = whittle_net_address_text(listener->transport, &listener->name);
    if (listener->text != NULL && whittle_net_watch(&server->poller, &listener->source, EPOLLIN)) {
        struct whittle_net_listener **place = &server->listeners;
        while (*place != NULL)
            place = &(*place)->next;
        *place = listener;
        return true;
    }
    close(listener->source.fd);
    free(listener->text);
    free(listener);
    return false;
}

/* Who may connect to that path: this user, or, where there is a key to prove, whoever the directory lets in. 0: the key cannot be used. */
static mode_t whittle_net_local_mode(const char *path)
{
    struct whittle_net_key key;
    if (whittle_net_calls_key_file() == NULL)
        return 0600;
    const char *const why = whittle_net_calls_key(&key);
    whittle_net_key_forget(&key, sizeof key);
    if (why == NULL)
        return 0666;
    whittle_net_key_unusable(path, why);
    errno = EACCES;
    return 0;
}

/* At the path of a name that shared memory is agreed on by; NULL: no memory, or see errno. */
static struct whittle_net_listener *whittle_net_listener_local(const char *path)
{
    const struct whittle_net_address place = {.transport = WHITTLE_NET_UNIX, .host = (char *)(uintptr_t)path};
    struct whittle_net_listener *const listener = (struct whittle_net_listener *)calloc(1, sizeof *listener);
    if (listener == NULL)
        return NULL;
    const mode_t mode = whittle_net_local_mode(path);
    listener->source.fd = mode != 0 && whittle_net_local_directory(path) ? whittle_net_bind(&place, &listener->name) : -1;
    listener->transport = WHITTLE_NET_UNIX;
    listener->ops = &whittle_net_memory_ops;
    if (listener->source.fd >= 0 && chmod(path, mode) == 0 && asprintf(&listener->text, "shm:%s", whittle_net_local_name(path)) >= 0)
        return listener;
    const int problem = errno;
    if (listener->source.fd >= 0)
        close(listener->source.fd);
    free(listener);
    errno = problem;
    return NULL;
}

static struct whittle_net_listener *whittle_net_listener_remote(const struct whittle_net_server *server, const struct whittle_net_address *address)
{
    struct whittle_net_listener *const listener = (struct whittle_net_listener *)calloc(1, sizeof *listener);
    if (listener == NULL)
        return NULL;
    listener->source.fd = whittle_net_bind(address, &listener->name);
    listener->transport = address->transport;
    if (listener->transport == WHITTLE_NET_UDP)
        listener->source.ready = server->datagram_ready;
    if (listener->source.fd >= 0)
        return listener;
    const int problem = errno;
    free(listener);
    errno = problem;
    return NULL;
}

/* It is not to be, since the other one cannot. */
static void whittle_net_listener_give_up(struct whittle_net_listener *listener, const char *path)
{
    const int problem = errno;
    close(listener->source.fd);
    unlink(path);
    free(listener->text);
    free(listener);
    errno = problem;
}

/* At both of its places, or at none. */
int whittle_net_listen(struct whittle_net_server *server, const struct whittle_net_address *address)
{
    struct whittle_net_listener *both[2] = {NULL, NULL};
    const bool local = address->local != NULL, remote = !whittle_net_address_is_local(address);
    errno = 0;
    if (local)
        both[0] = whittle_net_listener_local(address->local);
    if (remote && (!local || both[0] != NULL))
        both[1] = whittle_net_listener_remote(server, address);
    if (remote && local && both[0] != NULL && both[1] == NULL) {
        whittle_net_listener_give_up(both[0], address->local);
        both[0] = NULL;
    }
    if ((local && both[0] == NULL) || (remote && both[1] == NULL))
        return errno == 0 || errno == ENOMEM ? (int)WHITTLE_NET_NO_MEMORY : (int)WHITTLE_NET_REFUSED;
    for (int index = 0; index < 2; index++)
        if (both[index] != NULL && !whittle_net_listener_add(server, both[index]))
            return WHITTLE_NET_NO_MEMORY;
    return WHITTLE_NET_OK;
}

int whittle_net_listen_adopted(struct whittle_net_server *server, int fd)
{
    struct whittle_net_listener *const listener = (struct whittle_net_listener *)calloc(1, sizeof *listener);
    if (listener == NULL)
        return WHITTLE_NET_NO_MEMORY;
    if (!whittle_net_adopt(fd, &listener->transport, &listener->name)) {
        const int problem = errno;
        free(listener);
        errno = problem;
        return WHITTLE_NET_REFUSED;
    }
    listener->source.fd = fd;
    listener->adopted = true;
    if (listener->transport == WHITTLE_NET_UDP)
        listener->source.ready = server->datagram_ready;
    return whittle_net_listener_add(server, listener) ? WHITTLE_NET_OK : WHITTLE_NET_NO_MEMORY;
}

const char *whittle_net_listener_text(const struct whittle_net_server *server, size_t index)
{
    const struct whittle_net_listener *listener = server->listeners;
    for (; listener != NULL && index > 0; index--)
        listener = listener->next;
    return listener == NULL ? NULL : listener->text;
}

void whittle_net_listen_end(struct whittle_net_server *server)
{
    for (struct whittle_net_listener *each = server->listeners; each != NULL; each = each->next) {
        struct sockaddr_un local;
        if (each->source.fd < 0)
            continue;
        memcpy(&local, &each->name.storage, sizeof local);
        whittle_net_source_close(&server->poller, &each->source);
        if (!each->adopted && each->transport == WHITTLE_NET_UNIX && local.sun_path[0] != 0 && whittle_net_path_mark(&each->name) == each->mark)
            unlink(local.sun_path);
    }
}
