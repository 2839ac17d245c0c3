/* SPDX-License-Identifier: MIT-0 */
/*
 * How two processes of different users come to call each other through shared memory: both prove that they have the key that
 * $WHITTLE_CALLS_KEY names, before a descriptor is passed. The client sends a challenge, a random number with a proof of it; the
 * server answers with its own, whose proof covers the client's; the client says hello, with a proof over both. So no message can be
 * repeated. Each proof covers which role made it and which users are connected, as the system says it to each side: who stands
 * between the two, and passes on what they say, is seen by each as a third user.
 */
#ifndef WHITTLE_NET_PROVE_H
#define WHITTLE_NET_PROVE_H
#include "keys.h"

enum whittle_net_role { WHITTLE_NET_CLIENT, WHITTLE_NET_SERVER };
enum { WHITTLE_NET_NONCE = 32 };

struct whittle_net_challenge {          /* what each side sends; of all versions, the beginning */
    char name[8];
    uint32_t version, role;
    uint8_t nonce[WHITTLE_NET_NONCE], proof[WHITTLE_NET_PROOF];
};
struct whittle_net_challenges {         /* one process's view of it */
    struct whittle_net_challenge by[2]; /* each role's, once it is known */
    uint32_t users[2];                  /* each role's */
};

/* The file that is named; NULL: none is. Its key: NULL, or why there is none. */
const char *whittle_net_calls_key_file(void);
const char *whittle_net_calls_key(struct whittle_net_key *key);
/* Who is connected there. false: the system does not say. */
bool whittle_net_peer_user(int socket, uint32_t *user);
/* It is this process's user. */
bool whittle_net_is_own_user(int socket);
/* This process has that role. false: the system does not say whose the other one is. */
bool whittle_net_challenges_open(struct whittle_net_challenges *said, int socket, enum whittle_net_role role);
/* That role's challenge, the client's first. false: no random numbers. */
bool whittle_net_challenge_make(struct whittle_net_challenges *said, const struct whittle_net_key *key, enum whittle_net_role role);
/* It came from a process that has the key. */
bool whittle_net_challenge_is(const struct whittle_net_challenges *said, const struct whittle_net_key *key, enum whittle_net_role role);
/* The client's proof of its hello, behind both challenges. */
void whittle_net_hello_prove(const struct whittle_net_challenges *said, const struct whittle_net_key *key, const void *hello, size_t size,
                             uint8_t proof[WHITTLE_NET_PROOF]);
bool whittle_net_proof_is(const uint8_t one[WHITTLE_NET_PROOF], const uint8_t other[WHITTLE_NET_PROOF]);

/* refusal.c. A line on standard error: why this process, in that role, does not call with the other one. Few a second. */
void whittle_net_refusal(int socket, enum whittle_net_role role, const char *why);
/* The same: the key that is named cannot be used. */
void whittle_net_refusal_by_key(int socket, enum whittle_net_role role, const char *why);
/* Of a server that cannot begin to listen at that path. */
void whittle_net_key_unusable(const char *path, const char *why);
#endif
