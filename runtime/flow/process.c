/* SPDX-License-Identifier: MIT-0 */
/*
 * One process of a flow, from its beginning to its end: every edge's ends are opened or none is; at the end what was sent
 * is waited for, what was lost is said, and all is closed.
 */
#include "mux.h"
#include "parts.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

static bool whittle_flow_keepable(const struct whittle_flow_link *link)
{
    const struct whittle_flow_edge *const edge = link->edge;
    if (whittle_flow_carriage(edge)->calls && link->through == NULL) {
        whittle_flow_say(link, "an edge within the process is no sender and no receiver");
        return false;
    }
    const char *const missing = whittle_flow_carriage(edge)->missing;
    if (link->through == NULL && missing != NULL) {
        whittle_flow_say(link, "%s", missing);
        return false;
    }
    if (edge->delivery == WHITTLE_FLOW_DURABLE && (link->through == NULL || !link->through->keeps)) {
        whittle_flow_say(link, "durable delivery cannot be had but via nats");
        return false;
    }
    return true;
}

static bool whittle_flow_close_link(struct whittle_flow_link *link, bool ended)
{
    if (link->receiver != NULL) {
        free(link->receiver->where);
        link->receiver->where = NULL;
    }
    whittle_flow_eyes_close(link, ended);
    whittle_flow_replay_close(link);
    if (link->own != NULL)
        link->through->close(link, ended);
    /* Where packets wait for a later process, its page goes on where this one's stands. */
    ended = ended && (link->through == NULL || link->heard_end || link->end_heard);
    whittle_flow_listen_end(link);
    if (link->news >= 0)
        close(link->news);
    whittle_flow_stream_close(&link->fd, &link->substream);
    whittle_flow_stream_close(&link->pending, &link->pending_substream);
    whittle_flow_source_close(&link->carrier->poller, &link->dialing, &link->dial_substream);
    whittle_flow_end_session(link, &link->session);
    whittle_flow_end_session(link, &link->pending_session);
    whittle_flow_end_session(link, &link->dial_session);
    whittle_net_lookup_end(link->lookup);
    whittle_flow_page_close(link, ended);
    whittle_flow_ring_close(&link->ring);
    whittle_flow_ring_close(&link->kept);
    whittle_flow_shared_close(link);
    free(link->private);
    pthread_mutex_destroy(&link->lock);
    return false;
}

static bool whittle_flow_open_link(struct whittle_flow_link *link)
{
    if (!whittle_flow_keepable(link))
        return false;
    whittle_flow_form(link);
    link->news = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (link->news < 0) {
        whittle_flow_say(link, "no more files can be opened: %s: raise `ulimit -n`", strerror(errno));
        return false;
    }
    if (!whittle_flow_page_open(link))
        return false;
    if (link->sender != NULL && !(whittle_flow_eyes_open(link) && whittle_flow_replay_open(link)))
        return false;
    if (link->through != NULL)
        return link->through->open(link);
    const bool shared = whittle_flow_carriage(link->edge)->shared;
    const bool done = shared ? whittle_flow_shared_open(link) : link->sender != NULL ? whittle_flow_open_sender(link) : whittle_flow_open_receiver(link);
    if (!done) {
        whittle_flow_say(link, "the memory for its queue cannot be had: %s: ask for a shorter queue", strerror(errno));
        return false;
    }
    link->lost = link->sender != NULL;
    return true;
}

/* False: something promised was lost as it ended. */
static bool whittle_flow_close_all(struct whittle_flow_carrier *carrier, bool ended)
{
    whittle_flow_carrier_stop(carrier);
    whittle_flow_greetings_close(carrier);
    for (size_t n = 0; n < carrier->link_count; n++)
        whittle_flow_close_link(&carrier->links[n], ended);
    whittle_flow_muxes_close(carrier);
    whittle_flow_calls_close(carrier, ended);
    whittle_flow_metrics_close(carrier);
    whittle_net_source_close(&carrier->poller, &carrier->arrivals);
    whittle_net_source_close(&carrier->poller, &carrier->waking);
    whittle_net_poller_close(&carrier->poller);
    if (carrier->directory_fd >= 0)
        close(carrier->directory_fd);
    const bool lost = carrier->lost || carrier->failed;
    whittle_flow_signals_forget();
    if (carrier->key != NULL)
        carrier->process->security->close(carrier);
    pthread_mutex_destroy(&carrier->report.lock);
    whittle_flow_fans_close(carrier->process);
    carrier->process->carrier = NULL;
    free(carrier->entering);
    free(carrier->links);
    free(carrier);
    return !lost;
}

/* The channel that carries an edge; NULL: connections do, or nothing. */
static const struct whittle_flow_channel *whittle_flow_through(const struct whittle_flow_process *process, const struct whittle_flow_edge *edge)
{
    const struct whittle_flow_carriage *const carriage = whittle_flow_carriage(edge);
    const void *const brought = (const char *)process + carriage->brought;
    if (carriage->brought != 0)
        return *(const struct whittle_flow_channel *const *)brought;
    return carriage->calls && edge->latest ? &whittle_flow_local : NULL;
}

