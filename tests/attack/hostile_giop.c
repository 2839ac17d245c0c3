/* SPDX-License-Identifier: MIT-0 */
/* Manners of hostile servers of GIOP: messages of another kind than was asked for, forwards in circles and to elsewhere. */
#include "hostile.h"

/* A LocateReply instead of a reply. */
static bool located(struct talk *talk)
{
    struct bytes bytes = {NULL, 0, 0};
    struct talk other = *talk;
    other.locate = !talk->locate;
    reply_make(&bytes, &other, talk->id, NULL, 0);
    const bool lasts = say(talk, bytes.at, bytes.size);
    bytes_free(&bytes);
    return lasts;
}

/* Any other message, with the call's id where it has one. */
static bool another_kind(struct talk *talk)
{
    static const uint8_t types[] = {0, 2, 3, 4, 5, 6, 7, 8};
    struct bytes bytes = {NULL, 0, 0}, body = {NULL, 0, 0};
    const uint8_t type = types[random_below(&talk->chance, 8)];
    bytes_word(&body, talk->id);
    for (uint32_t count = random_below(&talk->chance, 8); count > 0; count--)
        bytes_word(&body, random_below(&talk->chance, 4));
    const uint32_t size = type == 5 || type == 6 ? 0 : (uint32_t)body.size;
    giop_message(&bytes, 2, (uint8_t)(random_below(&talk->chance, 4) == 0 ? 2 : 0), type, size, body.at, size);
    const bool lasts = say(talk, bytes.at, bytes.size);
    bytes_free(&bytes), bytes_free(&body);
    return lasts && type != 5;
}

static bool forward(struct talk *talk, const char *host, uint16_t port)
{
    struct bytes bytes = {NULL, 0, 0};
    reply_forward(&bytes, talk, host, port);
    const bool lasts = say(talk, bytes.at, bytes.size);
    bytes_free(&bytes);
    return lasts;
}

static bool circle(struct talk *talk)
{
    return forward(talk, "127.0.0.1", hostile_ports[0]);
}

/* Each call to another port, where it is answered. */
static bool to_ports(struct talk *talk)
{
    if (talk->turn % 2 == 0)
        return forward(talk, "127.0.0.1", hostile_ports[talk->turn / 2 % PORTS]);
    struct bytes bytes = {NULL, 0, 0};
    reply_honest(&bytes, talk);
    const bool lasts = say(talk, bytes.at, bytes.size);
    bytes_free(&bytes);
    return lasts;
}

static bool to_a_name(struct talk *talk)
{
    return forward(talk, "silent.invalid", 1);
}

const struct manner manners_of_giop[] = {
    {.name = "locate-reply", .where = "giop", .answer = located, .lies = true, .about = "a LocateReply to a Request"},
    {.name = "another-kind", .where = "giop", .answer = another_kind, .lies = true, .about = "messages of other kinds than was asked for"},
    {.name = "forward-circle", .where = "giop", .answer = circle, .lies = true, .about = "forwards to itself without end"},
    {.name = "forward-ports", .where = "giop", .answer = to_ports, .about = "each call is forwarded to another port"},
    {.name = "forward-name", .where = "giop", .answer = to_a_name, .lies = true, .about = "a forward to a host that no name server knows of"},
    {.name = NULL},
};
