/*
 * By hand, many packets at a time: a source writes its packets one after the other into a buffer, which goes when it is
 * full or an answer is waited for; whoever receives takes what is there, as much as a buffer holds, and looks at packets
 * where they lie. Usage: hand_batched source|relay|sink DATA NEXT BACK, as of hand.
 */
#include "packets.h"
#include "sockets.h"
#include "work.h"

/* Whole packets, as many as fit into 64 KB, but one. */
enum { BATCH = BYTES > 65536 ? 1 : 65536 / BYTES };

static int out, back;
static PACKET batch[BATCH];
static size_t filled, begun;      /* packets of the batch; bytes of one more */

static inline void *room(void)
{
    return &batch[filled];
}

static bool flush(void)
{
    const size_t bytes = filled * sizeof *batch;
    filled = 0;
    return write_all(out, batch, bytes);
}

static inline bool pass(bool last)
{
    return ++filled < BATCH && !last ? true : flush();
}

static inline int32_t answer(void)
{
    int32_t code;
    return read_all(back, &code, sizeof code) ? code : 0;
}

#include "drive.h"

/* Receives until there is one whole packet at least. */
static bool receive(int in)
{
    memmove(batch, (char *)batch + filled * sizeof *batch, begun);
    do {
        ssize_t got = recv(in, (char *)batch + begun, sizeof batch - begun, 0);
        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        begun += (size_t)(got > 0 ? got : 0);
    } while (begun < sizeof *batch);
    filled = begun / sizeof *batch;
    begun %= sizeof *batch;
    return true;
}

int main(int argc, char **argv)
{
    if (argc < 5)
        return 2;
    if (strcmp(argv[1], "source") == 0) {
        out = dial(argv[2]);
        back = dial(argv[4]);
        drive();
    } else if (strcmp(argv[1], "relay") == 0) {
        int in = welcome(listen_at(argv[2]));
        out = dial(argv[3]);
        while (receive(in)) {
            for (size_t i = 0; i < filled; i++)
                relay(&batch[i], &batch[i]);
            if (!write_all(out, batch, filled * sizeof *batch))
                break;
        }
    } else {
        int32_t code;
        int data_listener = listen_at(NODES == 3 ? argv[3] : argv[2]), back_listener = listen_at(argv[4]);
        int in = welcome(data_listener);
        prepare();
        back = welcome(back_listener);
        while (receive(in))
            for (size_t i = 0; i < filled; i++)
                if (take(&batch[i], &code) && !write_all(back, &code, sizeof code))
                    return 0;
    }
    return 0;
}
