/* SPDX-License-Identifier: MIT-0 */
/* The event loop, which has the links of a process, and what the files of this library do for each other. */
#ifndef WHITTLE_FLOW_PARTS_H
#define WHITTLE_FLOW_PARTS_H
#include "link.h"
#include "security.h"
#include "trace.h"

/* Connections and messages that were refused: counted for the process, reported once a second at most (report.c). */
struct whittle_flow_report {
    pthread_mutex_t lock;
    uint64_t count, reported, reported_at;
    char last[400];
};

struct whittle_flow_event_loop {
    struct whittle_flow_process *process;
    struct whittle_flow_link *links;
    size_t link_count;
    struct whittle_flow_link **entering;     /* receivers that connections carry, by their edges' numbers; NULL: none has the number */
    size_t entering_count;
    char directory[256];
    int directory_fd;
    uint16_t port;
    const char *listen;                 /* the address to listen on; NULL: as the edges say */
    const char *nats_url;               /* NULL: the usual one */
    bool replay;                        /* receivers of channels begin with the first packet that is kept */
    uint64_t awake;                     /* how long who waits stays awake at first, in nanoseconds */
    uint64_t patience;                  /* how long a lost peer is waited for at the end, in nanoseconds */
    struct whittle_net_poller poller;
    struct whittle_net_source waking;   /* an eventfd */
    pthread_t thread;
    bool running, ending;
    bool here;                          /* all of the flow is on this machine, whatever its edges say */
    bool barrier;                       /* membarrier is to be had */
    bool lost;                          /* something promised was lost */
    _Atomic bool failed;                /* a stage cannot go on */
    bool runs;                          /* all stages could begin */
    pid_t run_by;                       /* the process that started all of the flow; 0: nobody says so */
    bool again;                         /* with run_by: it goes on with the counts of a process that died */
    uint64_t asked_at;                  /* since when the flow is to end, as the event loop saw it */
    struct whittle_flow_mux *muxes;         /* connections that several edges join */
    struct whittle_flow_handshake *handshakes;
    size_t greeting_count;
    struct whittle_flow_report report;
    const char *key_file;               /* NULL: the one in the flow's directory */
    struct whittle_net_key *key;
    bool unauthenticated;               /* TCP connections are taken from anybody: both ends must say so */
    const char *nats_credentials, *nats_user, *nats_password, *nats_token;
    const char *record, *replay_from;   /* directories of recordings; NULL: none */
    double speed;                       /* of replaying; 0: as fast as the edges take it */
    uint64_t began, began_real;         /* when the process began */
    struct whittle_net_source arrivals; /* an inotify: files that come into the directory; its descriptor is -1 where there is none */
    uint64_t taps_at;                   /* when taps are to be looked for; 0: when a file comes */
    int taps_tries;                     /* how often one that does not listen yet is tried again */
    const char *metrics_at;             /* where counters are asked for; NULL: nowhere */
    struct whittle_flow_metrics *metrics;
    uint64_t due;                       /* when the event loop looks after its links again; 0: when something happens; ~0: it is looking */
};

#define WHITTLE_FLOW_LINK_OF(watched, member) ((struct whittle_flow_link *)(void *)((char *)(watched) - offsetof(struct whittle_flow_link, member)))

__attribute__((unused)) static inline uint64_t whittle_flow_position(const struct whittle_flow_link *link)
{
    return __atomic_load_n(link->at, __ATOMIC_ACQUIRE);
}

/* The type of the packets that a sender is given, or of those that an edge carries where they are no others. */
__attribute__((unused)) static inline const struct whittle_flow_type *whittle_flow_whole(const struct whittle_flow_link *link)
{
    return link->sender != NULL && link->sender->projection != NULL ? link->sender->projection->whole : link->edge->type;
}

