/*
 * libnng: push to pull, the packet written and read in the library's own messages. Usage: nng source|relay|sink DATA NEXT
 * BACK, as of hand, but with tcp:// or ipc:// before.
 */
#include "packets.h"
#include "work.h"
#include <nng/nng.h>
#include <nng/protocol/pipeline0/pull.h>
#include <nng/protocol/pipeline0/push.h>
#include <stdio.h>
#include <stdlib.h>

/* As many packets as make 256 KB, and two at least; the library takes up to 8192. */
enum { WAITING = BYTES > 131072 ? 2 : BYTES < 32 ? 8192 : 262144 / BYTES };

static nng_socket out, back;
static nng_msg *message;

static nng_socket open_end(int (*open)(nng_socket *), const char *where, bool listens)
{
    nng_socket end;
    open(&end);
    nng_socket_set_int(end, NNG_OPT_SENDBUF, WAITING);
    nng_socket_set_int(end, NNG_OPT_RECVBUF, WAITING);
    nng_socket_set_ms(end, NNG_OPT_RECONNMINT, 10);
    int problem = listens ? nng_listen(end, where, NULL, 0) : nng_dial(end, where, NULL, NNG_FLAG_NONBLOCK);
    if (problem != 0) {
        fprintf(stderr, "%s: %s\n", where, nng_strerror(problem));
        exit(1);
    }
    return end;
}

static inline void *room(void)
{
    nng_msg_alloc(&message, sizeof(PACKET));
    return nng_msg_body(message);
}

static inline bool pass(bool last)
{
    (void)last;
    return nng_sendmsg(out, message, 0) == 0;
}

static inline int32_t answer(void)
{
    int32_t code;
    size_t length = sizeof code;
    return nng_recv(back, &code, &length, 0) == 0 ? code : 0;
}

#include "drive.h"

int main(int argc, char **argv)
{
    if (argc < 5)
        return 2;
    if (strcmp(argv[1], "source") == 0) {
        out = open_end(nng_push0_open, argv[2], false);
        back = open_end(nng_pull0_open, argv[4], false);
        drive();
        _Exit(0);
    }
    if (strcmp(argv[1], "relay") == 0) {
        nng_socket in = open_end(nng_pull0_open, argv[2], true);
        out = open_end(nng_push0_open, argv[3], false);
        while (nng_recvmsg(in, &message, 0) == 0) {
            relay(nng_msg_body(message), nng_msg_body(message));
            if (nng_sendmsg(out, message, 0) != 0)
                break;
        }
        return 0;
    }
    nng_socket in = open_end(nng_pull0_open, NODES == 3 ? argv[3] : argv[2], true);
    back = open_end(nng_push0_open, argv[4], true);
    int32_t code;
    prepare();
    while (nng_recvmsg(in, &message, 0) == 0) {
        if (take(nng_msg_body(message), &code))
            nng_send(back, &code, sizeof code, 0);
        nng_msg_free(message);
    }
    return 0;
}
