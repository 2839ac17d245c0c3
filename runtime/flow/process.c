/* SPDX-License-Identifier: MIT-0 */
/*
 * One process of a flow, from its beginning to its end: every edge's ends are opened or none is; at the end what was sent
 * is waited for, what was lost is said, and all is closed.
 */
#include "mux.h"
#include "internal.h"
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
    if (whittle_flow_transport_of(edge)->calls && link->functions == NULL) {
        whittle_flow_log(link, "an edge within the process is no sender and no receiver");
        return false;
    }
    const char *const missing = whittle_flow_transport_of(edge)->missing;
    if (link->functions == NULL && missing != NULL) {
        whittle_flow_log(link, "%s", missing);
        return false;
    }
    if (edge->delivery == WHITTLE_FLOW_DURABLE && (link->functions == NULL || !link->functions->keeps)) {
        whittle_flow_log(link, "durable delivery cannot be had but via nats");
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
    whittle_flow_observers_close(link, ended);
    whittle_flow_replay_close(link);
    if (link->own != NULL)
        link->functions->close(link, ended);
    /* Where packets wait for a later process, its page goes on where this one's stands. */
    ended = ended && (link->functions == NULL || link->heard_end || link->end_heard);
    whittle_flow_listen_end(link);
    if (link->wakeup >= 0)
        close(link->wakeup);
    whittle_flow_stream_close(&link->fd, &link->substream);
    whittle_flow_stream_close(&link->pending, &link->pending_substream);
    whittle_flow_source_close(&link->loop->poller, &link->dialing, &link->dial_substream);
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
    whittle_flow_layout(link);
    link->wakeup = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (link->wakeup < 0) {
        whittle_flow_log(link, "no more files can be opened: %s: raise `ulimit -n`", strerror(errno));
        return false;
    }
    if (!whittle_flow_page_open(link))
        return false;
    if (link->sender != NULL && !(whittle_flow_observers_open(link) && whittle_flow_replay_open(link)))
        return false;
    if (link->functions != NULL)
        return link->functions->open(link);
    const bool shared = whittle_flow_transport_of(link->edge)->shared;
    const bool done = shared ? whittle_flow_shared_open(link) : link->sender != NULL ? whittle_flow_open_sender(link) : whittle_flow_open_receiver(link);
    if (!done) {
        whittle_flow_log(link, "the memory for its queue cannot be had: %s: ask for a shorter queue", strerror(errno));
        return false;
    }
    link->lost = link->sender != NULL;
    return true;
}

/* False: something promised was lost as it ended. */
static bool whittle_flow_close_all(struct whittle_flow_event_loop *loop, bool ended)
{
    whittle_flow_event_loop_stop(loop);
    whittle_flow_handshakes_close(loop);
    for (size_t n = 0; n < loop->link_count; n++)
        whittle_flow_close_link(&loop->links[n], ended);
    whittle_flow_muxes_close(loop);
    whittle_flow_calls_close(loop, ended);
    whittle_flow_metrics_close(loop);
    whittle_net_source_close(&loop->poller, &loop->arrivals);
    whittle_net_source_close(&loop->poller, &loop->waking);
    whittle_net_poller_close(&loop->poller);
    if (loop->directory_fd >= 0)
        close(loop->directory_fd);
    const bool lost = loop->lost || loop->failed;
    whittle_flow_signals_forget();
    if (loop->key != NULL)
        loop->process->security->close(loop);
    pthread_mutex_destroy(&loop->report.lock);
    whittle_flow_fans_close(loop->process);
    loop->process->loop = NULL;
    free(loop->entering);
    free(loop->links);
    free(loop);
    return !lost;
}

/* The channel that carries an edge; NULL: connections do, or nothing. */
static const struct whittle_flow_transport_functions *whittle_flow_functions_of(const struct whittle_flow_process *process, const struct whittle_flow_edge *edge)
{
    const struct whittle_flow_transport_traits *const traits = whittle_flow_transport_of(edge);
    const void *const brought = (const char *)process + traits->brought;
    if (traits->brought != 0)
        return *(const struct whittle_flow_transport_functions *const *)brought;
    return traits->calls && edge->latest ? &whittle_flow_local : NULL;
}

static bool whittle_flow_make_links(struct whittle_flow_event_loop *loop)
{
    struct whittle_flow_process *const process = loop->process;
    const size_t count = process->sender_count + process->receiver_count;
    loop->links = calloc(count > 0 ? count : 1, sizeof *loop->links);
    if (loop->links == NULL)
        return false;
    loop->link_count = count;
    for (size_t n = 0; n < count; n++) {
        struct whittle_flow_link *const link = &loop->links[n];
        link->loop = loop;
        link->fd = link->wakeup = link->page_fd = link->listening.fd = link->pending = link->dialing.fd = link->shared_fd = -1;
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
        link->functions = whittle_flow_functions_of(process, link->edge);
    }
    return true;
}

