/* SPDX-License-Identifier: MIT-0 */
/*
 * What the files of this library share: a link is one end of an edge in this process, the carrier is the thread that
 * connects, greets, flushes what is left over, and looks for deaths. A sender's link belongs to the stage's thread, but
 * for what `lock` guards: whoever holds it may write to the connection. A receiver's belongs to the stage's thread, but
 * for `pending`, which the carrier hands over, and `fd`, which changes under `lock` only.
 */
#ifndef WHITTLE_LINK_H
#define WHITTLE_LINK_H
#include "flow.h"
#include "ledger.h"
#include "packets.h"
#include <pthread.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/types.h>

/* ring.c: memory that is mapped twice, side by side, so that every run of up to `size` bytes is contiguous. */
struct whittle_ring {
    unsigned char *data;
    size_t size;
};
bool whittle_ring_open(struct whittle_ring *ring, size_t least);
void whittle_ring_close(struct whittle_ring *ring);

/* A place in a stream: packets before it, bytes before it. */
struct whittle_place { uint64_t count, bytes; };

/* hello.c: what is said when a connection begins. All numbers little-endian, but `order`, which shows the host's. */
enum { WHITTLE_PROTOCOL = 1, WHITTLE_SAME_BYTES = 1, WHITTLE_STAMPED = 2, WHITTLE_SHARED = 4, WHITTLE_IN_PLACE = 8 };
struct whittle_hello {
    char magic[8];
    uint32_t protocol, edge, flags, order;
    uint8_t sizes[8];               /* of char, short, int, long, pointers, float, double; and how long doubles align */
    uint64_t flow, fingerprint, stream, window;
    uint32_t size, alignment, slots, stride;
    char type[64], name[64];
};
enum whittle_verdict {
    WHITTLE_ACCEPTED, WHITTLE_OTHER_PROTOCOL, WHITTLE_OTHER_EDGE, WHITTLE_OTHER_TYPE, WHITTLE_OTHER_MACHINE, WHITTLE_OTHER_TERMS
};
struct whittle_answer {
    char magic[8];
    uint32_t protocol, verdict;
    uint64_t fingerprint, known, count;     /* whether the stream is known; the packets of it that have come */
    char type[64];
};
struct whittle_start { uint64_t count, bytes; };
enum { WHITTLE_REFUSE = 1, WHITTLE_HEARD_END = 2 };
struct whittle_acknowledgement { uint64_t count, bytes, flags; };
enum { WHITTLE_END = 1 };
struct whittle_batch { uint32_t bytes, flags; };

/* What a shared ring's two ends tell each other; each line is written by one side, but for the two wishes. */
struct whittle_shared {
    uint64_t head;              /* packets let go */
    uint32_t ended;
    uint32_t receiver_sleeps;   /* set by the receiver, on the line that the sender has at hand */
    char sender_line[112];
    uint64_t taken;             /* packets taken; the lowest bit: one is being copied */
    uint64_t copying;           /* its number */
    uint32_t sender_sleeps;
    char receiver_line[108];
};
enum { WHITTLE_SHARED_HEAD = 4096, WHITTLE_SLOT_HEAD = 16 };
struct whittle_slot_head { uint64_t born; uint32_t bytes, zero; };

enum whittle_dial { WHITTLE_IDLE, WHITTLE_CONNECTING, WHITTLE_GREETED, WHITTLE_AGREED };

/* What an epoll event is about. */
enum whittle_subject { WHITTLE_WAKE, WHITTLE_LISTENER, WHITTLE_GREETING, WHITTLE_DIALING, WHITTLE_CONNECTED };
struct whittle_watch {
    enum whittle_subject subject;
    struct whittle_link *link;
};

/*
 * What carries edges that no connection from process to process does: each function is called instead of what the rest of
 * this library would do there. `open` and the finish return false where the reason has been said.
 */