/* filter.c: conditions that come as data, and why one is refused; the numbers go to the other end. */
enum whittle_flow_refusal {
    WHITTLE_FLOW_NOT_REFUSED,
    WHITTLE_FLOW_REFUSED_NOT_A_CHANNEL, WHITTLE_FLOW_REFUSED_OTHER_PACKETS, WHITTLE_FLOW_REFUSED_TOO_LONG,
    WHITTLE_FLOW_REFUSED_UNKNOWN_OPERATION, WHITTLE_FLOW_REFUSED_NO_TRUTH, WHITTLE_FLOW_REFUSED_TOO_DEEP,
    WHITTLE_FLOW_REFUSED_TOO_FEW_OPERANDS, WHITTLE_FLOW_REFUSED_JOINS_NO_TRUTH, WHITTLE_FLOW_REFUSED_CANNOT_COMPARE,
    WHITTLE_FLOW_REFUSED_NO_NUMBER, WHITTLE_FLOW_REFUSED_CUT_NUMBER, WHITTLE_FLOW_REFUSED_CUT_TEXT, WHITTLE_FLOW_REFUSED_CUT_FIELD,
    WHITTLE_FLOW_REFUSED_NO_SUCH_FIELD, WHITTLE_FLOW_REFUSED_NO_ELEMENT, WHITTLE_FLOW_REFUSED_ELEMENT_BEHIND_END
};
const char *whittle_flow_refusal_text(uint64_t refusal);
enum whittle_flow_refusal whittle_flow_filter_fault(const struct whittle_flow_field *fields, size_t field_count, const uint8_t *code, size_t bytes);
bool whittle_flow_filter_holds(const struct whittle_flow_field *fields, size_t field_count, const uint8_t *code, size_t bytes, const void *packet);

/* where.c: a process of conditions of its own. */
bool whittle_flow_where_option(struct whittle_flow_process *process, const char *value);

/* wanted.c: what a subscriber wants. */
void whittle_flow_filter_write(const struct whittle_flow_link *link, struct whittle_flow_answer *answer);
bool whittle_flow_filter_refused(struct whittle_flow_link *link, const struct whittle_flow_answer *answer);
bool whittle_flow_filter_unwanted(struct whittle_flow_link *link, const struct whittle_flow_start *start);
bool whittle_flow_filter_take(struct whittle_flow_link *link);
bool whittle_flow_is_filtered(const struct whittle_flow_link *link);
bool whittle_flow_is_wanted(const struct whittle_flow_link *link, const void *packet);

/* spin_wait.c */
bool whittle_flow_spin(struct whittle_flow_link *link, bool (*look)(struct whittle_flow_link *link, void *what), void *what);
ssize_t whittle_flow_read_line(struct whittle_flow_link *link, void *to, size_t room, bool wait);
struct whittle_flow_lead whittle_flow_await(struct whittle_flow_link *link, int fd, bool writes, uint64_t until);

/* log.c: messages: PROGRAM: EDGE: what happened, what to do. */
void whittle_flow_log(const struct whittle_flow_link *link, const char *format, ...) __attribute__((format(printf, 2, 3)));
void whittle_flow_log_process(const struct whittle_flow_process *process, const char *format, ...) __attribute__((format(printf, 2, 3)));
void whittle_flow_advise(whittle_flow_advice *const *list, const struct whittle_flow_link *link, const void *packet, uint64_t late);

/* page.c */
bool whittle_flow_page_open(struct whittle_flow_link *link);
void whittle_flow_page_close(struct whittle_flow_link *link, bool ended);
void whittle_flow_count(struct whittle_flow_link *link, enum whittle_flow_counter which, uint64_t more);
void whittle_flow_set(struct whittle_flow_link *link, enum whittle_flow_counter which, uint64_t value);

/* options.c: 1: go on; 0: done (--help); -1: refused, said; -2: so is a condition, and the process ends with that status. */
int whittle_flow_options(struct whittle_flow_event_loop *loop, int argc, char **argv);
bool whittle_flow_directory(struct whittle_flow_event_loop *loop);

