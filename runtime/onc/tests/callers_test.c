/* SPDX-License-Identifier: MIT-0 */
/* Who is served, and what others get: credentials good and bad, byte by byte, and by a judge of the server's own. */
#include "scripted.h"
#include <grp.h>
#include <unistd.h>

/* Words of a call behind its number, and of the reply behind its. */
static const struct asked {
    size_t count;
    uint32_t words[24];
    size_t reply_count;
    uint32_t reply[8];
} all_asked[] = {
    {9, {0, 2, SAMPLE_PROGRAM, 1, 0, 0, 0, 0, 0}, 5, {1, 0, 0, 0, 0}},
    {11, {0, 2, SAMPLE_PROGRAM, 1, 0, 0, 8, 1, 2, 0, 0}, 5, {1, 0, 0, 0, 0}},                           /* nobody, with a body */
    {10, {0, 2, SAMPLE_PROGRAM, 1, 0, 0, 0, 2, 4, 7}, 5, {1, 0, 0, 0, 0}},                              /* with a verifier */
    {14, {0, 2, SAMPLE_PROGRAM, 1, 0, 1, 20, 5, 0, 1, 2, 0, 0, 0}, 5, {1, 0, 0, 0, 0}},                 /* of the system */
    {13, {0, 2, SAMPLE_PROGRAM, 1, 0, 1, 16, 5, 0, 1, 2, 0, 0}, 4, {1, 1, 1, 1}},                       /* a word is missing */
    {14, {0, 2, SAMPLE_PROGRAM, 1, 0, 1, 20, 5, 0, 1, 2, 1, 0, 0}, 4, {1, 1, 1, 1}},                    /* a group is missing */
    {14, {0, 2, SAMPLE_PROGRAM, 1, 0, 1, 20, 5, 0, 1, 2, 17, 0, 0}, 4, {1, 1, 1, 1}},                   /* too many */
    {14, {0, 2, SAMPLE_PROGRAM, 1, 0, 1, 20, 5, 256, 1, 2, 0, 0, 0}, 4, {1, 1, 1, 1}},                  /* too long a name */
    {9, {0, 2, SAMPLE_PROGRAM, 1, 0, 1, 0, 0, 0}, 4, {1, 1, 1, 1}},
    {9, {0, 2, SAMPLE_PROGRAM, 1, 0, 6, 0, 0, 0}, 4, {1, 1, 1, 2}},                                     /* RPCSEC_GSS */
    {9, {0, 2, SAMPLE_PROGRAM, 1, 0, 0, 404, 0, 0}, 4, {1, 1, 1, 1}},
    {9, {0, 2, SAMPLE_PROGRAM, 1, 0, 0, 8, 0, 0}, 4, {1, 1, 1, 1}},                                     /* its body is not there */
    {9, {0, 2, SAMPLE_PROGRAM, 1, 0, 0, 0, 0, 404}, 4, {1, 1, 1, 3}},
    {9, {0, 2, SAMPLE_PROGRAM, 1, 0, 0, 0, 0, 4}, 4, {1, 1, 1, 3}},
    {9, {0, 3, SAMPLE_PROGRAM, 1, 0, 0, 0, 0, 0}, 5, {1, 1, 0, 2, 2}},                                  /* another RPC */
    {2, {0, 0}, 5, {1, 1, 0, 2, 2}},
    {9, {0, 2, SAMPLE_PROGRAM, 0, 0, 0, 0, 0, 0}, 7, {1, 0, 0, 0, 2, 1, 1}},
    {9, {0, 2, SAMPLE_PROGRAM, 2, 0, 0, 0, 0, 0}, 7, {1, 0, 0, 0, 2, 1, 1}},
    {9, {0, 2, SAMPLE_PROGRAM + 1, 1, 0, 0, 0, 0, 0}, 5, {1, 0, 0, 0, 1}},
    {9, {0, 2, SAMPLE_PROGRAM, 1, 99, 0, 0, 0, 0}, 5, {1, 0, 0, 0, 3}},
    {10, {0, 2, SAMPLE_PROGRAM, 1, SAMPLE_ADD, 0, 0, 0, 0, 0}, 5, {1, 0, 0, 0, 4}},
    {10, {0, 2, SAMPLE_PROGRAM, 1, SAMPLE_FAIL, 0, 0, 0, 0, 0xfffffc00}, 5, {1, 0, 0, 0, 5}},
};