enum whittle_have { WHITTLE_NOTHING, WHITTLE_PACKET, WHITTLE_OVER };
struct whittle_channel {
    bool (*open)(struct whittle_link *link);
    void (*close)(struct whittle_link *link, bool ended);
    bool (*send)(struct whittle_link *link, const void *packet, uint64_t born);
    void (*end)(struct whittle_link *link);
    bool (*finish)(struct whittle_link *link);
    enum whittle_have (*look)(struct whittle_link *link, const void **packet);
    void (*done)(struct whittle_link *link);
    void (*refuse)(struct whittle_link *link);
};

/* Whether staying awake has paid lately. */
struct whittle_attention { uint32_t misses, skip; };

struct whittle_link {
    const struct whittle_edge *edge;
    struct whittle_carrier *carrier;
    struct whittle_sender *sender;      /* one of the two */
    struct whittle_receiver *receiver;
    struct whittle_ledger *page;
    uint64_t *at;                       /* page->counter[WHITTLE_AT] */
    uint64_t zero;
    pthread_mutex_t lock;
    int fd;                             /* the connection; -1: none */
    int news;                           /* an eventfd: something has changed for the stage's thread */
    int page_fd;                        /* locked as long as this process holds the end */
    bool ended;                         /* sender: closed; receiver: the end has come */
    bool refused;                       /* no packet is wanted any more */
    bool abandoned;                     /* the other end will not come any more */
    bool met;                           /* has been connected */
    bool lost;                          /* sender: there is no connection, and one is wanted */
    bool owned;                         /* sender: `owner` is the thread that sends */
    pthread_t owner;

    struct whittle_attention attention; /* the stage's thread's */

    /* A packet's form in the stream: `prefix` (a stamp, a length), the bytes, up to `align`. */
    uint32_t prefix, align, header, record, stride;
    struct whittle_ring ring;
    unsigned char *private;             /* encoded, shared: the packet as the stage sees it */

    /*
     * Sender. A packet waits in `ring` until it is claimed for a batch, and stays there until it need not be sent again.
     * Where the oldest may be dropped, it waits in `ring` from `tail` on, and is moved to `kept` to be sent.
     */
    uint64_t window;
    uint64_t queue_items, queue_bytes;  /* bounds that hold, ~0 where there is none */
    uint64_t gather_bytes, gather_items;
    uint64_t limit_count;
    uint32_t turn;                      /* odd while a packet of differing size is being added */
    struct whittle_place retained;      /* the oldest packet that may have to be sent again */
    struct whittle_place claimed;       /* up to here in batches of this connection */
    struct whittle_place frontier;      /* up to here in batches of any: what lies behind waits */
    uint64_t crashed;                   /* packets before this count were an earlier process's */
    struct whittle_ring kept;
    struct whittle_place moved;         /* the end of `kept` */
    uint64_t tail;
    bool oldest;                        /* the oldest may be dropped */
    bool keeps;                         /* what is not acknowledged is kept, and counts against the window */
    bool fast;                          /* whittle_send may leave packets without a look */
    unsigned char head[64];             /* of the batch under way */
    uint32_t head_left;
    uint64_t body_from, body_left;
    bool end_sent;
    bool stuck;                         /* the holder of the lock waits for the connection */
    bool armed;                         /* the carrier looks for leftovers */
    bool look;                          /* the carrier could not, and is to try again */
    bool blocked;                       /* no use in trying before the carrier has heard from the connection */
    bool end_heard;
    uint32_t interest;                  /* what epoll watches the connection for, beside room while there is none */
    uint64_t limit_at;
    uint64_t turn_at;                   /* up to here the room's base holds; then it goes back by the ring's size */
    uint64_t armed_at, tick_at, tick_period, tick_seen, tick_queued, tick_last, writes, tick_writes;
    uint64_t last_write;
    unsigned char ear[sizeof(struct whittle_acknowledgement)];
    uint32_t ear_filled;
    uint64_t rate_next, rate_bytes_next;
    enum whittle_dial dial;
    int dial_fd;
    uint64_t dial_at, dial_pause, lost_at, closed_at;
    uint32_t dial_filled, dial_turn;
    struct whittle_answer answer;
    enum whittle_verdict told;
    bool told_waiting;