/* hello.c */
#define WHITTLE_FLOW_TERMS_FLAGS 0xffu
uint32_t whittle_flow_terms(const struct whittle_flow_link *link);
uint32_t whittle_flow_terms_differ(const struct whittle_flow_link *link, const struct whittle_flow_hello *hello);
void whittle_flow_hello_write(const struct whittle_flow_link *link, struct whittle_flow_hello *hello);
enum whittle_flow_verdict whittle_flow_hello_check(const struct whittle_flow_link *link, const struct whittle_flow_hello *hello, char *why, size_t room);
enum whittle_flow_verdict whittle_flow_hello_check_mux(const struct whittle_flow_link *link, const struct whittle_flow_hello *hello, char *why, size_t room);
void whittle_flow_answer_write(const struct whittle_flow_link *link, enum whittle_flow_verdict verdict, struct whittle_flow_answer *answer);
bool whittle_flow_answer_refused(struct whittle_flow_link *link, const struct whittle_flow_answer *answer);
void whittle_flow_process_name(const struct whittle_flow_link *link, char who[64]);
void whittle_flow_clean(const char *from, size_t bytes, char *to);
uint64_t whittle_flow_mix(const char *text);

/* schema.c */
void whittle_flow_schema_write(const struct whittle_flow_type *type, char schema[WHITTLE_FLOW_SCHEMA_MOST]);
void whittle_flow_schema_differs(const struct whittle_flow_type *type, uint64_t other, const char *other_name, const char schema[WHITTLE_FLOW_SCHEMA_MOST],
    const char *verbs[2], char *why, size_t room);

/* peer.c: who is at the other end, and whether its bytes are its own. Without a session tags are zero, and always right. */
bool whittle_flow_is_keyed(const struct whittle_flow_link *link);
bool whittle_flow_is_own_user(int fd);
bool whittle_flow_seal(const struct whittle_flow_link *link, struct whittle_flow_session *session, enum whittle_flow_message kind, const void *head,
    size_t head_bytes, const void *body, size_t body_bytes, uint8_t tag[WHITTLE_FLOW_TAG]);
bool whittle_flow_verify(const struct whittle_flow_link *link, struct whittle_flow_session *session, enum whittle_flow_message kind, const void *head,
    size_t head_bytes, const void *body, size_t body_bytes, const uint8_t tag[WHITTLE_FLOW_TAG]);
void whittle_flow_end_session(const struct whittle_flow_link *link, struct whittle_flow_session **session);

/* report.c */
void whittle_flow_reject(struct whittle_flow_event_loop *loop, const struct whittle_flow_link *link, const char *why);
uint64_t whittle_flow_report(struct whittle_flow_event_loop *loop, uint64_t now, bool last);

/* address.c */
struct whittle_flow_link *whittle_flow_entering(const struct whittle_flow_event_loop *loop, uint32_t number);
bool whittle_flow_listen(struct whittle_flow_event_loop *loop);
void whittle_flow_listen_end(struct whittle_flow_link *link);
unsigned whittle_flow_socket_number(const struct whittle_flow_edge *edge);
void whittle_flow_local_name(const struct whittle_flow_link *link, struct whittle_net_name *name);
uint16_t whittle_flow_port(const struct whittle_flow_link *link);
bool whittle_flow_is_near(const struct whittle_flow_link *link);
const char *whittle_flow_host(const struct whittle_flow_link *link);
void whittle_flow_tune(const struct whittle_flow_link *link, int fd);
void whittle_flow_tune_line(const struct whittle_flow_link *link, int fd);

/* layout.c: packets as bytes of the stream. */
void whittle_flow_layout(struct whittle_flow_link *link);
uint64_t whittle_flow_record_bytes(const struct whittle_flow_link *link, const unsigned char *record);
unsigned char *whittle_flow_ring_place(const struct whittle_flow_link *link, uint64_t position);
bool whittle_flow_is_valid(const struct whittle_flow_type *type, const void *packet);
uint64_t whittle_flow_write_as(const struct whittle_flow_type *type, unsigned char *body, const void *packet);
uint64_t whittle_flow_write_body(const struct whittle_flow_link *link, unsigned char *body, const void *packet);
void *whittle_flow_packet_memory(const struct whittle_flow_type *type);
bool whittle_flow_channel_view(struct whittle_flow_link *link);

