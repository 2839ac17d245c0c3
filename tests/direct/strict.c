/*
 * strict.x, both sides in one program: without arguments it serves, with an address it calls, and says the last word. Made without strict.pres it
 * sends whatever there is (`loose`); who has the presentation takes no color that is none, and any mood.
 */
#include <stdlib.h>
#include <string.h>
#include "strict.h"
#include "carrier.h"
#include "expect.h"

static int echo(void *context, const struct boths *argument, struct boths *result)
{
    (void)context;
    *result = (struct boths){argument->length, calloc(argument->length, sizeof *result->items)};
    memcpy(result->items, argument->items, argument->length * sizeof *result->items);
    return 0;
}
static int paint(void *context, const struct colors *argument, struct colors *result)
{
    (void)context;
    *result = (struct colors){argument->length, calloc(argument->length, sizeof *result->items)};
    memcpy(result->items, argument->items, argument->length * sizeof *result->items);
    return 0;
}
static int pick(void *context, const struct picked *argument, struct picked *result) { return (void)context, *result = *argument, 0; }
static int hue(void *context, int32_t argument, enum color *result) { return (void)context, *result = (enum color)argument, 0; }
static int feel(void *context, int32_t argument, enum mood *result)
{
    if (argument < 0)
        CARRIER(server_stop)(context);
    *result = (enum mood)argument;
    return 0;
}
static const struct strict_operations operations = {.echo = echo, .paint = paint, .pick = pick, .hue = hue, .feel = feel};

static int serve(void)
{
    struct CARRIER(server) *const server = CARRIER(server_new)(NULL);
    if (strict_serve(server, &operations, server) != 0 || CARRIER(server_listen)(server, "tcp://127.0.0.1") != 0)
        return 1;
    puts(ADDRESS(server, 0));
    fflush(stdout);
    const int status = CARRIER(server_run)(server);
    CARRIER(server_free)(server);
    return status != 0;
}

static void send(struct CARRIER(client) *client, enum color color, enum mood mood, int expected)
{
    struct both both[3] = {{RED, GLAD}, {color, mood}, {BLUE, SAD}};
    struct boths sent = {3, both}, boths;
    EXPECT(strict_echo(client, &sent, &boths) == expected && (expected != 0 || memcmp(boths.items, both, sizeof both) == 0));
    boths_free(&boths);
    enum color many[3] = {GREEN, RED, color};
    struct colors colors;
    EXPECT(strict_paint(client, &(struct colors){3, many}, &colors) == expected && (expected != 0 || colors.items[2] == color));
    colors_free(&colors);
    struct picked picked = {.kind = color};
    EXPECT(strict_pick(client, &picked, &picked) == expected);
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return serve();
    const bool is_loose = argc > 2;
    int const refused = is_loose ? BAD_REQUEST : CANNOT_MARSHAL;
    struct CARRIER(client) *const client = CARRIER(client_open)(argv[1], NULL, NULL);
    enum color color;
    enum mood mood;
    send(client, BLUE, GLAD, 0);
    send(client, BLUE, (enum mood)9, 0);
    send(client, (enum color)0, SAD, refused);
    send(client, (enum color)6, SAD, refused);
    EXPECT(strict_hue(client, GREEN, &color) == 0 && color == GREEN);
    EXPECT(strict_hue(client, 6, &color) == (is_loose ? UNWRITTEN : BAD_RESULTS));
    EXPECT(strict_feel(client, 6, &mood) == 0 && (int)mood == 6);
    EXPECT(strict_feel(client, -1, &mood) == 0);
    CARRIER(client_close)(client);
    return failures == 0 ? 0 : 1;
}
