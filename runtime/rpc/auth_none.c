/* SPDX-License-Identifier: MIT-0 */
/* Credentials that say nothing, and the end of all. */
#include "rpc_shared.h"

struct opaque_auth _null_auth;

AUTH *authnone_create(void)
{
    static AUTH none;
    return &none;
}

void auth_destroy(AUTH *auth)
{
    if (auth != NULL)
        free(auth->ah_private);
}
