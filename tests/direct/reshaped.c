/* reshaped.idl as reshaped.pres has it, both sides in one program, over the address it is given. Sanitizers look on. */
#include "reshaped.h"
#include "carrier.h"
#include "expect.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_text(const struct whittle_text *text, const char *with, uint32_t length)
{
    return text->length == length && (length == 0 || memcmp(text->items, with, length) == 0);
}

static struct whittle_text text_of(const char *with, uint32_t length)
{
    struct whittle_text text = {length, length == 0 ? NULL : malloc(length)};
    if (length > 0)
        memcpy(text.items, with, length);
    return text;
}

static struct whittle_text label;
static volatile uint32_t dropped;

static int get_label(void *context, struct whittle_text *result)
{
    (void)context;
    *result = text_of(label.items, label.length);
    return 0;
}

static int set_label(void *context, const char *value, uint32_t value_length)
{
    (void)context;
    whittle_text_free(&label);
    label = text_of(value, value_length);
    return 0;
}

static int drop(void *context, const char *letter, uint32_t letter_length)
{
    (void)context;
    if (letter_length == 6 && memcmp(letter, "le" ZERO "ter", 6) == 0)
        dropped++;
    return 0;
}

/* Turns the text round, counts the number up, forgets the first mark; refuses an empty text. */
static int exchange(void *context, struct whittle_text *text, char *number, struct Post_Marks *given, struct whittle_text *result,
                    union office_exchange_exceptions *exceptions)
{
    (void)context;
    if (text->length == 0) {
        exceptions->post_refused.why = text_of("no text", 7);
        memcpy(exceptions->post_refused.number, number, sizeof(Post_Code));
        exceptions->post_refused.given = *given;
        return office_exchange_raises_post_refused;
    }
    *result = text_of(text->items, text->length);
    struct whittle_text turned = text_of(text->items, text->length);
    for (uint32_t i = 0; i < turned.length; i++)
        turned.items[i] = text->items[text->length - 1 - i];
    whittle_text_free(text);
    *text = turned;
    number[0]++;
    memmove(given->items, given->items + 1, 3 * sizeof *given->items);
    given->length--;
    return 0;
}

static int take(void *context, const struct Post_Marks *given, const uint8_t *bytes, uint32_t bytes_length, struct whittle_text *all,
                struct Post_Office_take_parts *parts)
{
    (void)context;
    if (bytes_length == 0)
        return -1;
    *all = text_of((const char *)bytes, bytes_length);
    parts->length = given->length;
    parts->items = calloc(given->length + 1, sizeof *parts->items);
    for (uint32_t i = 0; i < given->length; i++)
        parts->items[i] = text_of((const char *)bytes, (uint32_t)given->items[i]);
    return 0;
}

static const struct office_operations operations = {get_label, set_label, drop, exchange, take};

static void exchange_texts(struct CARRIER(client) *client)
{
    struct whittle_text text = text_of("a" ZERO "bc", 4), result;
    Post_Code number = "7 of 9";
    struct Post_Marks given = {3, {5, 6, 7}};
    union office_exchange_exceptions exceptions;
    EXPECT(office_exchange(client, &text, number, &given, &result, &exceptions) == 0);
    EXPECT(is_text(&text, "cb" ZERO "a", 4) && is_text(&result, "a" ZERO "bc", 4) && strcmp(number, "8 of 9") == 0);
    EXPECT(given.length == 2 && given.items[0] == 6 && given.items[1] == 7);
    whittle_text_free(&result);
    whittle_text_free(&text);
    /* Refused, and what was there before is there still. */
    EXPECT(office_exchange(client, &text, number, &given, &result, &exceptions) == office_exchange_raises_post_refused);
    EXPECT(is_text(&exceptions.post_refused.why, "no text", 7) && strcmp(exceptions.post_refused.number, "8 of 9") == 0);
    EXPECT(exceptions.post_refused.given.length == 2 && exceptions.post_refused.given.items[1] == 7 && result.length == 0);
    post_refused_free(&exceptions.post_refused);
    EXPECT(office_exchange(client, &text, number, &given, &result, NULL) == office_exchange_raises_post_refused);
    memset(number, 'x', sizeof number);
    EXPECT(office_exchange(client, &text, number, &given, &result, &exceptions) == CANNOT_MARSHAL);
}

static void lend(struct CARRIER(client) *client)
{
    struct Post_Marks given = {4, {0, 1, 5, 9}};
    struct whittle_text all;
    struct Post_Office_take_parts parts;
    struct CARRIER(reply) *replies[20];
    struct whittle_text kept[20];
    for (int i = 0; i < 20; i++) {
        uint8_t bytes[9] = {'a', 'b', (uint8_t)ZERO[0], 'd', 'e', 'f', 'g', 'h', (uint8_t)(i + 1)};
        EXPECT(office_take(client, &given, bytes, 9, &all, &parts, &replies[i]) == 0);
        EXPECT(is_text(&all, (const char *)bytes, 9) && parts.length == 4);
        for (uint32_t part = 0; part < 4; part++)
            EXPECT(is_text(&parts.items[part], (const char *)bytes, (uint32_t)given.items[part]));
        kept[i] = parts.items[3];
    }
    for (int i = 0; i < 20; i++) {
        EXPECT(kept[i].length == 9 && kept[i].items[8] == i + 1);
        CARRIER(reply_free)(replies[i]);
    }
    EXPECT(office_take(client, &given, NULL, 0, &all, &parts, replies) == FAILED);
    EXPECT(replies[0] == NULL && all.items == NULL && parts.items == NULL);
    EXPECT(office_take(client, &given, NULL, 1, &all, &parts, replies) == CANNOT_MARSHAL && replies[0] == NULL);
}

static void *serving(void *server)
{
    CARRIER(server_run)(server);
    return NULL;
}

int main(int argc, char **argv)
{
    struct CARRIER(server) *const server = CARRIER(server_new)(NULL);
    if (argc < 2 || office_serve(server, &operations, NULL) != 0 || CARRIER(server_listen)(server, argv[1]) != 0)
        return 1;
    pthread_t thread;
    pthread_create(&thread, NULL, serving, server);
    struct CARRIER(client) *const client = CARRIER(client_open)(ADDRESS(server, 0), NULL, NULL);
    struct whittle_text got;
    EXPECT(office_set_label(client, "lab" ZERO "el", 6) == 0);
    EXPECT(office_get_label(client, &got) == 0 && is_text(&got, "lab" ZERO "el", 6));
    whittle_text_free(&got);
    EXPECT(office_set_label(client, NULL, 0) == 0);
    EXPECT(office_get_label(client, &got) == 0 && got.length == 0);
    whittle_text_free(&got);
    EXPECT(office_drop(client, "le" ZERO "ter", 6) == 0);
    exchange_texts(client);
    lend(client);
    EXPECT(dropped == 1);
    CARRIER(client_close)(client);
    CARRIER(server_stop)(server);
    pthread_join(thread, NULL);
    CARRIER(server_free)(server);
    whittle_text_free(&label);
    return failures == 0 ? 0 : 1;
}
