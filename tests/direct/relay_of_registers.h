/* Between a client and a server of the link fluke: a port that passes messages on, and damages the one it is told to. */
#ifndef RELAY_OF_REGISTERS_H
#define RELAY_OF_REGISTERS_H
#include <arpa/inet.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static struct relay {
    whittle_fluke_port port, to;    /* its own, and the server's */
    enum { REQUEST, RESPONSE } which;
    enum { NOTHING, CUT, OVERWRITE } how;
    uint32_t at, with;              /* where in the message, in bytes, and what is written there */
    uint32_t lengths[2];            /* of the last request, and the last reply, before the damage */
    uint32_t begins[2];             /* where what they carry begins */
} relay;

/* Damages a message whose words are all in `words`. */
static void relay_damage(struct whittle_fluke_message *message, int which)
{
    const uint32_t length = (uint32_t)message->count * 8;
    relay.lengths[which] = length;
    if ((int)relay.which == which && relay.at < length && relay.how == CUT)
        message->count = relay.at / 8;
    if ((int)relay.which == which && relay.at + 4 <= length && relay.how == OVERWRITE)
        memcpy((char *)message->words + relay.at, &relay.with, 4);
    memcpy(message->first, message->words, sizeof message->first);
}

/* Storage of its own for a message's words. */
static uint64_t *relay_words(const struct whittle_fluke_message *message)
{
    const size_t count = message->count > WHITTLE_FLUKE_REGISTERS ? message->count : WHITTLE_FLUKE_REGISTERS;
    uint64_t *const words = malloc(count * 8);
    if (words == NULL)
        abort();
    memcpy(words, message->first, sizeof message->first);
    if (message->count > WHITTLE_FLUKE_REGISTERS)
        memcpy(words + WHITTLE_FLUKE_REGISTERS, message->words + WHITTLE_FLUKE_REGISTERS, (message->count - WHITTLE_FLUKE_REGISTERS) * 8);
    return words;
}

static void relay_enter(const void *served, const struct whittle_fluke_message *from, struct whittle_fluke_message *to, uint64_t first,
                        uint64_t second, uint64_t third, uint64_t fourth)
{
    struct whittle_fluke_message request = *from, reply = {.most = WHITTLE_FLUKE_LONGEST};
    (void)served, (void)first, (void)second, (void)third, (void)fourth;
    request.words = relay_words(from);
    relay_damage(&request, REQUEST);
    const int status = whittle_fluke_kernel_call(relay.to, &request, &reply);
    free(request.words);
    to->code = status == 0 ? reply.code : (uint64_t)-status;
    uint64_t *const words = relay_words(&reply);
    free(reply.owned);
    reply.words = words;
    relay_damage(&reply, RESPONSE);
    to->count = reply.count;
    memcpy(to->first, reply.first, sizeof to->first);
    to->words = words;
    to->owned = words;
    to->object_count = 0;
}

static void *relay_run(void *unused)
{
    if (whittle_fluke_kernel_serve(relay.port, relay_enter, NULL) != 0)
        abort();
    return unused;
}

/* Begins to serve, in front of the server at that port. */
static bool relay_begin(pthread_t *thread, whittle_fluke_port to)
{
    relay.to = to;
    relay.port = whittle_fluke_port_new();
    return relay.port != NULL && pthread_create(thread, NULL, relay_run, NULL) == 0;
}

static void relay_end(pthread_t thread)
{
    whittle_fluke_port_close(relay.port);
    pthread_join(thread, NULL);
    whittle_fluke_port_free(relay.port);
}
#endif
