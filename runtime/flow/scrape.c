/* SPDX-License-Identifier: MIT-0 */
/*
 * One client of --metrics: a request of HTTP/1 is read, whatever its header says, and answered once. Clients are strangers: there
 * are so many at a time (the oldest goes), each says so much, and has so much time; the text is made ten times a second at most.
 */
#include "metrics.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const uint64_t whittle_flow_scrape_patience = 5000000000u, whittle_flow_scrape_fresh = 100000000u;

void whittle_flow_scrape_drop(struct whittle_flow_scrape *scrape)
{
    if (scrape->source.fd < 0)
        return;
    whittle_net_source_close(&scrape->metrics->loop->poller, &scrape->source);
    free(scrape->answer);
    scrape->answer = NULL;
}

/* The counters, made anew where the last are old. False: no memory. */
static bool whittle_flow_scrape_text(struct whittle_flow_metrics *metrics)
{
    const uint64_t now = whittle_net_now();
    if (metrics->text != NULL && now < metrics->made_at + whittle_flow_scrape_fresh)
        return true;
    free(metrics->text);
    metrics->text = whittle_flow_exposition(metrics->loop, &metrics->bytes);
    metrics->made_at = now;
    return metrics->text != NULL;
}

/* An answer and its head. False: no memory. */
static bool whittle_flow_scrape_put(struct whittle_flow_scrape *scrape, const char *status, const char *type, const char *body, size_t bytes)
{
    char head[256];
    const int length = snprintf(head, sizeof head, "HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\nConnection: close\r\n\r\n", status,
        type, bytes);
    scrape->answer = malloc((size_t)length + bytes);
    if (scrape->answer == NULL)
        return false;
    memcpy(scrape->answer, head, (size_t)length);
    memcpy(scrape->answer + length, body, bytes);
    scrape->bytes = (size_t)length + bytes;
    scrape->sent = 0;
    return true;
}

static bool whittle_flow_scrape_send(struct whittle_flow_scrape *scrape, const char *status, const char *body)
{
    return whittle_flow_scrape_put(scrape, status, "text/plain; charset=utf-8", body, strlen(body));
}

static bool whittle_flow_scrape_answer(struct whittle_flow_scrape *scrape)
{
    struct whittle_flow_metrics *const metrics = scrape->metrics;
    const char *const request = scrape->request;
    if (strncmp(request, "GET ", 4) != 0)
        return whittle_flow_scrape_send(scrape, "405 Method Not Allowed\r\nAllow: GET", "expected GET /metrics\n");
    const size_t path = strcspn(request + 4, " ?\r\n");
    const bool known = (path == 1 && request[4] == '/') || (path == 8 && strncmp(request + 4, "/metrics", 8) == 0);
    if (!known)
        return whittle_flow_scrape_send(scrape, "404 Not Found", "expected GET /metrics\n");
    if (!whittle_flow_scrape_text(metrics))
        return whittle_flow_scrape_send(scrape, "503 Service Unavailable", "no memory\n");
    return whittle_flow_scrape_put(scrape, "200 OK", "application/openmetrics-text; version=1.0.0; charset=utf-8", metrics->text, metrics->bytes);
}

/* Reads on. True: all of the request has come, and its answer is there. */
static bool whittle_flow_scrape_read(struct whittle_flow_scrape *scrape)
{
    for (;;) {
        const size_t room = sizeof scrape->request - 1 - scrape->filled;
        if (room == 0)
            return whittle_flow_scrape_send(scrape, "431 Request Header Fields Too Large", "expected GET /metrics\n");
        const ssize_t come = recv(scrape->source.fd, scrape->request + scrape->filled, room, MSG_DONTWAIT);
        if (come < 0 && errno == EINTR)
            continue;
        if (come < 0 && errno == EAGAIN)
            return false;
        if (come <= 0 || memchr(scrape->request + scrape->filled, '\0', (size_t)come) != NULL) {
            whittle_flow_scrape_drop(scrape);
            return false;
        }
        scrape->filled += (size_t)come;
        scrape->request[scrape->filled] = '\0';
        if (strstr(scrape->request, "\r\n\r\n") != NULL || strstr(scrape->request, "\n\n") != NULL)
            return whittle_flow_scrape_answer(scrape);
    }
}

static void whittle_flow_scrape_ready(struct whittle_net_source *source, uint32_t events)
{
    struct whittle_flow_scrape *const scrape = (struct whittle_flow_scrape *)(void *)source;
    (void)events;
    if (scrape->answer == NULL && !whittle_flow_scrape_read(scrape))
        return;
    while (scrape->sent < scrape->bytes) {
        const ssize_t gone = send(scrape->source.fd, scrape->answer + scrape->sent, scrape->bytes - scrape->sent, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (gone >= 0)
            scrape->sent += (size_t)gone;
        else if (errno == EAGAIN || errno == ENOBUFS) {
            whittle_net_rewatch(&scrape->metrics->loop->poller, &scrape->source, EPOLLOUT);
            return;
        } else if (errno != EINTR)
            break;
    }
    shutdown(scrape->source.fd, SHUT_WR);
    whittle_flow_scrape_drop(scrape);
}

/* A free place, or that of who has been here longest. */
static struct whittle_flow_scrape *whittle_flow_scrape_place(struct whittle_flow_metrics *metrics)
{
    struct whittle_flow_scrape *oldest = &metrics->scrapes[0];
    for (int n = 0; n < WHITTLE_FLOW_SCRAPES; n++) {
        struct whittle_flow_scrape *const one = &metrics->scrapes[n];
        if (one->source.fd < 0)
            return one;
        if (one->until < oldest->until)
            oldest = one;
    }
    whittle_flow_scrape_drop(oldest);
    return oldest;
}

void whittle_flow_scrape_begin(struct whittle_flow_metrics *metrics, int fd)
{
    struct whittle_flow_scrape *const place = whittle_flow_scrape_place(metrics);
    place->source = (struct whittle_net_source){.ready = whittle_flow_scrape_ready, .fd = fd};
    place->until = whittle_net_now() + whittle_flow_scrape_patience;
    place->filled = place->bytes = place->sent = 0;
    if (!whittle_net_watch(&metrics->loop->poller, &place->source, EPOLLIN))
        whittle_flow_scrape_drop(place);
}