    /* Receiver. */
    int listener;
    int pending;                        /* a connection that has said hello; -1: none */
    struct whittle_hello pending_hello, hello;
    bool start_due;                     /* the connection has not said yet where its stream begins */
    size_t filled, parsed;              /* in the ring, which is private and begins anew whenever it is empty */
    uint64_t seen_at;                   /* the stream's position that belongs to `parsed` */
    uint64_t batch_left;
    bool batch_ends, heard_end;
    uint64_t acknowledged;              /* the position last told */
    struct whittle_acknowledgement mouth;
    uint32_t mouth_left;
    uint64_t born;
    bool release;                       /* the packet in hand owns storage */
    size_t turn_any;

    /* Shared memory. */
    struct whittle_shared *shared;
    unsigned char *slots;
    uint64_t slot_count, slot_stride, seen;
    size_t shared_bytes;
    int shared_fd;
    bool broken;                        /* the ring makes no sense */

    struct whittle_watch listening, dialing, connected;

    /* Carried by a channel: what does so, and its own. */
    const struct whittle_channel *through;
    struct whittle_nats_link *nats;

    /* Sender: whether somebody looks at each packet that is offered; who; and what is sent again. */
    bool watched;
    struct whittle_eyes *eyes;
    struct whittle_replayed *replayed;
};

/* Who looks at a sender's packets: a recording, which is the stage's thread's; a tap, which `lock` guards. */
struct whittle_eyes {
    unsigned char *body;                /* an encoded packet */
    int file;                           /* -1: nothing is recorded */
    char path[4096];
    unsigned char *buffer;
    size_t filled;
    uint64_t waiting;                   /* packets in the buffer */
    uint64_t whole;                     /* bytes in the file */
    uint64_t recorded, missing, flushed;
    bool failed;
    pthread_mutex_t lock;
    bool tapped;
    int tap;                            /* -1: nobody looks */
    unsigned char *rest;                /* of records that have not gone */
    size_t rest_from, rest_to, rest_room;
    uint64_t left_out;
};

enum { WHITTLE_GREETINGS = 16 };
struct whittle_greeting {
    struct whittle_watch watch;
    int fd;
    uint64_t until;
    uint32_t filled;
    struct whittle_hello hello;
};

struct whittle_carrier {
    struct whittle_process *process;
    struct whittle_link *links;
    size_t link_count;
    char directory[256];
    int directory_fd;
    uint16_t port;
    const char *listen;                 /* the address to listen on; NULL: as the edges say */
    const char *nats_url;               /* NULL: the usual one */
    bool replay;                        /* receivers of channels begin with the first packet that is kept */
    uint64_t awake;                     /* how long who waits stays awake at first, in nanoseconds */
    uint64_t patience;                  /* how long a lost peer is waited for at the end, in nanoseconds */
    int epoll, wake;
    struct whittle_watch waking;
    pthread_t thread;
    bool running, ending;
    bool here;                          /* all of the flow is on this machine, whatever its edges say */
    bool barrier;                       /* membarrier is to be had */
    bool lost;                          /* something promised was lost */
    uint64_t asked_at;                  /* since when the flow is to end, as the carrier saw it */
    struct whittle_greeting greetings[WHITTLE_GREETINGS];
    const char *record, *replay_from;   /* directories of recordings; NULL: none */
    double speed;                       /* of replaying; 0: as fast as the edges take it */
    uint64_t began, began_real;         /* when the process began */
    uint64_t taps_at;                   /* when taps are to be looked for */
};

/* A breath between two looks at memory that another core is about to write. */
__attribute__((unused)) static inline void whittle_relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__) || (defined(__arm__) && __ARM_ARCH >= 7)
    __asm__ __volatile__("yield");
#endif
}

__attribute__((unused)) static inline uint64_t whittle_position(const struct whittle_link *link)
{
    return __atomic_load_n(link->at, __ATOMIC_ACQUIRE);
}

/* awake.c */
bool whittle_stay_awake(struct whittle_link *link, bool (*look)(struct whittle_link *link, void *what), void *what);
ssize_t whittle_read_line(struct whittle_link *link, void *to, size_t room, bool wait);

