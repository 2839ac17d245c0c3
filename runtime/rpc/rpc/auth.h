/* SPDX-License-Identifier: MIT-0 */
/* Who calls (RFC 5531, section 8): AUTH_NONE and AUTH_SYS. */
#ifndef WHITTLE_RPC_AUTH_H
#define WHITTLE_RPC_AUTH_H
#include "xdr.h"
#ifdef __cplusplus
extern "C" {
#endif

enum { AUTH_NONE = 0, AUTH_NULL = 0, AUTH_SYS = 1, AUTH_UNIX = 1, AUTH_SHORT = 2, AUTH_DH = 3, AUTH_DES = 3, RPCSEC_GSS = 6 };
#define MAX_AUTH_BYTES 400
#define MAX_MACHINE_NAME 255
#define MAXNETNAMELEN 255   /* of a network name: interface files of Sun's bound their strings with it */
#define NGRPS 16

enum auth_stat {
    AUTH_OK = 0, AUTH_BADCRED = 1, AUTH_REJECTEDCRED = 2, AUTH_BADVERF = 3, AUTH_REJECTEDVERF = 4, AUTH_TOOWEAK = 5,
    AUTH_INVALIDRESP = 6, AUTH_FAILED = 7, AUTH_KERB_GENERIC = 8, AUTH_TIMEEXPIRE = 9, AUTH_TKT_FILE = 10, AUTH_DECODE = 11,
    AUTH_NET_ADDR = 12, RPCSEC_GSS_CREDPROBLEM = 13, RPCSEC_GSS_CTXPROBLEM = 14
};

struct opaque_auth {
    enum_t oa_flavor;
    caddr_t oa_base;
    u_int oa_length;
};
extern struct opaque_auth _null_auth;

/* A client's, for its cl_auth; it lives until auth_destroy. */
typedef struct AUTH AUTH;
struct AUTH {
    struct opaque_auth ah_cred, ah_verf;
    void *ah_private;
};
AUTH *authnone_create(void);
AUTH *authsys_create(char *machine, uid_t uid, gid_t gid, int count, gid_t *groups);
AUTH *authsys_create_default(void);     /* this process */
void auth_destroy(AUTH *auth);
#define authunix_create authsys_create
#define authunix_create_default authsys_create_default
#define AUTH_DESTROY auth_destroy

/* What a server finds in a request's rq_clntcred where its rq_cred.oa_flavor is AUTH_SYS. */
struct authsys_parms {
    u_long aup_time;
    char *aup_machname;
    uid_t aup_uid;
    gid_t aup_gid;
    u_int aup_len;
    gid_t *aup_gids;
};
#define authunix_parms authsys_parms
#ifdef __cplusplus
}
#endif
#endif
