/* SPDX-License-Identifier: MIT-0 */
/*
 * Who is refused, and why, as a line on standard error of both sides: a status of a call has no room for it, and a server's program
 * never hears of clients that are not let in. So many a second are written: whoever knocks without end fills no log.
 */
#include "clock.h"
#include "prove.h"
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>

/* Whether one more line may be written in this second. */
static bool whittle_net_may_complain(void)
{
    enum { MOST = 8 };
    static uint64_t second;
    static uint32_t lines;
    const uint64_t now = whittle_net_now() / (1000 * WHITTLE_NET_MILLISECOND) + 1;
    if (__atomic_exchange_n(&second, now, __ATOMIC_RELAXED) != now)
        __atomic_store_n(&lines, 0, __ATOMIC_RELAXED);
    return __atomic_fetch_add(&lines, 1, __ATOMIC_RELAXED) < MOST;
}

/* The path of the server's end. */
static void whittle_net_path_of(int socket, enum whittle_net_role role, struct sockaddr_un *path)
{
    struct sockaddr_un found;
    socklen_t size = sizeof found;
    memset(&found, 0, sizeof found);
    memset(path, 0, sizeof *path);
    const int failed = role == WHITTLE_NET_SERVER ? getsockname(socket, (struct sockaddr *)&found, &size)
        : getpeername(socket, (struct sockaddr *)&found, &size);
    if (failed == 0 && found.sun_family == AF_UNIX)
        memcpy(path->sun_path, found.sun_path, sizeof path->sun_path - 1);
}

void whittle_net_refusal(int socket, enum whittle_net_role role, const char *why)
{
    struct sockaddr_un at;
    uint32_t user = 0;
    if (!whittle_net_may_complain())
        return;
    whittle_net_path_of(socket, role, &at);
    whittle_net_peer_user(socket, &user);
    if (role == WHITTLE_NET_SERVER)
        fprintf(stderr, "whittle: %s: a client of user %u is refused: %s\n", at.sun_path, (unsigned)user, why);
    else
        fprintf(stderr, "whittle: %s: the server, of user %u, is not called: %s\n", at.sun_path, (unsigned)user, why);
}

void whittle_net_refusal_by_key(int socket, enum whittle_net_role role, const char *why)
{
    char text[512];
    const char *const name = whittle_net_calls_key_file();
    if (name == NULL) {
        whittle_net_refusal(socket, role, "it is another user's, and WHITTLE_CALLS_KEY names no key here");
        return;
    }
    snprintf(text, sizeof text, "the key %.300s cannot be used: %s", name, why);
    whittle_net_refusal(socket, role, text);
}

void whittle_net_key_unusable(const char *path, const char *why)
{
    if (whittle_net_may_complain())
        fprintf(stderr, "whittle: %s: nobody listens there: the key %s cannot be used: %s\n", path, whittle_net_calls_key_file(), why);
}