/* say.c: messages: PROGRAM: EDGE: what happened, what to do. */
void whittle_say(const struct whittle_link *link, const char *format, ...) __attribute__((format(printf, 2, 3)));
void whittle_complain(const struct whittle_process *process, const char *format, ...) __attribute__((format(printf, 2, 3)));
void whittle_advise(whittle_advice *const *list, const struct whittle_link *link, const void *packet, uint64_t late);

/* page.c */
bool whittle_page_open(struct whittle_link *link);
void whittle_page_close(struct whittle_link *link, bool ended);
void whittle_count(struct whittle_link *link, enum whittle_counter which, uint64_t more);
void whittle_set(struct whittle_link *link, enum whittle_counter which, uint64_t value);

/* options.c: 1: go on; 0: done (--help); -1: refused, said. */
int whittle_options(struct whittle_carrier *carrier, int argc, char **argv);
bool whittle_directory(struct whittle_carrier *carrier);

/* hello.c */
void whittle_hello_write(const struct whittle_link *link, struct whittle_hello *hello);
enum whittle_verdict whittle_hello_judge(const struct whittle_link *link, const struct whittle_hello *hello, char *why, size_t room);
void whittle_answer_write(const struct whittle_link *link, enum whittle_verdict verdict, struct whittle_answer *answer);
bool whittle_answer_refused(struct whittle_link *link, const struct whittle_answer *answer);
uint64_t whittle_mix(const char *text);

/* address.c */
int whittle_listen(struct whittle_link *link);
int whittle_connect(struct whittle_link *link);
bool whittle_is_near(const struct whittle_link *link);
const char *whittle_host(const struct whittle_link *link);
void whittle_tune(const struct whittle_link *link, int fd);

/* form.c: packets as bytes of the stream. */
void whittle_form(struct whittle_link *link);
uint64_t whittle_record_bytes(const struct whittle_link *link, const unsigned char *record);
unsigned char *whittle_ring_place(const struct whittle_link *link, uint64_t position);

/* write.c; all with the lock held. */
enum whittle_outcome { WHITTLE_DRAINED, WHITTLE_BUSY, WHITTLE_UNCONNECTED };
enum whittle_outcome whittle_push(struct whittle_link *link, bool wait, uint64_t enough);
void whittle_lose(struct whittle_link *link, const char *why);
bool whittle_hear(struct whittle_link *link, bool wait);
void whittle_gather(struct whittle_link *link);
void whittle_turn_ring(struct whittle_link *link);
uint64_t whittle_waiting(const struct whittle_link *link);
uint64_t whittle_clock(void);

/* resume.c; with the lock held. */
bool whittle_resume(struct whittle_link *link, int fd);

/* queue.c */
enum whittle_fate { WHITTLE_NOT_SENT, WHITTLE_DROPPED, WHITTLE_QUEUED_NOW };
enum whittle_fate whittle_append(struct whittle_link *link, const void *packet, uint64_t born);
enum whittle_fate whittle_fault(struct whittle_link *link);
bool whittle_full(const struct whittle_link *link, uint64_t packets, uint64_t bytes);

/* carrier.c, dial.c, greet.c, tick.c */
bool whittle_carrier_start(struct whittle_carrier *carrier);
void whittle_carrier_stop(struct whittle_carrier *carrier);
void whittle_carrier_kick(struct whittle_carrier *carrier);
bool whittle_watch(struct whittle_carrier *carrier, int fd, uint32_t events, struct whittle_watch *watch, bool fresh);
uint64_t whittle_dial_step(struct whittle_link *link, uint64_t now, bool event);
uint64_t whittle_tick(struct whittle_link *link, uint64_t now);
void whittle_arm(struct whittle_link *link, uint64_t now);
void whittle_greet(struct whittle_link *link);
void whittle_greeting_step(struct whittle_greeting *greeting);
uint64_t whittle_greetings_due(struct whittle_carrier *carrier, uint64_t now);
void whittle_news(struct whittle_link *link);
void whittle_await_news(struct whittle_link *link, int timeout);
void whittle_await_line(struct whittle_link *link);

