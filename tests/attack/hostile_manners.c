/* SPDX-License-Identifier: MIT-0 */
/* Manners of hostile servers that both protocols know: silence, lateness, lies about ids and lengths, drips, ends in the midst. */
#include "hostile.h"
#include <string.h>

static bool silence(struct talk *talk)
{
    (void)talk;
    return true;
}

/* After the deadline, so that it comes while the next call waits. */
static bool late(struct talk *talk)
{
    struct bytes bytes = {NULL, 0, 0};
    pause_for(TIMEOUT + 100);
    reply_honest(&bytes, talk);
    const bool lasts = say(talk, bytes.at, bytes.size);
    bytes_free(&bytes);
    return lasts;
}

static bool doubled(struct talk *talk)
{
    struct bytes bytes = {NULL, 0, 0};
    reply_honest(&bytes, talk);
    const bool lasts = say(talk, bytes.at, bytes.size) && say(talk, bytes.at, bytes.size);
    bytes_free(&bytes);
    return lasts;
}

/* Replies to calls that nobody made, without end. */
static bool unasked(struct talk *talk)
{
    struct bytes bytes = {NULL, 0, 0};
    for (uint32_t count = 1; count <= 200; count++)
        reply_make(&bytes, talk, talk->id + 100000 + count, NULL, 0);
    bool lasts = true;
    const uint64_t end = now() + 1000 * 2 * TIMEOUT;
    if (talk->from != NULL)
        bytes.size = bytes.size / 200;
    while (lasts && hostile_times() && now() < end)
        lasts = say(talk, bytes.at, bytes.size);
    bytes_free(&bytes);
    return lasts;
}

/* Datagrams wait in the client's socket until it reads again. */
static bool ahead(struct talk *talk)
{
    struct bytes bytes = {NULL, 0, 0};
    reply_honest(&bytes, talk);
    bool lasts = say(talk, bytes.at, bytes.size);
    for (uint32_t count = 1; lasts && count <= 20; count++) {
        bytes.size = 0;
        reply_make(&bytes, talk, talk->id + count, NULL, 0);
        lasts = say(talk, bytes.at, bytes.size);
    }
    bytes_free(&bytes);
    return lasts;
}

static bool garbled(struct talk *talk)
{
    struct bytes bytes = {NULL, 0, 0};
    reply_honest(&bytes, talk);
    for (uint32_t change = 1 + random_below(&talk->chance, 4); change > 0; change--)
        bytes.at[random_below(&talk->chance, (uint32_t)bytes.size)] ^= (uint8_t)(1u << random_below(&talk->chance, 8));
    if (random_below(&talk->chance, 4) == 0)
        bytes.size = random_below(&talk->chance, (uint32_t)bytes.size);
    const bool lasts = say(talk, bytes.at, bytes.size) && random_below(&talk->chance, 3) != 0;
    bytes_free(&bytes);
    return lasts;
}

static bool garbage(struct talk *talk)
{
    uint8_t bytes[600];
    for (size_t index = 0; index < sizeof bytes; index++)
        bytes[index] = (uint8_t)random_below(&talk->chance, 256);
    if (aim.giop && random_below(&talk->chance, 3) != 0)
        memcpy(bytes, "GIOP\1\2\0\1\0\0\0", 11);
    return say(talk, bytes, 1 + random_below(&talk->chance, sizeof bytes)) && random_below(&talk->chance, 2) == 0;
}

/* A header that claims more than any message has, then a byte now and then. */
static bool huge(struct talk *talk)
{
    struct bytes bytes = {NULL, 0, 0};
    static const uint8_t claims[][4] = {{0xff, 0xff, 0xff, 0xff}, {0xc0, 0, 0, 0}, {0x83, 0xff, 0, 0}, {0x7f, 0xff, 0xff, 0xf0}};
    reply_honest(&bytes, talk);
    memcpy(bytes.at + (aim.giop ? 8 : 0), claims[talk->turn % 4], 4);
    bool lasts = say(talk, bytes.at, bytes.size);
    while (lasts && hostile_times()) {
        pause_for(10);
        lasts = say(talk, "x", 1);
    }
    bytes_free(&bytes);
    return false;
}

static bool endless(struct talk *talk)
{
    struct bytes bytes = {NULL, 0, 0}, more = {NULL, 0, 0};
    bool lasts;
    if (aim.giop) {
        reply_make(&bytes, talk, talk->id, "\0\0\0\0\0\0\0\0\0\0\0", 12);
        bytes.at[6] = 2;
        giop_message(&more, 2, 2, 7, 4 + 8000, NULL, 0);
        bytes_word(&more, talk->id);
        bytes_zeros(&more, 8000);
    } else {
        reply_make(&bytes, talk, talk->id, NULL, 0);
        bytes.at[0] = 0;
        bytes_word(&more, 8000);
        bytes_zeros(&more, 8000);
    }
    lasts = say(talk, bytes.at, bytes.size);
    while (lasts && hostile_times())
        lasts = say(talk, more.at, more.size);
    bytes_free(&bytes), bytes_free(&more);
    return false;
}

