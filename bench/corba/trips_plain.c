/* Round trips through whittle's stubs in the plain style, over IIOP. */
#include "flick.h"
#include "trips.h"
#include <stdio.h>

static struct whittle_iiop_client *sink;

static void must(int status)
{
    if (status != 0)
        trips_failed(whittle_iiop_text(status));
}

static int nothing(void *context) { return (void)context, 0; }

static int put_ints(void *context, const struct flick_Ints *items)
{
    (void)context;
    if (items->items[items->length - 1] != trips_number(items->length - 1))
        trips_failed("other numbers came");
    return 0;
}

static const struct flick_Sink_operations operations = {.nothing = nothing, .put_ints = put_ints};

/* Its option is where to listen. */
void trips_serve(int argc, char **argv)
{
    struct whittle_iiop_server *const server = whittle_iiop_server_new(NULL);
    if (server == NULL)
        trips_failed("there is no memory for a server");
    must(flick_Sink_serve(server, &operations, NULL));
    must(whittle_iiop_server_listen(server, argc > 2 ? argv[2] : "127.0.0.1"));
    puts(whittle_iiop_server_reference(server, 0));
    fflush(stdout);
    must(whittle_iiop_server_run(server));
}

void trips_open(int argc, char **argv, const char *reference)
{
    (void)argc, (void)argv;
    int status = 0;
    sink = whittle_iiop_client_open(reference, NULL, &status);
    must(status);
}

void trips_nothing(void) { must(flick_Sink_nothing(sink)); }

void trips_ints(int32_t *numbers, uint32_t count)
{
    const struct flick_Ints items = {count, numbers};
    must(flick_Sink_put_ints(sink, &items));
}