/* sequence.c: where a receiver's stream stands, and that it goes on elsewhere. */
void whittle_flow_jump(struct whittle_flow_link *link, const struct whittle_flow_jump *jump);
void whittle_flow_finish_jump(struct whittle_flow_link *link);
void whittle_flow_set_position(struct whittle_flow_link *link, uint64_t number);
uint64_t whittle_flow_gap(struct whittle_flow_link *link, uint64_t number, uint64_t skipped, enum whittle_flow_counter lost);
void whittle_flow_other_run(struct whittle_flow_link *link, uint64_t run, uint64_t began, uint64_t number, uint64_t skipped);

/* write.c; all with the lock held. */
/* The bytes of a keyed batch, at most; one packet may have more. The receiver waits for all of them before it uses any. */
enum { WHITTLE_FLOW_SEALED_MOST = 65536 };
__attribute__((unused)) static inline uint64_t whittle_flow_sealed_most(const struct whittle_flow_link *link)
{
    return link->record > WHITTLE_FLOW_SEALED_MOST ? link->record : WHITTLE_FLOW_SEALED_MOST;
}
enum whittle_flow_outcome { WHITTLE_FLOW_DRAINED, WHITTLE_FLOW_BUSY, WHITTLE_FLOW_UNCONNECTED };
enum whittle_flow_outcome whittle_flow_push(struct whittle_flow_link *link, bool comes_back);
void whittle_flow_watch(struct whittle_flow_link *link, uint32_t more);
void whittle_flow_lose(struct whittle_flow_link *link, const char *why);
bool whittle_flow_read_acknowledgements(struct whittle_flow_link *link);
void whittle_flow_gather(struct whittle_flow_link *link);
void whittle_flow_turn_ring(struct whittle_flow_link *link);
uint64_t whittle_flow_waiting(const struct whittle_flow_link *link);
bool whittle_flow_has_left(const struct whittle_flow_link *link);
uint64_t whittle_flow_between(const struct whittle_flow_link *link);

/* resume.c; with the lock held. */
bool whittle_flow_resume(struct whittle_flow_link *link, int fd);
void whittle_flow_settle_losses(struct whittle_flow_link *link, uint64_t came, uint64_t end, uint64_t crashed);

/* queue.c */
enum whittle_flow_result whittle_flow_append(struct whittle_flow_link *link, const void *packet, uint64_t born);
enum whittle_flow_result whittle_flow_fault(struct whittle_flow_link *link);
bool whittle_flow_full(const struct whittle_flow_link *link, uint64_t packets, uint64_t bytes);

/* event_loop.c, dial.c, accept.c, tick.c */
bool whittle_flow_event_loop_start(struct whittle_flow_event_loop *loop);
void whittle_flow_event_loop_stop(struct whittle_flow_event_loop *loop);
void whittle_flow_event_loop_wake(struct whittle_flow_event_loop *loop);
uint64_t whittle_flow_dial_step(struct whittle_flow_link *link, uint64_t now, bool event);
void whittle_flow_dial_ready(struct whittle_net_source *source, uint32_t events);
uint64_t whittle_flow_tick(struct whittle_flow_link *link, uint64_t now);
void whittle_flow_arm(struct whittle_flow_link *link, uint64_t now);
void whittle_flow_look_again(struct whittle_flow_link *link, uint64_t now);
bool whittle_flow_handshakes_open(struct whittle_flow_event_loop *loop);
void whittle_flow_handshakes_close(struct whittle_flow_event_loop *loop);
void whittle_flow_accept(struct whittle_net_source *source, uint32_t events);
void whittle_flow_handshake_step(struct whittle_flow_handshake *handshake);
uint64_t whittle_flow_handshakes_due(struct whittle_flow_event_loop *loop, uint64_t now);
void whittle_flow_wake_stage(struct whittle_flow_link *link);
void whittle_flow_await_wakeup(struct whittle_flow_link *link, int timeout);
void whittle_flow_await_line(struct whittle_flow_link *link);

/* signals.c */
bool whittle_flow_signals(struct whittle_flow_event_loop *loop);
uint64_t whittle_flow_blocked_until(const struct whittle_flow_link *link, uint64_t since);
void whittle_flow_signals_forget(void);
void whittle_flow_ask_to_end(void);

void whittle_flow_sleep_until(uint64_t due);