static void every_word(const char *address)
{
    const int fd = peer_connect(address);
    for (size_t index = 0; index < sizeof all_asked / sizeof all_asked[0]; index++) {
        const struct asked *const asked = &all_asked[index];
        uint32_t words[25] = {(uint32_t)(5000 + index)}, reply[16];
        memcpy(words + 1, asked->words, 4 * asked->count);
        scripted_say(fd, words, asked->count + 1);
        const size_t count = peer_read(fd, reply, 16);
        if (count != asked->reply_count + 1 || reply[0] != words[0] || memcmp(reply + 1, asked->reply, 4 * asked->reply_count) != 0)
            fprintf(stderr, "question %zu has another answer\n", index);
        CHECK(count == asked->reply_count + 1 && reply[0] == words[0]);
        CHECK(memcmp(reply + 1, asked->reply, 4 * asked->reply_count) == 0);
    }
    close(fd);
}

/* Serves one user, and says of others what their number says. */
static uint32_t judge(void *context, const struct whittle_onc_caller *caller)
{
    CHECK(strcmp((const char *)context, "mine") == 0 && caller->address != NULL && caller->program == SAMPLE_PROGRAM);
    if (caller->flavor != 1)
        return 5;
    if (caller->identity.uid != 4711)
        return caller->identity.uid;
    CHECK(strcmp(caller->identity.machine, "here") == 0 && caller->identity.group_count == 2 && caller->identity.groups[1] == 9);
    return 0;
}

static void judged(const char *address)
{
    static const uint32_t groups[2] = {8, 9};
    struct whittle_onc_identity identity = {1, "here", 4711, 12, 2, groups};
    const struct whittle_onc_client_options system = {.system = true, .identity = &identity};
    struct whittle_onc_client *client = client_of(address, NULL);
    uint32_t user;
    IS(sample_nothing(client), WHITTLE_ONC_AUTH_TOO_WEAK);
    whittle_onc_client_close(client);
    client = client_of(address, &system);
    GOOD(sample_who(client, &user));
    CHECK(user == 1004711);
    whittle_onc_client_close(client);
    for (uint32_t reason = 1; reason <= 14; reason++) {
        identity.uid = reason;
        client = client_of(address, &system);
        IS(sample_nothing(client), WHITTLE_ONC_AUTH_FAILED_SO - (int)reason);
        whittle_onc_client_close(client);
    }
}

/* Sixteen are sent, whatever the number; only root may have many. */
static uint32_t sixteen(void *context, const struct whittle_onc_caller *caller)
{
    const int all = getgroups(0, NULL);
    (void)context;
    CHECK(caller->identity.group_count == (uint32_t)(all < 16 ? all : 16));
    for (uint32_t index = 0; geteuid() == 0 && index < 16; index++)
        CHECK(caller->identity.groups[index] == 100 + index);
    return 0;
}

static void many_groups(void)
{
    static const char *const addresses[] = {"tcp://127.0.0.1", NULL};
    const struct whittle_onc_server_options options = {.authenticate = sixteen};
    const struct whittle_onc_client_options system = {.system = true};
    struct running running;
    gid_t groups[300];
    for (gid_t index = 0; index < 300; index++)
        groups[index] = 100 + index;
    CHECK(geteuid() != 0 || setgroups(300, groups) == 0);
    running_open(&running, &options, addresses);
    struct whittle_onc_client *const client = client_of(running_at(&running, "tcp"), &system);
    GOOD(sample_nothing(client));
    whittle_onc_client_close(client);
    running_close(&running);
}

int main(void)
{
    static const char *const addresses[] = {"tcp://127.0.0.1", "udp://127.0.0.1", "unix:@whittle-callers-test", NULL};
    static char context[] = "mine";
    const struct whittle_onc_server_options mine = {.authenticate = judge, .context = context};
    struct running running;
    CHECK(whittle_onc_caller() == NULL);
    running_open(&running, NULL, addresses);
    every_word(running_at(&running, "tcp"));
    running_close(&running);
    running_open(&running, &mine, addresses);
    judged(running_at(&running, "tcp"));
    judged(running_at(&running, "udp"));
    judged(running_at(&running, "unix"));
    running_close(&running);
    many_groups();
    return 0;
}
