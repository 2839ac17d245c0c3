/* Calls the server of states.x at each address: in every way in which a call can be rejected, or accepted and not served (RFC 5531,
 * section 9), with what strange.x says of it and with what it is told to answer. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "states.h"
#include "strange.h"

static int failures;

static void is(const char *what, int status, int wanted)
{
    if (status == wanted)
        return;
    fprintf(stderr, "%s: %d, \"%s\", not %d\n", what, status, whittle_onc_text(status), wanted);
    failures++;
}
#define IS(call, wanted) is(#call, call, wanted)

static void versions_are(struct whittle_onc_client *client, uint32_t lowest, uint32_t highest)
{
    uint32_t low, high;
    whittle_onc_client_versions(client, &low, &high);
    if (low == lowest && high == highest)
        return;
    fprintf(stderr, "there are versions %u to %u\n", (unsigned)low, (unsigned)high);
    failures++;
}

/* What a server finds out itself. */
static void strange(struct whittle_onc_client *client)
{
    int32_t number = 0;
    IS(absent_nothing(client), WHITTLE_ONC_PROGRAM_UNAVAILABLE);
    IS(strange_7_nothing(client), WHITTLE_ONC_PROGRAM_MISMATCH);
    versions_are(client, 2, 3);
    IS(strange_2_gone(client), WHITTLE_ONC_PROCEDURE_UNAVAILABLE);
    IS(strange_2_twice(client, &number), WHITTLE_ONC_GARBAGE_ARGUMENTS);
}

/* What it is told to say; a function of ours cannot say that its program is not there in this version. */
static void told(struct whittle_onc_client *client, bool is_ours)
{
    for (int status = WHITTLE_ONC_RPC_MISMATCH; status >= WHITTLE_ONC_SYSTEM_ERROR; status--) {
        bool const has_versions = status == WHITTLE_ONC_RPC_MISMATCH || status == WHITTLE_ONC_PROGRAM_MISMATCH;
        is("fail", states_2_fail(client, status), is_ours && has_versions ? WHITTLE_ONC_SYSTEM_ERROR : status);
        if (!is_ours && has_versions)
            versions_are(client, status == WHITTLE_ONC_RPC_MISMATCH ? 2 : 5, status == WHITTLE_ONC_RPC_MISMATCH ? 2 : 6);
    }
    for (int reason = 0; reason < 15; reason++)
        is("fail", states_2_fail(client, WHITTLE_ONC_AUTH_FAILED_SO - reason), WHITTLE_ONC_AUTH_FAILED_SO - reason);
}

static void served(struct whittle_onc_client *client, uint32_t user)
{
    static uint8_t bytes[1024];
    struct netobj const all = {sizeof bytes, bytes}, more = {sizeof bytes + 1, bytes};
    struct netobj got;
    struct person person;
    int32_t number = 0;
    memset(bytes, 200, sizeof bytes);
    IS(states_2_nothing(client), 0);
    IS(states_2_twice(client, -21, &number), 0);
    IS(states_2_same(client, &all, &got), 0);
    if (number != -42 || got.length != sizeof bytes || memcmp(got.items, bytes, sizeof bytes) != 0)
        is("what was sent", 1, 0);
    netobj_free(&got);
    IS(states_2_same(client, &more, &got), WHITTLE_ONC_CANNOT_MARSHAL);
    IS(states_2_who(client, &person), 0);
    if (person.uid != user || person.groups.length != (user == 0 ? 0 : 3) || strcmp(person.machine, user == 0 ? "" : "here") != 0)
        is("who calls", 1, 0);
    person_free(&person);
}

int main(int count, char **arguments)
{
    static const uint32_t groups[3] = {5, 6, 7};
    struct whittle_onc_identity const identity = {1, "here", 4711, 12, 3, groups};
    struct whittle_onc_client_options const nobody = {.timeout = 60000}, system = {.timeout = 60000, .system = true, .identity = &identity};
    bool const is_ours = strcmp(arguments[1], "ours") == 0;
    for (int at = 2; at < count; at++)
        for (int user = 0; user < 2; user++) {
            struct whittle_onc_client *const client = whittle_onc_client_open(arguments[at], user ? &system : &nobody, NULL);
            if (client == NULL)
                return 2;
            served(client, user ? 4711 : 0);
            strange(client);
            told(client, is_ours);
            IS(states_3_nothing(client), 0);
            whittle_onc_client_close(client);
        }
    for (int at = 2; at < count && is_ours; at++) {
        struct whittle_onc_client *const client = whittle_onc_client_open(arguments[at], &nobody, NULL);
        IS(states_3_shut_down(client), 0);
        whittle_onc_client_close(client);
    }
    return failures != 0;
}
