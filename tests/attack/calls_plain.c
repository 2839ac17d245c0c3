/* SPDX-License-Identifier: MIT-0 */
/* Calls of the server under attack by stubs in the plain style, over ONC RPC, with LINK_IIOP over IIOP, with LINK_TIRPC by a library. */
#include "attack.h"
#include "calls.h"
#include <stdlib.h>
#include <string.h>
#ifdef LINK_IIOP
#define CLIENT(name) whittle_iiop_client##name
#define TEXT whittle_iiop_text
#define TIMED_OUT WHITTLE_IIOP_TIMEOUT
#elif defined LINK_TIRPC
#define ATTACKED ATTACKED_PROGRAM
#define ATTACKED_1 ATTACKED_VERSION
#include "library.h"
#define TEXT whittle_tirpc_text
#define TIMED_OUT (-(int)RPC_TIMEDOUT)
#else
#define CLIENT(name) whittle_onc_client##name
#define TEXT whittle_onc_text
#define TIMED_OUT WHITTLE_ONC_TIMED_OUT
#endif

#ifdef LINK_TIRPC
struct calls {
    CLIENT *client;
};

struct calls *calls_open(const char *address, uint32_t timeout)
{
    struct calls *const calls = (struct calls *)calloc(1, sizeof *calls);
    if (calls != NULL)
        calls->client = library_open(address, timeout);
    if (calls != NULL && calls->client != NULL)
        return calls;
    free(calls);
    return NULL;
}

void calls_close(struct calls *calls)
{
    if (calls == NULL)
        return;
    clnt_destroy(calls->client);
    free(calls);
}
#else
struct calls {
    struct CLIENT() *client;
};

struct calls *calls_open(const char *address, uint32_t timeout)
{
    struct calls *const calls = (struct calls *)calloc(1, sizeof *calls);
    const struct CLIENT(_options) options = {.timeout = timeout};
    if (calls != NULL)
        calls->client = CLIENT(_open)(address, &options, NULL);
    if (calls != NULL && calls->client != NULL)
        return calls;
    free(calls);
    return NULL;
}

void calls_close(struct calls *calls)
{
    if (calls == NULL)
        return;
    CLIENT(_close)(calls->client);
    free(calls);
}
#endif

int calls_nothing(struct calls *calls)
{
    return attacked_nothing(calls->client);
}

int calls_echo(struct calls *calls, uint32_t size)
{
    struct blob sent = {size, (uint8_t *)malloc(size + 1)}, got = {0, NULL};
    if (sent.items == NULL)
        return -3;
    memset(sent.items, (int)(size % 251), size);
    int status = attacked_echo(calls->client, &sent, &got);
    if (status == 0 && (got.length != size || memcmp(got.items, sent.items, size) != 0))
        status = CALLS_WRONG;
    blob_free(&got);
    free(sent.items);
    return status;
}

int calls_large(struct calls *calls, uint32_t size)
{
    struct blob got = {0, NULL};
    int status = attacked_large(calls->client, size, &got);
    if (status == 0 && got.length != size)
        status = CALLS_WRONG;
    blob_free(&got);
    return status;
}

int calls_slow(struct calls *calls, uint32_t milliseconds)
{
    uint32_t result = 0;
    const int status = attacked_slow(calls->client, milliseconds, &result);
    return status == 0 && result != milliseconds ? CALLS_WRONG : status;
}

int calls_is_a(struct calls *calls)
{
#ifdef LINK_IIOP
    return whittle_iiop_client_is_a(calls->client, "IDL:Other/Than/It/Is:1.0");
#else
    (void)calls;
    return CALLS_ABSENT;
#endif
}

const char *calls_text(int status)
{
    return status == CALLS_WRONG ? "another result than is right" : TEXT(status);
}

bool calls_timed_out(int status)
{
    return status == TIMED_OUT;
}
