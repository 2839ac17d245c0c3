/* SPDX-License-Identifier: MIT-0 */
/* The proofs of two processes of different users: prove.h. */
#include "prove.h"
#include <fcntl.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

enum { WHITTLE_NET_PURPOSE = 32, WHITTLE_NET_PROOFS = 1 };     /* bytes; the version of the challenges */

static const char whittle_net_challenge_name[8] = {'w', 'h', 'i', 't', 't', 'l', 'e', 'k'};

const char *whittle_net_calls_key_file(void)
{
    const char *const name = secure_getenv("WHITTLE_CALLS_KEY");
    return name == NULL || name[0] == 0 ? NULL : name;
}

const char *whittle_net_calls_key(struct whittle_net_key *key)
{
    const char *const name = whittle_net_calls_key_file();
    return name == NULL ? "none is named" : whittle_net_key_read(AT_FDCWD, name, key);
}

bool whittle_net_peer_user(int socket, uint32_t *user)
{
    struct ucred peer;
    socklen_t length = sizeof peer;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0 || length != sizeof peer)
        return false;
    *user = peer.uid;
    return true;
}

bool whittle_net_is_own_user(int socket)
{
    uint32_t user;
    return whittle_net_peer_user(socket, &user) && user == geteuid();
}

bool whittle_net_challenges_open(struct whittle_net_challenges *said, int socket, enum whittle_net_role role)
{
    memset(said, 0, sizeof *said);
    said->users[role] = geteuid();
    return whittle_net_peer_user(socket, &said->users[1 - (int)role]);
}

/* What a proof is for, in front of what it covers: another use of the same key is none of these, nor a flow's. */
static void whittle_net_prove(const struct whittle_net_challenges *said, const struct whittle_net_key *key, const char *purpose,
                              const struct whittle_net_piece *rest, size_t count, uint8_t proof[WHITTLE_NET_PROOF])
{
    char label[WHITTLE_NET_PURPOSE] = "whittle call: ";
    struct whittle_net_piece pieces[5] = {{label, sizeof label}, {said->users, sizeof said->users}};
    strncat(label, purpose, sizeof label - strlen(label) - 1);
    memcpy(pieces + 2, rest, count * sizeof *rest);
    whittle_net_hmac(key, pieces, 2 + count, proof);
}

static void whittle_net_challenge_prove(const struct whittle_net_challenges *said, const struct whittle_net_key *key, enum whittle_net_role role,
                                        uint8_t proof[WHITTLE_NET_PROOF])
{
    const bool client = role == WHITTLE_NET_CLIENT;
    const struct whittle_net_piece pieces[] = {
        {&said->by[role], offsetof(struct whittle_net_challenge, proof)}, {&said->by[WHITTLE_NET_CLIENT], sizeof said->by[WHITTLE_NET_CLIENT]}};
    whittle_net_prove(said, key, client ? "client" : "server", pieces, client ? 1 : 2, proof);
}

bool whittle_net_challenge_make(struct whittle_net_challenges *said, const struct whittle_net_key *key, enum whittle_net_role role)
{
    struct whittle_net_challenge *const own = &said->by[role];
    memcpy(own->name, whittle_net_challenge_name, sizeof own->name);
    own->version = WHITTLE_NET_PROOFS;
    own->role = role;
    if (getrandom(own->nonce, sizeof own->nonce, GRND_NONBLOCK) != (ssize_t)sizeof own->nonce)
        return false;
    whittle_net_challenge_prove(said, key, role, own->proof);
    return true;
}

bool whittle_net_challenge_is(const struct whittle_net_challenges *said, const struct whittle_net_key *key, enum whittle_net_role role)
{
    uint8_t proof[WHITTLE_NET_PROOF];
    const struct whittle_net_challenge *const other = &said->by[role];
    if (memcmp(other->name, whittle_net_challenge_name, sizeof other->name) != 0 || other->version != WHITTLE_NET_PROOFS
        || other->role != (uint32_t)role)
        return false;
    whittle_net_challenge_prove(said, key, role, proof);
    return whittle_net_proof_is(proof, other->proof);
}

void whittle_net_hello_prove(const struct whittle_net_challenges *said, const struct whittle_net_key *key, const void *hello, size_t size,
                             uint8_t proof[WHITTLE_NET_PROOF])
{
    const struct whittle_net_piece pieces[] = {{said->by, sizeof said->by}, {hello, size}};
    whittle_net_prove(said, key, "hello", pieces, 2, proof);
}

/* As long for a proof that is wrong in its first byte as for one that is right. */
bool whittle_net_proof_is(const uint8_t one[WHITTLE_NET_PROOF], const uint8_t other[WHITTLE_NET_PROOF])
{
    unsigned differs = 0;
    for (size_t at = 0; at < WHITTLE_NET_PROOF; at++)
        differs |= (unsigned)(one[at] ^ other[at]);
    return differs == 0;
}
