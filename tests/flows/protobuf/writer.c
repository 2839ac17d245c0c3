/*
 * Writes an edge's packets over NATS with what protoc-c made of reading.proto, in place of its sender: 100 of them, then two that are no
 * reading, and the end. Who writes has the flow's key: docs/flow-handshake.md says what a message says of itself.
 */
#include "reading.pb-c.h"
#include <endian.h>
#include <nats/nats.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { READINGS = 100, KEY = 32, TAG = 16 };

static const unsigned long long run = 4711, began = 1;

/* HMAC-SHA256 over the purpose, and the two pieces behind their lengths; half of it, in digits. */
static void mark(const uint8_t key[KEY], const char *subject, const char *head, const uint8_t *body, size_t length, char digits[2 * TAG + 1])
{
    uint8_t said[2048], tag[EVP_MAX_MD_SIZE];
    char text[512];
    size_t at = 32;
    memset(said, 0, at);
    memcpy(said, "whittle flow: message", 21);
    const size_t text_length = (size_t)snprintf(text, sizeof text, "%s\n%s\n", subject, head);
    const uint64_t lengths[2] = {htole64(text_length), htole64(length)};
    memcpy(said + at, &lengths[0], 8), at += 8;
    memcpy(said + at, text, text_length), at += text_length;
    memcpy(said + at, &lengths[1], 8), at += 8;
    if (length > 0)
        memcpy(said + at, body, length), at += length;
    HMAC(EVP_sha256(), key, KEY, said, at, tag, NULL);
    for (int n = 0; n < TAG; n++)
        snprintf(digits + 2 * n, 3, "%02x", tag[n]);
}

/* The key of the flow's folder, which its receiver makes. */
static bool read_key(const char *file, uint8_t key[KEY])
{
    char digits[2 * KEY + 1] = "", byte[3] = "";
    FILE *opened = NULL;
    for (int n = 0; n < 6000 && (opened = fopen(file, "r")) == NULL; n++)
        usleep(10000);
    if (opened == NULL || fread(digits, 1, 2 * KEY, opened) != 2 * KEY)
        return false;
    fclose(opened);
    for (int n = 0; n < KEY; n++) {
        memcpy(byte, digits + 2 * n, 2);
        key[n] = (uint8_t)strtoul(byte, NULL, 16);
    }
    return true;
}

static bool publish(jsCtx *js, const uint8_t key[KEY], const char *subject, unsigned number, const uint8_t *body, size_t length, bool is_end)
{
    char head[128], tag[2 * TAG + 1], id[96], text[24];
    natsMsg *message = NULL;
    natsStatus status = NATS_ERR;
    snprintf(head, sizeof head, "%016llx-%u 0 %llu %d", run, number, began, is_end);
    mark(key, subject, head, body, length, tag);
    snprintf(id, sizeof id, "%016llx-%u-%s", run, number, tag);
    snprintf(text, sizeof text, "%llu", began);
    if (natsMsg_Create(&message, subject, NULL, (const char *)body, (int)length) != NATS_OK || natsMsgHeader_Set(message, "Nats-Msg-Id", id) != NATS_OK
        || natsMsgHeader_Set(message, "Whittle-Began", text) != NATS_OK || (is_end && natsMsgHeader_Set(message, "Whittle-End", "1") != NATS_OK))
        return false;
    /* The receiver makes the stream. */
    for (int n = 0; n < 600 && (status = js_PublishMsg(NULL, js, message, NULL, NULL)) != NATS_OK; n++)
        usleep(100000);
    natsMsg_Destroy(message);
    return status == NATS_OK;
}

static size_t write_reading(unsigned at, uint8_t *bytes)
{
    Reading reading = READING__INIT;
    Point points[3], *where[3];
    int32_t history[5];
    char place[21];
    uint8_t data[40];
    if (at == 0)
        return reading__pack(&reading, bytes);
    reading.number = at;
    reading.level = -(int32_t)at;
    reading.good = at % 2 == 0;
    snprintf(place, sizeof place, "station %u", at % 7);
    reading.place = place;
    for (unsigned n = 0; n < at % 4; n++) {
        point__init(&points[n]);
        points[n].x = (float)n + 0.5f;
        points[n].y = at + 0.25;
        where[n] = &points[n];
    }
    reading.where = where, reading.n_where = at % 4;
    memset(data, (int)(at % 256), at % 41);
    reading.bytes.data = data, reading.bytes.len = at % 41;
    reading.time = 1000000000000 + at;
    for (unsigned n = 0; n < at % 6; n++)
        history[n] = -(int32_t)(at * n);
    reading.history = history, reading.n_history = at % 6;
    return reading__pack(&reading, bytes);
}

int main(int count, char **arguments)
{
    natsConnection *connection = NULL;
    jsCtx *js = NULL;
    uint8_t key[KEY], bytes[1024];
    char digits[2 * TAG + 1], subject[128];
    bool done = count == 2 && read_key(arguments[1], key) && natsConnection_ConnectTo(&connection, getenv("NATS_URL")) == NATS_OK
        && natsConnection_JetStream(&js, connection, NULL) == NATS_OK;
    if (!done)
        return 2;
    mark(key, "whittle", "weather", NULL, 0, digits);
    snprintf(subject, sizeof subject, "whittle.weather.%.12s.0", digits);
    for (unsigned at = 0; at < READINGS && done; at++)
        done = publish(js, key, subject, at, bytes, write_reading(at, bytes), false);
    /* A text that is not UTF-8, and a message that is cut short. */
    done = done && publish(js, key, subject, READINGS, (const uint8_t *)"\x3a\x01\xff", 3, false)
        && publish(js, key, subject, READINGS + 1, (const uint8_t *)"\x3a\x05xy", 4, false) && publish(js, key, subject, READINGS + 2, NULL, 0, true);
    jsCtx_Destroy(js);
    natsConnection_Destroy(connection);
    nats_Close();
    return done ? 0 : 3;
}