static bool drip(struct talk *talk)
{
    struct bytes bytes = {NULL, 0, 0};
    bool lasts = true;
    reply_honest(&bytes, talk);
    for (size_t at = 0; lasts && hostile_times() && at + 1 < bytes.size; at++) {
        lasts = say(talk, bytes.at + at, 1);
        pause_for(40);
    }
    bytes_free(&bytes);
    return false;
}

static bool half(struct talk *talk)
{
    struct bytes bytes = {NULL, 0, 0};
    reply_honest(&bytes, talk);
    say(talk, bytes.at, random_below(&talk->chance, (uint32_t)bytes.size));
    bytes_free(&bytes);
    return false;
}

static bool hang_up(struct talk *talk)
{
    const struct linger at_once = {1, 0};
    if (random_below(&talk->chance, 2) == 0)
        setsockopt(talk->fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    return false;
}

/* An honest, large reply in many small fragments: to be joined in time. */
static bool small_fragments(struct talk *talk)
{
    struct bytes bytes = {NULL, 0, 0}, pieces = {NULL, 0, 0};
    static const uint32_t sizes[] = {100, 1000, 9000};
    reply_honest(&bytes, talk);
    fragments(&pieces, &bytes, sizes[talk->turn % 3]);
    const bool lasts = say(talk, pieces.at, pieces.size);
    bytes_free(&bytes), bytes_free(&pieces);
    return lasts;
}

const struct manner manners_of_all[] = {
    {.name = "silent", .where = "both", .answer = silence, .lies = true, .about = "no reply"},
    {.name = "late", .where = "both", .answer = late, .about = "each reply comes behind its deadline"},
    {.name = "doubled", .where = "both", .answer = doubled, .works = true, .about = "each reply comes twice"},
    {.name = "unasked", .where = "both", .answer = unasked, .lies = true, .about = "a flood of replies to calls that nobody made"},
    {.name = "ahead", .where = "udp", .answer = ahead, .about = "replies to the next calls, before they are made"},
    {.name = "garbled", .where = "both", .answer = garbled, .about = "replies with bytes changed, or cut"},
    {.name = "garbage", .where = "both", .answer = garbage, .lies = true, .about = "random bytes"},
    {.name = "huge-lengths", .where = "all", .answer = huge, .lies = true, .about = "headers that claim up to 4 GB, then a byte now and then"},
    {.name = "endless", .where = "all", .answer = endless, .lies = true, .about = "fragments without a last one"},
    {.name = "drip", .where = "all", .answer = drip, .lies = true, .about = "replies that come byte by byte"},
    {.name = "half", .where = "all", .answer = half, .about = "a part of a reply, then the end"},
    {.name = "hang-up", .where = "all", .answer = hang_up, .lies = true, .about = "the end, or a reset, instead of a reply"},
    {.name = "never-reads", .where = "all", .deeds = SEND_MUCH, .deaf = true, .lies = true, .about = "a request of 60 MB to a server that does not read"},
    {.name = "slow-reader", .where = "all", .deeds = SEND_MUCH, .deaf = true, .sips = true, .lies = true, .about = "the same, where some is read now and then"},
    {.name = "shared", .where = "plain", .deeds = TOGETHER, .deaf = true, .lies = true, .about = "eight threads share a connection on which one sends 60 MB that are not read"},
    {.name = "shared-corba", .where = "corba", .deeds = TOGETHER, .deaf = true, .lies = true, .about = "the same by the C mapping"},
    {.name = "never-accepts", .where = "all", .closed = true, .lies = true, .about = "a server that takes no connections"},
    {.name = "small-fragments", .where = "all", .answer = small_fragments, .deeds = GET_MUCH, .works = true, .about = "16 MB in fragments of 100, 1000 and 9000 bytes"},
    {.name = "silent-names", .where = "plain", .deeds = NAMED_HOST, .lies = true, .about = "a name server that does not answer"},
    {.name = "silent-rpcbind", .where = "onc-plain", .answer = silence, .deeds = NO_PORT, .lies = true, .about = "an rpcbind that does not answer"},
    {.name = "deaf-rpcbind", .where = "onc-plain", .deeds = NO_PORT, .closed = true, .lies = true, .about = "an rpcbind that accepts no connections"},
    {.name = NULL},
};
