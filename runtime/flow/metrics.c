/* SPDX-License-Identifier: MIT-0 */
/*
 * Counters for those who watch many programs: a socket at which the process gives what its ledger's pages say, in the text
 * format of OpenMetrics 1.0, over HTTP. In goes the address that --metrics names, out come answers, on the event loop's thread.
 */
#include "metrics.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const uint64_t whittle_flow_metrics_pause = 100000000u;

/* No descriptors are left: who has been here longest goes, or listening rests. */
static bool whittle_flow_metrics_rest(struct whittle_flow_metrics *metrics)
{
    metrics->accept_at = whittle_net_now() + whittle_flow_metrics_pause;
    whittle_net_rewatch(&metrics->loop->poller, &metrics->listening, 0);
    return false;
}

static bool whittle_flow_metrics_accept(struct whittle_flow_metrics *metrics)
{
    struct whittle_net_name peer;
    const int fd = whittle_net_accept(metrics->listening.fd, NULL, &peer);
    if (fd < 0)
        return (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) && whittle_flow_metrics_rest(metrics);
    if (peer.storage.ss_family == AF_UNIX && !whittle_flow_is_own_user(fd))
        close(fd);
    else
        whittle_flow_scrape_begin(metrics, fd);
    return true;
}

/* Some at a time: edges have their turn between. */
static void whittle_flow_metrics_ready(struct whittle_net_source *source, uint32_t events)
{
    struct whittle_flow_metrics *const metrics = (struct whittle_flow_metrics *)(void *)source;
    (void)events;
    for (int n = 0; n < WHITTLE_FLOW_SCRAPES && whittle_flow_metrics_accept(metrics); n++)
        ;
}

/* `unix`: a socket in the flow's directory; a number: that port of the loopback; else an address. False: it is none. */
static bool whittle_flow_metrics_address(struct whittle_flow_metrics *metrics, const char *at, struct whittle_net_address *address)
{
    char text[128];
    if (strcmp(at, "unix") == 0) {
        snprintf(metrics->file, sizeof metrics->file, "%.64s.metrics", metrics->loop->process->name);
        unlinkat(metrics->loop->directory_fd, metrics->file, 0);
        snprintf(text, sizeof text, "unix:/proc/self/fd/%d/%s", metrics->loop->directory_fd, metrics->file);
        return whittle_net_address_parse(address, text);
    }
    if (strspn(at, "0123456789") == strlen(at)) {
        snprintf(text, sizeof text, "tcp://127.0.0.1:%.8s", at);
        at = text;
    }
    return whittle_net_address_parse(address, at) && address->local == NULL && address->transport != WHITTLE_NET_UDP && address->host != NULL
        && (address->transport == WHITTLE_NET_UNIX || address->port != 0);
}

bool whittle_flow_metrics_open(struct whittle_flow_event_loop *loop)
{
    const char *const at = loop->metrics_at;
    struct whittle_net_address address = {0};
    struct whittle_net_name name;
    if (at == NULL)
        return true;
    struct whittle_flow_metrics *const metrics = calloc(1, sizeof *metrics);
    if (metrics == NULL) {
        whittle_flow_log_process(loop->process, "no memory for --metrics");
        return false;
    }
    loop->metrics = metrics;
    metrics->loop = loop;
    metrics->listening = (struct whittle_net_source){.ready = whittle_flow_metrics_ready, .fd = -1};
    for (int n = 0; n < WHITTLE_FLOW_SCRAPES; n++) {
        metrics->scrapes[n].source.fd = -1;
        metrics->scrapes[n].metrics = metrics;
    }
    const bool sound = whittle_flow_metrics_address(metrics, at, &address);
    if (sound)
        metrics->listening.fd = whittle_net_bind(&address, &name);
    const int problem = errno;
    whittle_net_address_drop(&address);
    if (!sound)
        whittle_flow_log_process(loop->process, "`%s` is no place for metrics: give `unix` (a socket in the flow's directory), a TCP port "
            "of this machine, tcp://HOST:PORT or unix:PATH", at);
    else if (metrics->listening.fd < 0)
        whittle_flow_log_process(loop->process, "cannot listen at %s for --metrics: %s: name another place", at, strerror(problem));
    return metrics->listening.fd >= 0 && whittle_net_watch(&loop->poller, &metrics->listening, EPOLLIN);
}

void whittle_flow_metrics_close(struct whittle_flow_event_loop *loop)
{
    struct whittle_flow_metrics *const metrics = loop->metrics;
    if (metrics == NULL)
        return;
    for (int n = 0; n < WHITTLE_FLOW_SCRAPES; n++)
        whittle_flow_scrape_drop(&metrics->scrapes[n]);
    whittle_net_source_close(&loop->poller, &metrics->listening);
    if (metrics->file[0] != '\0')
        unlinkat(loop->directory_fd, metrics->file, 0);
    free(metrics->text);
    free(metrics);
    loop->metrics = NULL;
}

/* Closes who takes too long, and listens again where that rested; when to look again. */
uint64_t whittle_flow_metrics_due(struct whittle_flow_event_loop *loop, uint64_t now)
{
    struct whittle_flow_metrics *const metrics = loop->metrics;
    uint64_t due = 0;
    for (int n = 0; metrics != NULL && n < WHITTLE_FLOW_SCRAPES; n++) {
        if (metrics->scrapes[n].source.fd < 0)
            continue;
        if (now >= metrics->scrapes[n].until)
            whittle_flow_scrape_drop(&metrics->scrapes[n]);
        else
            due = whittle_net_sooner(due, metrics->scrapes[n].until);
    }
    if (metrics == NULL || metrics->accept_at == 0)
        return due;
    if (now < metrics->accept_at)
        return whittle_net_sooner(due, metrics->accept_at);
    metrics->accept_at = 0;
    whittle_net_rewatch(&loop->poller, &metrics->listening, EPOLLIN);
    return due;
}