static bool whittle_flow_make_links(struct whittle_flow_carrier *carrier)
{
    struct whittle_flow_process *const process = carrier->process;
    const size_t count = process->sender_count + process->receiver_count;
    carrier->links = calloc(count > 0 ? count : 1, sizeof *carrier->links);
    if (carrier->links == NULL)
        return false;
    carrier->link_count = count;
    for (size_t n = 0; n < count; n++) {
        struct whittle_flow_link *const link = &carrier->links[n];
        link->carrier = carrier;
        link->fd = link->news = link->page_fd = link->listening.fd = link->pending = link->dialing.fd = link->shared_fd = -1;
        pthread_mutex_init(&link->lock, NULL);
        if (n < process->sender_count) {
            link->sender = process->senders[n];
            link->edge = link->sender->edge;
            link->sender->link = link;
        } else {
            link->receiver = process->receivers[n - process->sender_count];
            link->edge = link->receiver->edge;
            link->receiver->link = link;
        }
        link->through = whittle_flow_through(process, link->edge);
    }
    return true;
}

/* The key, where an edge goes over a network. */
static bool whittle_flow_secure(struct whittle_flow_carrier *carrier)
{
    bool wanted = false, warned = false;
    for (size_t n = 0; n < carrier->link_count; n++) {
        const struct whittle_flow_link *const link = &carrier->links[n];
        wanted |= whittle_flow_is_keyed(link) || (link->through != NULL && link->through->keyed);
        warned |= whittle_flow_carriage(link->edge)->by_port && carrier->unauthenticated;
    }
    if (warned)
        whittle_flow_complain(carrier->process, "TCP edges are not authenticated, as --unauthenticated says: whoever can connect can take part");
    if (!wanted)
        return true;
    if (carrier->process->security == NULL) {
        whittle_flow_complain(carrier->process, "nothing authenticates its edges: its process must say `.security = &whittle_flow_keyed`");
        return false;
    }
    return carrier->process->security->open(carrier);
}

/* A shell gives 1,024 descriptors, and lets a process take more: where there are many edges, it does. */
static void whittle_flow_take_files(const struct whittle_flow_carrier *carrier)
{
    enum { EACH = 5, BESIDE = 256 };
    const rlim_t wanted = (rlim_t)carrier->link_count * EACH + BESIDE;
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur >= wanted)
        return;
    files.rlim_cur = wanted < files.rlim_max ? wanted : files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);   /* refused: an edge that cannot be opened says so */
}

bool whittle_flow_begin(struct whittle_flow_process *process, int argc, char **argv)
{
    struct whittle_flow_carrier *const carrier = calloc(1, sizeof *carrier);
    if (carrier == NULL) {
        whittle_flow_complain(process, "no memory");
        return false;
    }
    carrier->process = process;
    process->carrier = carrier;
    carrier->directory_fd = carrier->arrivals.fd = -1;
    carrier->speed = 1;
    carrier->began = whittle_net_now();
    carrier->began_real = whittle_flow_now(false);
    carrier->waking.fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    pthread_mutex_init(&carrier->report.lock, NULL);
    bool done = whittle_net_poller_open(&carrier->poller) && carrier->waking.fd >= 0 && whittle_flow_make_links(carrier) && whittle_flow_greetings_open(carrier);
    if (!done)
        whittle_flow_complain(process, "no memory or no files: %s", strerror(errno));
    const int options = done ? whittle_flow_options(carrier, argc, argv) : -1;
    whittle_flow_take_files(carrier);
    done = options > 0 && whittle_flow_directory(carrier) && whittle_flow_secure(carrier);
    for (size_t n = 0; n < carrier->link_count && done; n++)
        done = whittle_flow_open_link(&carrier->links[n]);
    done = done && whittle_flow_listen(carrier);
    if (done && !whittle_flow_muxes_open(carrier)) {
        whittle_flow_complain(process, "no memory for connections that edges share");
        done = false;
    }
    if (done && !whittle_flow_fans_open(process)) {
        whittle_flow_complain(process, "no memory for the history of a channel");
        done = false;
    }
    done = done && whittle_flow_calls_open(carrier) && whittle_flow_metrics_open(carrier) && whittle_flow_signals(carrier);
    if (done) {
        whittle_flow_taps_open(carrier);
        whittle_flow_taps(carrier, whittle_net_now());
    }
    done = done && whittle_flow_carrier_start(carrier);
    if (!done)
        whittle_flow_close_all(carrier, false);
    if (options == 0 || options == -2)
        exit(-options);
    return done;
}

void whittle_flow_fail(struct whittle_flow_process *process, const char *stage, const char *reason)
{
    whittle_flow_complain(process, "stage `%s` cannot go on: %s", stage, reason);
    process->carrier->failed = true;
    if (process->carrier->runs)
        whittle_flow_ask_to_end();
}

bool whittle_flow_may_run(struct whittle_flow_process *process)
{
    process->carrier->runs = !process->carrier->failed;
    return process->carrier->runs;
}

int whittle_flow_end(struct whittle_flow_process *process)
{
    struct whittle_flow_carrier *const carrier = process->carrier;
    bool lost = false;
    for (size_t n = 0; n < carrier->link_count; n++) {
        struct whittle_flow_link *const link = &carrier->links[n];
        if (link->sender != NULL)
            whittle_flow_close(link->sender);
        else if (!link->refused && !link->heard_end) {
            if (carrier->failed)
                whittle_flow_await_sender(link);
            whittle_flow_refuse(link->receiver);
        }
    }
    for (size_t n = 0; n < carrier->link_count; n++) {
        struct whittle_flow_link *const link = &carrier->links[n];
        if (link->through != NULL)
            lost |= !link->through->finish(link);
        else
            lost |= link->sender != NULL ? !whittle_flow_finish_sender(link) : !whittle_flow_finish_receiver(link);
    }
    lost |= !whittle_flow_close_all(carrier, true);
    return lost;
}
