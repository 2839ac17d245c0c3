/* SPDX-License-Identifier: MIT-0 */
/* Calls of many kinds, for others to look at: judge_peers PORT, the same port for TCP and UDP. */
#include "scripted.h"
#include <unistd.h>

/* Whoever looks on knows by it that it has seen all before it. */
static void last_words(const char *address)
{
    struct whittle_onc_client *const client = client_of(address, NULL);
    char *got = NULL;
    GOOD(sample_echo(client, "nothing comes behind this", &got));
    free(got);
    whittle_onc_client_close(client);
}

/* A call of a version of RPC that nobody understands. */
static void another_rpc(const char *address)
{
    uint32_t words[16];
    char call[100];
    const int fd = peer_connect(address);
    const size_t size = peer_call(call, 33, SAMPLE_NOTHING, NULL, 0);
    whittle_put32(call + 12, 3);
    scripted_write(fd, call, size);
    CHECK(peer_read(fd, words, 16) == 6 && words[3] == 0 && words[4] == 2 && words[5] == 2);
    close(fd);
}

static void calls(const char *address, const struct whittle_onc_client_options *options, bool streams)
{
    static char bytes[200000];
    struct whittle_onc_client *const client = client_of(address, options);
    struct whittle_onc_call calls[20];
    struct whittle_onc_call call;
    char *got = NULL;
    uint32_t count;
    int32_t sum;
    const uint32_t most = streams ? sizeof bytes : 5000;
    for (uint32_t index = 0; index < sizeof bytes; index++)
        bytes[index] = (char)(index % 251);
    GOOD(sample_nothing(client));
    GOOD(sample_add(client, 1, 2, &sum));
    GOOD(sample_upload(client, bytes, most, &count));
    GOOD(sample_download(client, most, &got, &count));
    free(got);
    GOOD(sample_echo(client, "good morning", &got));
    free(got);
    for (int status = WHITTLE_ONC_PROGRAM_UNAVAILABLE; status >= WHITTLE_ONC_SYSTEM_ERROR; status--)
        sample_fail(client, status);
    for (int reason = 1; reason <= 7; reason++)
        IS(sample_fail(client, WHITTLE_ONC_AUTH_FAILED_SO - reason), WHITTLE_ONC_AUTH_FAILED_SO - reason);
    whittle_onc_exchange(&call, whittle_onc_begin(&call, client, SAMPLE_PROGRAM, 7, 0));
    IS(whittle_onc_end(&call, NULL), WHITTLE_ONC_PROGRAM_MISMATCH);
    for (int32_t index = 0; index < 20; index++)
        GOOD(sample_add_begin(&calls[index], client, index, 1));
    for (int32_t index = 0; index < 20; index++)
        GOOD(sample_add_end(&calls[index], &sum));
    whittle_onc_client_close(client);
}

int main(int count, char **arguments)
{
    static const uint32_t groups[3] = {5, 6, 7};
    const struct whittle_onc_identity identity = {1, "here", 4711, 12, 3, groups};
    const struct whittle_onc_client_options all[] = {{.longest = 0}, {.system = true, .identity = &identity}, {.fragment = 1000}};
    char tcp[64], udp[64];
    struct running running;
    CHECK(count > 1);
    snprintf(tcp, sizeof tcp, "tcp://127.0.0.1:%s", arguments[1]);
    snprintf(udp, sizeof udp, "udp://127.0.0.1:%s", arguments[1]);
    const char *const addresses[] = {tcp, udp, NULL};
    for (uint32_t fragment = 0; fragment <= 3000; fragment += 3000) {
        const struct whittle_onc_server_options options = {.fragment = fragment};
        running_open(&running, &options, addresses);
        for (int index = 0; index < 3; index++)
            calls(tcp, &all[index], true);
        for (int index = 0; index < 2; index++)
            calls(udp, &all[index], false);
        if (fragment == 0)
            another_rpc(tcp);
        else
            last_words(tcp);
        running_close(&running);
    }
    return 0;
}
