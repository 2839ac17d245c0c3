/* SPDX-License-Identifier: MIT-0 */
/*
 * Proofs that a process has the key, which do not reveal it: HMAC-SHA256 (RFC 2104, FIPS 198-1) over what the proof is for,
 * and all that has been said before on the connection. Each use of the key has a purpose of its own in front, so that
 * what proves one thing proves no other, in particular not the other direction's.
 */
#include "key.h"
#include <endian.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/rand.h>
#include <stddef.h>
#include <string.h>

enum { WHITTLE_FLOW_PURPOSE = 32 };

bool whittle_flow_hash(const uint8_t key[WHITTLE_NET_KEY], const char *purpose, const struct whittle_flow_piece *pieces, size_t count,
    uint8_t hash[WHITTLE_FLOW_PROOF])
{
    char digest[] = "SHA256", label[WHITTLE_FLOW_PURPOSE] = "whittle flow: ";
    const OSSL_PARAM how[] = {OSSL_PARAM_construct_utf8_string("digest", digest, 0), OSSL_PARAM_construct_end()};
    size_t length = 0;
    strncat(label, purpose, sizeof label - strlen(label) - 1);
    EVP_MAC *const mac = EVP_MAC_fetch(NULL, "HMAC", NULL);
    EVP_MAC_CTX *const context = mac != NULL ? EVP_MAC_CTX_new(mac) : NULL;
    bool done = context != NULL && EVP_MAC_init(context, key, WHITTLE_NET_KEY, how) == 1
        && EVP_MAC_update(context, (const unsigned char *)label, sizeof label) == 1;
    for (size_t n = 0; n < count && done; n++) {
        const uint64_t bytes = htole64(pieces[n].count);    /* where one piece ends and the next begins is hashed, too */
        done = EVP_MAC_update(context, (const unsigned char *)&bytes, sizeof bytes) == 1
            && (pieces[n].count == 0 || EVP_MAC_update(context, pieces[n].bytes, pieces[n].count) == 1);
    }
    done = done && EVP_MAC_final(context, hash, &length, WHITTLE_FLOW_PROOF) == 1 && length == WHITTLE_FLOW_PROOF;
    EVP_MAC_CTX_free(context);
    EVP_MAC_free(mac);
    return done;
}

static bool whittle_flow_proof(const struct whittle_flow_event_loop *loop, enum whittle_flow_role role, const struct whittle_flow_challenge *opening,
    const struct whittle_flow_challenge *challenge, uint8_t proof[WHITTLE_FLOW_PROOF])
{
    const struct whittle_flow_piece said[] = {
        {challenge, offsetof(struct whittle_flow_challenge, proof)}, {opening, opening != NULL ? sizeof *opening : 0}};
    return whittle_flow_hash(loop->key->bytes, role == WHITTLE_FLOW_CONNECTOR ? "connector" : "acceptor", said, 2, proof);
}

/* The acceptor's is made over the connector's; the connector's over nothing. */
static bool whittle_flow_challenge_make(const struct whittle_flow_event_loop *loop, enum whittle_flow_role role,
    const struct whittle_flow_challenge *opening, struct whittle_flow_challenge *challenge)
{
    memset(challenge, 0, sizeof *challenge);
    memcpy(challenge->magic, WHITTLE_FLOW_CHALLENGE_MAGIC, sizeof challenge->magic);
    challenge->protocol = htole32(WHITTLE_FLOW_PROTOCOL);
    challenge->role = htole32(role);
    return RAND_bytes(challenge->nonce, sizeof challenge->nonce) == 1 && whittle_flow_proof(loop, role, opening, challenge, challenge->proof);
}

static bool whittle_flow_challenge_proves(const struct whittle_flow_event_loop *loop, enum whittle_flow_role role,
    const struct whittle_flow_challenge *opening, const struct whittle_flow_challenge *challenge)
{
    uint8_t proof[WHITTLE_FLOW_PROOF];
    return memcmp(challenge->magic, WHITTLE_FLOW_CHALLENGE_MAGIC, sizeof challenge->magic) == 0
        && le32toh(challenge->protocol) == WHITTLE_FLOW_PROTOCOL && le32toh(challenge->role) == (uint32_t)role
        && whittle_flow_proof(loop, role, opening, challenge, proof) && CRYPTO_memcmp(proof, challenge->proof, sizeof proof) == 0;
}

static bool whittle_flow_mark(const struct whittle_flow_event_loop *loop, const void *head, size_t head_bytes, const void *body, size_t body_bytes,
    uint8_t tag[WHITTLE_FLOW_TAG])
{
    uint8_t hash[WHITTLE_FLOW_PROOF];
    const struct whittle_flow_piece said[] = {{head, head_bytes}, {body, body_bytes}};
    const bool done = whittle_flow_hash(loop->key->bytes, "message", said, 2, hash);
    memcpy(tag, hash, WHITTLE_FLOW_TAG);
    return done;
}

static bool whittle_flow_marked(const struct whittle_flow_event_loop *loop, const void *head, size_t head_bytes, const void *body, size_t body_bytes,
    const uint8_t tag[WHITTLE_FLOW_TAG])
{
    uint8_t own[WHITTLE_FLOW_TAG];
    return whittle_flow_mark(loop, head, head_bytes, body, body_bytes, own) && CRYPTO_memcmp(own, tag, sizeof own) == 0;
}

const struct whittle_flow_security whittle_flow_keyed = {
    .open = whittle_flow_key_open, .close = whittle_flow_key_close, .challenge = whittle_flow_challenge_make, .proves = whittle_flow_challenge_proves,
    .begin = whittle_flow_session_begin, .end = whittle_flow_session_end, .seal = whittle_flow_session_seal,
    .verify = whittle_flow_session_verify, .mark = whittle_flow_mark, .marked = whittle_flow_marked,
};