/* signals.c */
bool whittle_signals(struct whittle_carrier *carrier);
void whittle_signals_forget(void);

void whittle_sleep_until(uint64_t due);

/* record.c */
void whittle_packets_head_write(const struct whittle_link *link, struct whittle_packets_head *head);
bool whittle_eyes_open(struct whittle_link *link);
void whittle_eyes_close(struct whittle_link *link, bool ended);
void whittle_witness(struct whittle_link *link, const void *packet);

/* tap.c */
uint64_t whittle_taps(struct whittle_carrier *carrier, uint64_t now);
void whittle_tap_show(struct whittle_link *link, uint64_t now, const void *bytes, uint32_t count);
void whittle_tap_end(struct whittle_link *link);

/* replay.c */
bool whittle_replay_open(struct whittle_link *link);
void whittle_replay_close(struct whittle_link *link);

/* limits.c: rates. False: the packet is to be dropped. */
bool whittle_rate(struct whittle_link *link, uint64_t bytes);

/* take.c: packets of a receiver, as they stand in its memory. */
enum whittle_have whittle_look(struct whittle_link *link, const void **packet);
bool whittle_take_start(struct whittle_link *link, const struct whittle_start *start);
void whittle_break(struct whittle_link *link, const char *why, bool stranger);

/* judge.c: NULL: counted and dropped. */
const void *whittle_judge(struct whittle_link *link, const void *packet, uint64_t bytes, uint64_t born);
bool whittle_in_time(struct whittle_link *link, const void *packet, uint64_t born);
const void *whittle_faulty(struct whittle_link *link);
void whittle_release(struct whittle_link *link);
uint64_t whittle_latency(struct whittle_link *link, uint64_t born);

/* call.c */
bool whittle_calls_open(struct whittle_carrier *carrier);
void whittle_calls_close(struct whittle_carrier *carrier, bool ended);

/* fill.c: the connection under a receiver. */
void whittle_fill(struct whittle_link *link, bool wait);
void whittle_acknowledge(struct whittle_link *link, bool always, uint64_t flags);
bool whittle_switch(struct whittle_link *link);
void whittle_flush_own(struct whittle_process *process);

/* finish.c */
/*
 * Bytes under way at most: what is under way is kept until it has been acknowledged, and more than it takes to keep both
 * ends busy only falls out of the processors' caches.
 */
enum { WHITTLE_NEAR = 1048576, WHITTLE_FAR = 4194304 };
uint64_t whittle_window(const struct whittle_link *link, uint64_t wanted);
bool whittle_open_sender(struct whittle_link *link);
bool whittle_open_receiver(struct whittle_link *link);
bool whittle_finish_sender(struct whittle_link *link);
bool whittle_finish_receiver(struct whittle_link *link);

/* shared.c, shared_send.c, shared_receive.c */
bool whittle_shared_open(struct whittle_link *link);
void whittle_shared_close(struct whittle_link *link);
bool whittle_shared_pass(const struct whittle_link *link, int fd, const struct whittle_start *start);
bool whittle_shared_accept(struct whittle_link *link, struct whittle_start *start);
bool whittle_shared_resume(struct whittle_link *link, bool known, uint64_t *came, struct whittle_place *place);
unsigned char *whittle_slot(const struct whittle_link *link, uint64_t number);
void whittle_shared_room(struct whittle_link *link);
void whittle_shared_listen(struct whittle_link *link, bool wait);
void whittle_shared_done(struct whittle_link *link);
void whittle_shared_refuse(struct whittle_link *link);
bool whittle_shared_send(struct whittle_link *link, const void *elsewhere, uint64_t born);
void whittle_shared_drain(struct whittle_link *link);
void whittle_shared_end(struct whittle_link *link);
enum whittle_have whittle_shared_look(struct whittle_link *link, const void **packet);
void whittle_shared_sleep(struct whittle_link *link);
bool whittle_shared_may_sleep(struct whittle_link *link);
void whittle_shared_hear(struct whittle_link *link, bool wait);

#endif
