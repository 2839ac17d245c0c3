/* SPDX-License-Identifier: MIT-0 */
/* The server under attack in the plain style, over ONC RPC, with LINK_IIOP over IIOP, with LINK_TIRPC by a library. In: settings. Out: a server. */
#include "attack.h"
#include "procedures.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef LINK_IIOP
#define SERVER(name) whittle_iiop_server##name
#elif defined LINK_TIRPC
#define ATTACKED ATTACKED_PROGRAM
#define ATTACKED_1 ATTACKED_VERSION
#include "library.h"
#else
#define SERVER(name) whittle_onc_server##name
#endif

static int nothing(void *context)
{
    (void)context;
    procedure_served();
    return 0;
}

static int echo(void *context, const struct blob *argument, struct blob *result)
{
    (void)context;
    procedure_served();
    result->items = (uint8_t *)malloc(argument->length + 1);
    if (result->items == NULL)
        return -1;
    memcpy(result->items, argument->items, argument->length);
    result->length = argument->length;
    return 0;
}

static int words(void *context, const struct word_list *argument, struct word_list *result)
{
    (void)context;
    procedure_served();
    result->items = (uint32_t *)calloc(argument->length + 1, 4);
    if (result->items == NULL)
        return -1;
    memcpy(result->items, argument->items, 4 * (size_t)argument->length);
    result->length = argument->length;
    return 0;
}

static int large(void *context, uint32_t argument, struct blob *result)
{
    (void)context;
    procedure_served();
    argument = argument > LARGEST ? LARGEST : argument;
    result->items = (uint8_t *)malloc(argument + 1);
    if (result->items == NULL)
        return -1;
    procedure_fill(result->items, argument);
    result->length = argument;
    return 0;
}

static int slow(void *context, uint32_t argument, uint32_t *result)
{
    (void)context;
    procedure_served();
    *result = procedure_slow(argument);
    return 0;
}

static int parts(void *context, const struct part_list *argument, uint32_t *result)
{
    (void)context;
    procedure_served();
    *result = argument->length;
    return 0;
}

static int titles(void *context, const struct title_list *argument, uint32_t *result)
{
    (void)context;
    procedure_served();
    *result = argument->length;
    return 0;
}

static const struct attacked_operations operations = {nothing, echo, words, large, slow, parts, titles};

#ifdef LINK_TIRPC
static void stop(int number)
{
    (void)number;
    svc_exit();
}

int main(int argc, char **argv)
{
    const struct setting setting = setting_read(argc, argv);
    for (int index = 0; index < setting.link_count; index++) {
        char text[60];
        SVCXPRT *const transport = library_listen(setting.links[index], text);
        if (transport == NULL || attacked_serve(transport, &operations, NULL) != 0) {
            fprintf(stderr, "server: cannot be set up\n");
            return 1;
        }
        setting_address(text);
    }
    signal(SIGTERM, stop);
    setting_ready();
    svc_run();
    setting_end();
    return 0;
}
#else
static struct SERVER() *server;

static void stop(int number)
{
    (void)number;
    SERVER(_stop)(server);
}

static int failed(const char *what, int status)
{
#ifdef LINK_IIOP
    fprintf(stderr, "server: %s: %s\n", what, whittle_iiop_text(status));
#else
    fprintf(stderr, "server: %s: %s\n", what, whittle_onc_text(status));
#endif
    if (server != NULL)
        SERVER(_free)(server);
    return 1;
}

int main(int argc, char **argv)
{
    const struct setting setting = setting_read(argc, argv);
    struct SERVER(_options) options = {.workers = setting.workers, .patience = setting.patience};
#ifndef LINK_IIOP
    options.overtaking = setting.overtaking;
#endif
#if !defined LINK_IIOP || defined IIOP_MEMORY
    options.memory = setting.memory;
    options.grace = setting.grace;
#endif
    server = SERVER(_new)(&options);
    if (server == NULL)
        return failed("new", -1);
    int status = attacked_serve(server, &operations, NULL);
    for (int index = 0; status == 0 && index < setting.link_count; index++) {
        const char *const link = setting.links[index];
        status = SERVER(_listen)(server, strcmp(link, "tcp") == 0 ? "tcp://127.0.0.1:0" : strcmp(link, "udp") == 0 ? "udp://127.0.0.1:0" : link);
        if (status != 0)
            return failed(link, status);
#ifdef LINK_IIOP
        const char *const reference = SERVER(_reference)(server, 0);
        if (reference == NULL)
            return failed("reference", WHITTLE_IIOP_NO_MEMORY);
        setting_address(reference);
#else
        setting_address(SERVER(_address)(server, (size_t)index));
#endif
    }
    signal(SIGTERM, stop);
    setting_ready();
    if (status == 0)
        status = SERVER(_run)(server);
    setting_end();
    if (status != 0)
        return failed("run", status);
    SERVER(_free)(server);
    return 0;
}
#endif