/* record.c */
void whittle_flow_packets_head_write(const struct whittle_flow_link *link, struct whittle_flow_packets_head *head);
bool whittle_flow_observers_open(struct whittle_flow_link *link);
void whittle_flow_observers_close(struct whittle_flow_link *link, bool ended);
void whittle_flow_observe(struct whittle_flow_link *link, const void *packet);

/* metrics.c */
bool whittle_flow_metrics_open(struct whittle_flow_event_loop *loop);
void whittle_flow_metrics_close(struct whittle_flow_event_loop *loop);
uint64_t whittle_flow_metrics_due(struct whittle_flow_event_loop *loop, uint64_t now);

/* tap.c */
void whittle_flow_taps_open(struct whittle_flow_event_loop *loop);
uint64_t whittle_flow_taps(struct whittle_flow_event_loop *loop, uint64_t now);
void whittle_flow_tap_show(struct whittle_flow_link *link, uint64_t now, const void *bytes, uint32_t count);
void whittle_flow_tap_end(struct whittle_flow_link *link);

/* replay.c */
bool whittle_flow_replay_open(struct whittle_flow_link *link);
void whittle_flow_replay_close(struct whittle_flow_link *link);

/* sample.c; with the lock held. */
void whittle_flow_sample(struct whittle_flow_link *link, uint64_t number);
uint64_t whittle_flow_take_sample(struct whittle_flow_link *link, uint64_t end);
void whittle_flow_drop_sample(struct whittle_flow_link *link, uint64_t number);

/* limits.c: rates. False: the packet is to be dropped. */
bool whittle_flow_rate(struct whittle_flow_link *link, uint64_t bytes);

/* receive.c */
enum whittle_flow_have whittle_flow_look_among(struct whittle_flow_receiver *const *receivers, size_t count, const void **packet, size_t *which);
void whittle_flow_sleep_any(struct whittle_flow_receiver *const *receivers, size_t count, uint64_t until);
void whittle_flow_await_sender(struct whittle_flow_link *link);

/* latest.c, local.c: edges that keep the newest packet. */
void whittle_flow_fetch_newest(struct whittle_flow_link *link);
bool whittle_flow_is_replaced(struct whittle_flow_link *link);
enum whittle_flow_result whittle_flow_closed(const struct whittle_flow_link *link);
extern const struct whittle_flow_transport_functions whittle_flow_local;

/* fan.c, publish.c: channels. */
bool whittle_flow_fans_open(struct whittle_flow_process *process);
void whittle_flow_fans_close(struct whittle_flow_process *process);
bool whittle_flow_fan_try_lock(struct whittle_flow_link *link);
void whittle_flow_fan_unlock(struct whittle_flow_link *link);
void whittle_flow_fan_join(struct whittle_flow_link *link);
uint64_t whittle_flow_fan_step(struct whittle_flow_link *link, uint64_t now);
bool whittle_flow_fan_settle(struct whittle_flow_link *link, bool over);
bool whittle_flow_fan_gathers(const struct whittle_flow_link *link, uint64_t now);
void whittle_flow_fan_rest(struct whittle_flow_link *link);
void whittle_flow_fan_resume(struct whittle_flow_link *link);
void whittle_flow_fans_expect(struct whittle_flow_event_loop *loop);

/* take.c: packets of a receiver, as they stand in its memory. */
bool whittle_flow_stream_follows(const struct whittle_flow_link *link);
enum whittle_flow_have whittle_flow_look(struct whittle_flow_link *link, const void **packet);
bool whittle_flow_take_start(struct whittle_flow_link *link, const struct whittle_flow_start *start);
void whittle_flow_break(struct whittle_flow_link *link, const char *why, bool stranger);

/* validate.c: NULL: counted and dropped. */
const void *whittle_flow_validate(struct whittle_flow_link *link, const void *packet, uint64_t bytes, uint64_t born);
const void *whittle_flow_validate_body(struct whittle_flow_link *link, const void *body, uint64_t bytes, uint64_t born);
bool whittle_flow_in_time(struct whittle_flow_link *link, const void *packet, uint64_t born);
const void *whittle_flow_faulty(struct whittle_flow_link *link);
void whittle_flow_release(struct whittle_flow_link *link);
uint64_t whittle_flow_latency(struct whittle_flow_link *link, uint64_t born);