/* The key, where an edge goes over a network. */
static bool whittle_flow_secure(struct whittle_flow_event_loop *loop)
{
    bool wanted = false, warned = false;
    for (size_t n = 0; n < loop->link_count; n++) {
        const struct whittle_flow_link *const link = &loop->links[n];
        wanted |= whittle_flow_is_keyed(link) || (link->functions != NULL && link->functions->keyed);
        warned |= whittle_flow_transport_of(link->edge)->by_port && loop->unauthenticated;
    }
    if (warned)
        whittle_flow_log_process(loop->process, "TCP edges are not authenticated, as --unauthenticated says: whoever can connect can take part");
    if (!wanted)
        return true;
    if (loop->process->security == NULL) {
        whittle_flow_log_process(loop->process, "nothing authenticates its edges: its process must say `.security = &whittle_flow_keyed`");
        return false;
    }
    return loop->process->security->open(loop);
}

/* A shell gives 1,024 descriptors, and lets a process take more: where there are many edges, it does. */
static void whittle_flow_take_files(const struct whittle_flow_event_loop *loop)
{
    enum { EACH = 5, BESIDE = 256 };
    const rlim_t wanted = (rlim_t)loop->link_count * EACH + BESIDE;
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur >= wanted)
        return;
    files.rlim_cur = wanted < files.rlim_max ? wanted : files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);   /* refused: an edge that cannot be opened says so */
}

bool whittle_flow_begin(struct whittle_flow_process *process, int argc, char **argv)
{
    struct whittle_flow_event_loop *const loop = calloc(1, sizeof *loop);
    if (loop == NULL) {
        whittle_flow_log_process(process, "no memory");
        return false;
    }
    loop->process = process;
    process->loop = loop;
    loop->directory_fd = loop->arrivals.fd = -1;
    loop->speed = 1;
    loop->began = whittle_net_now();
    loop->began_real = whittle_flow_now(false);
    loop->waking.fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    pthread_mutex_init(&loop->report.lock, NULL);
    bool done = whittle_net_poller_open(&loop->poller) && loop->waking.fd >= 0 && whittle_flow_make_links(loop) && whittle_flow_handshakes_open(loop);
    if (!done)
        whittle_flow_log_process(process, "no memory or no files: %s", strerror(errno));
    const int options = done ? whittle_flow_options(loop, argc, argv) : -1;
    whittle_flow_take_files(loop);
    done = options > 0 && whittle_flow_directory(loop) && whittle_flow_secure(loop);
    for (size_t n = 0; n < loop->link_count && done; n++)
        done = whittle_flow_open_link(&loop->links[n]);
    done = done && whittle_flow_listen(loop);
    if (done && !whittle_flow_muxes_open(loop)) {
        whittle_flow_log_process(process, "no memory for connections that edges share");
        done = false;
    }
    if (done && !whittle_flow_fans_open(process)) {
        whittle_flow_log_process(process, "no memory for the history of a channel");
        done = false;
    }
    done = done && whittle_flow_calls_open(loop) && whittle_flow_metrics_open(loop) && whittle_flow_signals(loop);
    if (done) {
        whittle_flow_taps_open(loop);
        whittle_flow_taps(loop, whittle_net_now());
    }
    done = done && whittle_flow_event_loop_start(loop);
    if (!done)
        whittle_flow_close_all(loop, false);
    if (options == 0 || options == -2)
        exit(-options);
    return done;
}

void whittle_flow_fail(struct whittle_flow_process *process, const char *stage, const char *reason)
{
    whittle_flow_log_process(process, "stage `%s` cannot go on: %s", stage, reason);
    process->loop->failed = true;
    if (process->loop->runs)
        whittle_flow_ask_to_end();
}

bool whittle_flow_may_run(struct whittle_flow_process *process)
{
    process->loop->runs = !process->loop->failed;
    return process->loop->runs;
}

int whittle_flow_end(struct whittle_flow_process *process)
{
    struct whittle_flow_event_loop *const loop = process->loop;
    bool lost = false;
    for (size_t n = 0; n < loop->link_count; n++) {
        struct whittle_flow_link *const link = &loop->links[n];
        if (link->sender != NULL)
            whittle_flow_close(link->sender);
        else if (!link->refused && !link->heard_end) {
            if (loop->failed)
                whittle_flow_await_sender(link);
            whittle_flow_refuse(link->receiver);
        }
    }
    for (size_t n = 0; n < loop->link_count; n++) {
        struct whittle_flow_link *const link = &loop->links[n];
        if (link->functions != NULL)
            lost |= !link->functions->finish(link);
        else
            lost |= link->sender != NULL ? !whittle_flow_finish_sender(link) : !whittle_flow_finish_receiver(link);
    }
    lost |= !whittle_flow_close_all(loop, true);
    return lost;
}
