/* SPDX-License-Identifier: MIT-0 */
/* Requests read and replies made by hand, for hostile servers. In: bytes of a connection. Out: bytes. */
#include "hostile.h"
#include <poll.h>
#include <string.h>

static uint32_t word_at(const uint8_t *bytes, bool little)
{
    return little ? (uint32_t)bytes[3] << 24 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[1] << 8 | bytes[0]
                  : (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static bool read_all(int fd, void *bytes, size_t size)
{
    for (size_t at = 0; at < size;) {
        const ssize_t got = recv(fd, (char *)bytes + at, size - at, 0);
        if (got <= 0)
            return false;
        at += (size_t)got;
    }
    return true;
}

static bool parse_giop(struct talk *talk, const uint8_t *bytes, size_t size)
{
    static const char *const names[] = {"NOTHING", "ECHO", "WORDS", "LARGE", "SLOW", "PARTS", "TITLES"};
    const bool little = (bytes[6] & 1) != 0;
    talk->locate = bytes[7] == 3;
    talk->procedure = NOTHING;
    if (size < 32)
        return size >= 12;
    talk->id = word_at(bytes + 12, little);
    if (bytes[7] != 0)
        return true;
    size_t at = 12 + 12 + 4 + (word_at(bytes + 24, little) + 3) / 4 * 4;
    const uint32_t length = word_at(bytes + at, little);
    for (int index = 0; index < 6; index++)
        if (strncmp((const char *)bytes + at + 4, names[index], length) == 0)
            talk->procedure = (enum procedure)index;
    at += 4 + (length + 3) / 4 * 4;
    for (uint32_t count = word_at(bytes + at, little), begin = (uint32_t)(at += 4); count > 0 && begin < size; count--)
        at += 8 + (word_at(bytes + at + 4, little) + 3) / 4 * 4;
    at = (at + 7) / 8 * 8;
    if (at + 4 > size)
        return true;
    bytes_word(&talk->arguments, word_at(bytes + at, little));     /* what replies hold is big-endian */
    bytes_add(&talk->arguments, bytes + at + 4, size - at - 4);
    return true;
}

bool request_parse(struct talk *talk, const uint8_t *bytes, size_t size)
{
    talk->arguments.size = 0;
    if (aim.giop)
        return parse_giop(talk, bytes, size);
    if (size < 40)
        return false;
    talk->id = word_at(bytes, false);
    talk->procedure = (enum procedure)(word_at(bytes + 20, false) % 6);
    const size_t at = 24 + 8 + word_at(bytes + 28, false) + 8;
    if (at < size)
        bytes_add(&talk->arguments, bytes + at, size - at);
    return true;
}

bool request_read(struct talk *talk)
{
    uint8_t head[12];
    struct bytes bytes = {NULL, 0, 0};
    bool right = read_all(talk->fd, head, aim.giop ? 12 : 4);
    if (right && aim.giop) {
        const uint32_t size = word_at(head + 8, (head[6] & 1) != 0);
        bytes_add(&bytes, head, 12);
        bytes_zeros(&bytes, size);
        right = read_all(talk->fd, bytes.at + 12, size);
    }
    while (right && !aim.giop) {
        const uint32_t mark = word_at(head, false), size = mark & 0x7fffffff;
        const size_t at = bytes.size;
        bytes_zeros(&bytes, size);
        right = read_all(talk->fd, bytes.at + at, size);
        if (!right || mark >> 31 != 0)
            break;
        right = read_all(talk->fd, head, 4);
    }
    right = right && request_parse(talk, bytes.at, bytes.size);
    bytes_free(&bytes);
    return right;
}

void reply_make(struct bytes *bytes, const struct talk *talk, uint32_t id, const void *results, size_t size)
{
    const size_t begin = bytes->size;
    if (aim.giop) {
        giop_message(bytes, 2, 0, talk->locate ? 4 : 1, 0, NULL, 0);
        bytes_word(bytes, id);
        bytes_word(bytes, talk->locate ? 1 : 0);
        if (!talk->locate)
            bytes_word(bytes, 0);
        if (!talk->locate && size > 0)
            bytes_add(bytes, results, size);
    } else {
        if (talk->from == NULL)
            bytes_word(bytes, 0);
        bytes_word(bytes, id);
        bytes_word(bytes, 1);
        bytes_zeros(bytes, 16);
        if (size > 0)
            bytes_add(bytes, results, size);
    }
    request_end(bytes, begin);
}

void reply_honest(struct bytes *bytes, const struct talk *talk)
{
    struct bytes results = {NULL, 0, 0};
    switch (talk->procedure) {
    case LARGE:
        bytes_word(&results, GOT);
        bytes_zeros(&results, GOT);
        break;
    case NOTHING:
        break;
    default:
        bytes_add(&results, talk->arguments.at, talk->arguments.size);
    }
    reply_make(bytes, talk, talk->id, results.at, results.size);
    bytes_free(&results);
}

void reply_forward(struct bytes *bytes, const struct talk *talk, const char *host, uint16_t port)
{
    const size_t begin = bytes->size;
    struct bytes body = {NULL, 0, 0};
    const uint8_t version[4] = {0, 1, 2, 0}, two[2] = {(uint8_t)(port >> 8), (uint8_t)port};
    bytes_add(&body, version, 4);
    bytes_word(&body, (uint32_t)strlen(host) + 1);
    bytes_add(&body, host, strlen(host) + 1);
    while (body.size % 2 != 0)
        bytes_zeros(&body, 1);
    bytes_add(&body, two, 2);
    while (body.size % 4 != 0)
        bytes_zeros(&body, 1);
    bytes_word(&body, 8);
    bytes_add(&body, "attacked", 8);
    bytes_word(&body, 0);
    giop_message(bytes, 2, 0, talk->locate ? 4 : 1, 0, NULL, 0);
    bytes_word(bytes, talk->id);
    bytes_word(bytes, talk->locate ? 2 : 3);
    if (!talk->locate)
        bytes_word(bytes, 0);
    bytes_word(bytes, 1);
    bytes_zeros(bytes, 4);      /* a type without a name: one NUL, padded */
    bytes_word(bytes, 1);
    bytes_word(bytes, 0);
    bytes_word(bytes, (uint32_t)body.size);
    bytes_add(bytes, body.at, body.size);
    bytes_free(&body);
    request_end(bytes, begin);
}