/* call.c */
void whittle_flow_call_pages(const struct whittle_flow_call *call, const struct whittle_flow_ledger *pages[2]);
bool whittle_flow_calls_open(struct whittle_flow_event_loop *loop);
void whittle_flow_calls_close(struct whittle_flow_event_loop *loop, bool ended);

/*
 * The part of a queue that moves at a time: gathers for a batch, and is acknowledged. Were it all, each end would wait while
 * the other works; so one part is written while another is on its way and a third is taken.
 */
__attribute__((unused)) static inline uint64_t whittle_flow_part(uint64_t queue)
{
    return queue < 8 ? 1 : queue / 4;
}

/* fill.c: the connection under a receiver. */
void whittle_flow_fill(struct whittle_flow_link *link, bool wait);
void whittle_flow_expect_rest(struct whittle_flow_link *link);
int whittle_flow_rest_due(const struct whittle_flow_link *link);
void whittle_flow_acknowledge(struct whittle_flow_link *link, bool always, uint64_t flags);
bool whittle_flow_switch(struct whittle_flow_link *link);
void whittle_flow_flush_own(struct whittle_flow_process *process);

/* finish.c */
/*
 * Bytes under way at most: what is under way is kept until it has been acknowledged, and more than it takes to keep both
 * ends busy only falls out of the processors' caches.
 */
enum { WHITTLE_FLOW_QUEUE = 1048576 };    /* bytes of a queue without a bound; four packets where they are more */
enum { WHITTLE_FLOW_NEAR = 1048576, WHITTLE_FLOW_FAR = 4194304 };
void whittle_flow_choose_window(struct whittle_flow_link *link);
bool whittle_flow_open_sender(struct whittle_flow_link *link);
bool whittle_flow_open_receiver(struct whittle_flow_link *link);
void whittle_flow_log_faulty(const struct whittle_flow_link *link, uint64_t all);
bool whittle_flow_finish_sender(struct whittle_flow_link *link);
bool whittle_flow_finish_receiver(struct whittle_flow_link *link);

/* shared.c, shared_send.c, shared_receive.c */
bool whittle_flow_shared_open(struct whittle_flow_link *link);
void whittle_flow_shared_close(struct whittle_flow_link *link);
bool whittle_flow_shared_pass(const struct whittle_flow_link *link, int fd, const struct whittle_flow_start *start);
bool whittle_flow_shared_accept(struct whittle_flow_link *link, struct whittle_flow_start *start);
bool whittle_flow_shared_resume(struct whittle_flow_link *link, bool known, uint64_t *came, struct whittle_flow_place *place);
unsigned char *whittle_flow_slot(const struct whittle_flow_link *link, uint64_t number);
void whittle_flow_shared_room(struct whittle_flow_link *link);
void whittle_flow_shared_listen(struct whittle_flow_link *link);
void whittle_flow_shared_done(struct whittle_flow_link *link);
void whittle_flow_shared_refuse(struct whittle_flow_link *link);
enum whittle_flow_result whittle_flow_shared_send(struct whittle_flow_link *link, const void *elsewhere, uint64_t born);
uint64_t whittle_flow_shared_sequence(const struct whittle_flow_link *link, uint64_t slot);
uint64_t whittle_flow_shared_count(const struct whittle_flow_link *link);
uint64_t whittle_flow_shared_between(const struct whittle_flow_link *link);
void whittle_flow_shared_drain(struct whittle_flow_link *link);
void whittle_flow_shared_end(struct whittle_flow_link *link);
enum whittle_flow_have whittle_flow_shared_look(struct whittle_flow_link *link, const void **packet);
void whittle_flow_shared_sleep(struct whittle_flow_link *link);
bool whittle_flow_shared_may_sleep(struct whittle_flow_link *link);
bool whittle_flow_shared_follows(const struct whittle_flow_link *link);
void whittle_flow_shared_forget(struct whittle_flow_link *link);
void whittle_flow_shared_read_socket(struct whittle_flow_link *link, bool wait);

#endif
