/*
 * libzmq: PUSH to PULL, the packet written and read in the library's own messages. Usage: zmq source|relay|sink DATA NEXT
 * BACK, as of hand, but with tcp:// or ipc:// before.
 */
#include "packets.h"
#include "work.h"
#include <stdio.h>
#include <stdlib.h>
#include <zmq.h>

/* As many packets as make 256 KB, and two at least. */
enum { WAITING = BYTES > 131072 ? 2 : 262144 / BYTES };

static void *out, *back;
static zmq_msg_t message;

static void *open_end(void *context, int type, const char *where, bool binds)
{
    void *end = zmq_socket(context, type);
    int most = WAITING;
    zmq_setsockopt(end, ZMQ_SNDHWM, &most, sizeof most);
    zmq_setsockopt(end, ZMQ_RCVHWM, &most, sizeof most);
    if ((binds ? zmq_bind : zmq_connect)(end, where) != 0) {
        perror(where);
        exit(1);
    }
    return end;
}

static inline void *room(void)
{
    zmq_msg_init_size(&message, sizeof(PACKET));
    return zmq_msg_data(&message);
}

static inline bool pass(bool last)
{
    (void)last;
    return zmq_msg_send(&message, out, 0) >= 0;
}

static inline int32_t answer(void)
{
    int32_t code;
    return zmq_recv(back, &code, sizeof code, 0) == sizeof code ? code : 0;
}

#include "drive.h"

int main(int argc, char **argv)
{
    if (argc < 5)
        return 2;
    void *context = zmq_ctx_new();
    if (strcmp(argv[1], "source") == 0) {
        out = open_end(context, ZMQ_PUSH, argv[2], false);
        back = open_end(context, ZMQ_PULL, argv[4], false);
        drive();
        _Exit(0);
    }
    if (strcmp(argv[1], "relay") == 0) {
        void *in = open_end(context, ZMQ_PULL, argv[2], true);
        out = open_end(context, ZMQ_PUSH, argv[3], false);
        zmq_msg_init(&message);
        while (zmq_msg_recv(&message, in, 0) >= 0) {
            relay(zmq_msg_data(&message), zmq_msg_data(&message));
            zmq_msg_send(&message, out, 0);
        }
        return 0;
    }
    void *in = open_end(context, ZMQ_PULL, NODES == 3 ? argv[3] : argv[2], true);
    back = open_end(context, ZMQ_PUSH, argv[4], true);
    int32_t code;
    prepare();
    zmq_msg_init(&message);
    while (zmq_msg_recv(&message, in, 0) >= 0)
        if (take(zmq_msg_data(&message), &code))
            zmq_send(back, &code, sizeof code, 0);
    return 0;
}
