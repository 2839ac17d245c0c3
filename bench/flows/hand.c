/*
 * By hand, a packet at a time: one call of the system sends it, one receives it, both from and to the packet itself; it
 * needs no header. Usage: hand source|relay|sink DATA NEXT BACK
 *
 * The source sends to DATA; the relay takes at DATA and sends to NEXT; the sink takes at DATA (of two) or NEXT (of three),
 * and answers on the connection that the source opens to BACK.
 */
#include "packets.h"
#include "sockets.h"
static int out, back;
static PACKET packet;

static inline void *room(void)
{
    return &packet;
}

#include "work.h"

static inline bool pass(bool last)
{
    (void)last;
    return write_all(out, &packet, sizeof packet);
}

static inline int32_t answer(void)
{
    int32_t code;
    return read_all(back, &code, sizeof code) ? code : 0;
}

#include "drive.h"

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
        while (read_all(in, &packet, sizeof packet)) {
            relay(&packet, &packet);
            if (!write_all(out, &packet, sizeof packet))
                break;
        }
    } else {
        int32_t code;
        int data_listener = listen_at(NODES == 3 ? argv[3] : argv[2]), back_listener = listen_at(argv[4]);
        int in = welcome(data_listener);
        prepare();
        back = welcome(back_listener);
        while (read_all(in, &packet, sizeof packet))
            if (take(&packet, &code) && !write_all(back, &code, sizeof code))
                break;
    }
    return 0;
}
