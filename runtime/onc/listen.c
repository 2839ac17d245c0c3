/* SPDX-License-Identifier: MIT-0 */
/* The addresses that a server is called at. */
#include "server.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/un.h>
#include <unistd.h>

/* Nobody can be taken in: who knocks is told so, instead of knocking for ever. One thread at a time has the spare descriptor. */
WHITTLE_ONC_RARE static void whittle_onc_turn_away(struct whittle_onc_server *server, int listener)
{
    whittle_onc_hold(server, &server->gate);
    if (server->spare >= 0) {
        close(server->spare);
        const int refused = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
        if (refused >= 0)
            close(refused);
    }
    server->spare = open("/dev/null", O_RDONLY | O_CLOEXEC);
    whittle_onc_let_go(server, &server->gate);
}

void whittle_onc_accept(struct whittle_onc_server *server, struct whittle_onc_watched *watched, uint32_t events)
{
    enum { AT_ONCE = 16 };
    const struct whittle_onc_listener *const listener = (const struct whittle_onc_listener *)(const void *)watched;
    (void)events;
    for (int count = 0; count < AT_ONCE; count++) {
        struct whittle_onc_name peer = {.size = sizeof peer.storage};
        const int fd = accept4(listener->fd, (struct sockaddr *)&peer.storage, &peer.size, SOCK_CLOEXEC);
        if (fd < 0 && (errno == EMFILE || errno == ENFILE))
            whittle_onc_turn_away(server, listener->fd);
        if (fd < 0)
            return;
        whittle_onc_connection_open(server, fd, &peer);
    }
}

/* A listener, whose socket it owns, joins the server, or is let go of. */
static int whittle_onc_listener_add(struct whittle_onc_server *server, struct whittle_onc_listener *listener)
{
    listener->watched.ready = listener->transport == WHITTLE_ONC_UDP ? whittle_onc_datagram_ready : whittle_onc_accept;
    listener->text = whittle_onc_address_text(listener->transport, &listener->name);
    if (listener->text != NULL && whittle_onc_watch(server, listener->fd, &listener->watched, EPOLLIN)) {
        struct whittle_onc_listener **place = &server->listeners;
        while (*place != NULL)
            place = &(*place)->next;
        *place = listener;
        return WHITTLE_ONC_OK;
    }
    close(listener->fd);
    free(listener->text);
    free(listener);
    return WHITTLE_ONC_NO_MEMORY;
}

int whittle_onc_server_listen(struct whittle_onc_server *server, const char *text)
{
    struct whittle_onc_address address;
    if (text == NULL || !whittle_onc_address_parse(&address, text))
        return WHITTLE_ONC_BAD_ADDRESS;
    struct whittle_onc_listener *const listener = (struct whittle_onc_listener *)calloc(1, sizeof *listener);
    const int fd = listener == NULL ? WHITTLE_ONC_NO_MEMORY : whittle_onc_listen_at(&address, &listener->name);
    const int problem = errno;
    whittle_onc_address_drop(&address);
    if (fd < 0) {
        free(listener);
        errno = problem;
        return fd;
    }
    listener->transport = address.transport;
    listener->fd = fd;
    return whittle_onc_listener_add(server, listener);
}

int whittle_onc_server_adopt(struct whittle_onc_server *server, int fd)
{
    struct whittle_onc_listener *const listener = (struct whittle_onc_listener *)calloc(1, sizeof *listener);
    const int status = listener == NULL ? WHITTLE_ONC_NO_MEMORY : whittle_onc_listening(fd, &listener->transport, &listener->name);
    if (status != WHITTLE_ONC_OK) {
        free(listener);
        return status;
    }
    listener->fd = fd;
    listener->given = true;
    return whittle_onc_listener_add(server, listener);
}

const char *whittle_onc_server_address(const struct whittle_onc_server *server, size_t index)
{
    const struct whittle_onc_listener *listener = server->listeners;
    for (; listener != NULL && index > 0; index--)
        listener = listener->next;
    return listener == NULL ? NULL : listener->text;
}

void whittle_onc_listen_end(struct whittle_onc_server *server)
{
    for (struct whittle_onc_listener *each = server->listeners; each != NULL; each = each->next) {
        struct sockaddr_un local;
        memcpy(&local, &each->name.storage, sizeof local);
        if (each->fd >= 0)
            close(each->fd);
        if (each->fd >= 0 && !each->given && each->transport == WHITTLE_ONC_UNIX && local.sun_path[0] != 0)
            unlink(local.sun_path);
        each->fd = -1;
    }
}
