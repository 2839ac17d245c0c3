/* SPDX-License-Identifier: MIT-0 */
/* Credentials of AUTH_SYS (RFC 5531, section 8.2 and appendix A). */
#include "rpc_inner.h"
#include <errno.h>
#include <unistd.h>

/* Behind ah_private of AUTH_SYS. */
struct whittle_rpc_system {
    AUTH base;
    uint64_t number;                /* no other's: one that is gone may have lain here */
    struct whittle_onc_identity identity;
    uint32_t groups[NGRPS];
    char machine[MAX_MACHINE_NAME + 1];
};

uint64_t whittle_rpc_auth_number(const AUTH *auth)
{
    return auth == NULL || auth->ah_private == NULL ? 0 : ((const struct whittle_rpc_system *)auth->ah_private)->number;
}

AUTH *authsys_create(char *machine, uid_t uid, gid_t gid, int count, gid_t *groups)
{
    static uint64_t last;
    struct whittle_rpc_system *const system = (struct whittle_rpc_system *)calloc(1, sizeof *system);
    if (system == NULL || count < 0 || count > NGRPS || strlen(machine) > MAX_MACHINE_NAME) {
        const struct rpc_err error = {RPC_SYSTEMERROR, {system == NULL ? ENOMEM : EINVAL}};
        whittle_rpc_not_created(RPC_SYSTEMERROR, &error);
        free(system);
        return NULL;
    }
    strcpy(system->machine, machine);
    for (int index = 0; index < count; index++)
        system->groups[index] = (uint32_t)groups[index];
    system->identity = (struct whittle_onc_identity){
        (uint32_t)(whittle_net_now() / 1000000000u), system->machine, (uint32_t)uid, (uint32_t)gid, (uint32_t)count, system->groups};
    system->number = __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
    system->base.ah_cred.oa_flavor = AUTH_SYS;
    system->base.ah_private = system;
    return &system->base;
}

AUTH *authsys_create_default(void)
{
    char machine[MAX_MACHINE_NAME + 1] = "";
    uint32_t own[NGRPS];
    gid_t groups[NGRPS];
    const int count = (int)whittle_onc_own_groups(own);
    gethostname(machine, sizeof machine - 1);
    for (int index = 0; index < count; index++)
        groups[index] = (gid_t)own[index];
    return authsys_create(machine, geteuid(), getegid(), count, groups);
}

void whittle_rpc_identify(const AUTH *auth, struct whittle_onc_client_options *options)
{
    options->system = auth != NULL && auth->ah_private != NULL;
    options->identity = options->system ? &((const struct whittle_rpc_system *)auth->ah_private)->identity : NULL;
}
