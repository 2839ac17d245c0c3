/* server ADDRESS: keeps what thermometers report. It prints where it listens: for tcp://127.0.0.1 on any free port. */
#include "station.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEPT 100

static struct reading kept[KEPT];
static uint32_t count;
static struct whittle_onc_server *server;

/* The arguments are valid until this returns: what is kept is a copy. */
static int report(void *context, const struct reading *given)
{
    (void)context;
    char *place = strdup(given->place);
    if (place == NULL || count == KEPT) {
        free(place);
        return -1;
    }
    kept[count++] = (struct reading){.place = place, .tenths = given->tenths};
    return 0;
}

/* The run time frees the result after it has sent it. */
static int warmer(void *context, int32_t tenths, struct readings *result)
{
    (void)context;
    result->items = calloc(KEPT, sizeof *result->items);
    if (result->items == NULL)
        return -1;
    for (uint32_t i = 0; i < count; i++)
        if (kept[i].tenths > tenths) {
            struct reading *found = &result->items[result->length++];
            found->tenths = kept[i].tenths;
            found->place = strdup(kept[i].place);
            if (found->place == NULL)
                return -1;
        }
    return 0;
}

static const struct station_operations operations = {.report = report, .warmer = warmer};

static void stop(int number)
{
    (void)number;
    whittle_onc_server_stop(server);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: server ADDRESS, such as tcp://127.0.0.1\n");
        return 2;
    }
    server = whittle_onc_server_new(NULL);
    int status = station_serve(server, &operations, NULL);
    if (status == 0)
        status = whittle_onc_server_listen(server, argv[1]);
    signal(SIGTERM, stop);
    if (status == 0) {
        puts(whittle_onc_server_address(server, 0));
        fflush(stdout);
        status = whittle_onc_server_run(server);
    }
    if (status != 0)
        fprintf(stderr, "%s: %s\n", argv[1], whittle_onc_text(status));
    whittle_onc_server_free(server);
    while (count > 0)
        free(kept[--count].place);
    return status != 0;
}
