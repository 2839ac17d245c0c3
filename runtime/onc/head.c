/* SPDX-License-Identifier: MIT-0 */
/* The header that every call of a client begins with: a constant but for its number and what is called. */
#include "client.h"
#include <sys/types.h>
#include <unistd.h>

static char *whittle_onc_put(char *at, uint32_t word)
{
    whittle_put32(at, word);
    return at + 4;
}

/* AUTH_SYS (RFC 5531, appendix A): flavor, length, body. */
static char *whittle_onc_put_identity(char *at, const struct whittle_onc_identity *identity)
{
    const size_t name = strnlen(identity->machine == NULL ? "" : identity->machine, 255);
    const uint32_t groups = identity->group_count < WHITTLE_ONC_GROUPS ? identity->group_count : (uint32_t)WHITTLE_ONC_GROUPS;
    char *const body = at + 8;
    at = whittle_onc_put(body, identity->stamp);
    at = whittle_onc_put(at, (uint32_t)name);
    if (name > 0)
        memcpy(at, identity->machine, name);
    at += whittle_pad4(name);
    at = whittle_onc_put(at, identity->uid);
    at = whittle_onc_put(at, identity->gid);
    at = whittle_onc_put(at, groups);
    for (uint32_t index = 0; index < groups; index++)
        at = whittle_onc_put(at, identity->groups[index]);
    whittle_put32(body - 8, WHITTLE_ONC_AUTH_SYS);
    whittle_put32(body - 4, (uint32_t)(at - body));
    return at;
}

uint32_t whittle_onc_own_groups(uint32_t *first)
{
    const int room = getgroups(0, NULL);
    gid_t *const groups = room > 0 ? (gid_t *)malloc((size_t)room * sizeof *groups) : NULL;
    const int count = groups == NULL ? 0 : getgroups(room, groups);
    uint32_t taken = 0;
    for (; taken < WHITTLE_ONC_GROUPS && (int)taken < count; taken++)
        first[taken] = (uint32_t)groups[taken];
    free(groups);
    return taken;
}

static char *whittle_onc_put_own_identity(char *at)
{
    char machine[256] = "";
    uint32_t words[WHITTLE_ONC_GROUPS];
    gethostname(machine, sizeof machine - 1);
    const struct whittle_onc_identity identity = {
        (uint32_t)(whittle_net_now() / 1000000000u), machine, (uint32_t)geteuid(), (uint32_t)getegid(),
        whittle_onc_own_groups(words), words};
    return whittle_onc_put_identity(at, &identity);
}

bool whittle_onc_head_make(struct whittle_onc_client *client)
{
    const struct whittle_onc_client_options *const options = &client->options;
    client->head = (char *)calloc(1, WHITTLE_ONC_MARK + WHITTLE_ONC_CALL_HEADER + WHITTLE_ONC_AUTH_BYTES);
    if (client->head == NULL)
        return false;
    whittle_put32(client->head + 8, WHITTLE_ONC_CALL);
    whittle_put32(client->head + 12, WHITTLE_ONC_VERSION);
    char *at = client->head + 28;
    if (!options->system)
        at += 8;        /* AUTH_NONE is zeros */
    else if (options->identity != NULL)
        at = whittle_onc_put_identity(at, options->identity);
    else
        at = whittle_onc_put_own_identity(at);
    client->head_size = (size_t)(at + 8 - client->head);
    return true;
}
