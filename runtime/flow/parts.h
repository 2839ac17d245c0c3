/* SPDX-License-Identifier: MIT-0 */
/* The carrier, which has the links of a process, and what the files of this library do for each other. */
#ifndef WHITTLE_PARTS_H
#define WHITTLE_PARTS_H
#include "link.h"

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
    pid_t run_by;                       /* the process that started all of the flow; 0: nobody says so */
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
uint64_t whittle_shared_count(const struct whittle_link *link);
void whittle_shared_drain(struct whittle_link *link);
void whittle_shared_end(struct whittle_link *link);
enum whittle_have whittle_shared_look(struct whittle_link *link, const void **packet);
void whittle_shared_sleep(struct whittle_link *link);
bool whittle_shared_may_sleep(struct whittle_link *link);
void whittle_shared_hear(struct whittle_link *link, bool wait);

#endif
