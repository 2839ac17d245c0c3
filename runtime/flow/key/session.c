/* SPDX-License-Identifier: MIT-0 */
/*
 * The tags of a connection: GMAC, the authentication of AES-256-GCM (NIST SP 800-38D) without its encryption, which costs
 * half as much. Each direction has a key of its own, derived from the flow's key and from both challenges; a message's
 * number in its direction and its kind are the initialization vector, so that none can be repeated, left out, moved,
 * sent back, or taken for one of another kind or another connection. In goes a message, out comes its tag.
 */
#include "key.h"
#include <endian.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

struct whittle_flow_direction { EVP_CIPHER_CTX *cipher; uint64_t number; };
struct whittle_flow_session { struct whittle_flow_direction out, in; };

static bool whittle_flow_direction_begin(struct whittle_flow_direction *direction, const uint8_t secret[WHITTLE_NET_KEY], const char *name)
{
    uint8_t key[WHITTLE_FLOW_PROOF];
    direction->cipher = EVP_CIPHER_CTX_new();
    const bool done = direction->cipher != NULL && whittle_flow_hash(secret, name, NULL, 0, key)
        && EVP_EncryptInit_ex(direction->cipher, EVP_aes_256_gcm(), NULL, key, NULL) == 1;
    OPENSSL_cleanse(key, sizeof key);
    return done;
}

struct whittle_flow_session *whittle_flow_session_begin(const struct whittle_flow_event_loop *loop, enum whittle_flow_role role,
    const struct whittle_flow_challenge *opening, const struct whittle_flow_challenge *challenge)
{
    static const char forth[] = "from connector", back[] = "from acceptor";
    const struct whittle_flow_piece said[] = {{opening, sizeof *opening}, {challenge, sizeof *challenge}};
    const bool connects = role == WHITTLE_FLOW_CONNECTOR;
    uint8_t secret[WHITTLE_FLOW_PROOF];
    struct whittle_flow_session *const session = calloc(1, sizeof *session);
    if (session == NULL)
        return NULL;
    const bool done = whittle_flow_hash(loop->key->bytes, "session", said, 2, secret)
        && whittle_flow_direction_begin(&session->out, secret, connects ? forth : back)
        && whittle_flow_direction_begin(&session->in, secret, connects ? back : forth);
    OPENSSL_cleanse(secret, sizeof secret);
    if (done)
        return session;
    whittle_flow_session_end(session);
    return NULL;
}

void whittle_flow_session_end(struct whittle_flow_session *session)
{
    EVP_CIPHER_CTX_free(session->out.cipher);
    EVP_CIPHER_CTX_free(session->in.cipher);
    free(session);
}

/* Bytes that are authenticated only; libcrypto counts them in int. */
static bool whittle_flow_direction_add(EVP_CIPHER_CTX *cipher, const uint8_t *bytes, size_t count)
{
    enum { MOST = 1 << 30 };
    for (int unused; count > 0;) {
        const int some = count > MOST ? MOST : (int)count;
        if (EVP_EncryptUpdate(cipher, NULL, &unused, bytes, some) != 1)
            return false;
        bytes += some;
        count -= (size_t)some;
    }
    return true;
}

static bool whittle_flow_direction_tag(struct whittle_flow_direction *direction, enum whittle_flow_message kind, const void *head, size_t head_bytes,
    const void *body, size_t body_bytes, uint8_t tag[WHITTLE_FLOW_TAG])
{
    struct { uint32_t kind, low, high; } vector = {
        htole32((uint32_t)kind), htole32((uint32_t)direction->number), htole32((uint32_t)(direction->number >> 32))};
    uint8_t none[WHITTLE_FLOW_TAG];
    int unused;
    direction->number++;
    return EVP_EncryptInit_ex(direction->cipher, NULL, NULL, NULL, (const unsigned char *)&vector) == 1
        && whittle_flow_direction_add(direction->cipher, head, head_bytes) && whittle_flow_direction_add(direction->cipher, body, body_bytes)
        && EVP_EncryptFinal_ex(direction->cipher, none, &unused) == 1
        && EVP_CIPHER_CTX_ctrl(direction->cipher, EVP_CTRL_AEAD_GET_TAG, WHITTLE_FLOW_TAG, tag) == 1;
}

bool whittle_flow_session_seal(struct whittle_flow_session *session, enum whittle_flow_message kind, const void *head, size_t head_bytes,
    const void *body, size_t body_bytes, uint8_t tag[WHITTLE_FLOW_TAG])
{
    return whittle_flow_direction_tag(&session->out, kind, head, head_bytes, body, body_bytes, tag);
}

bool whittle_flow_session_verify(struct whittle_flow_session *session, enum whittle_flow_message kind, const void *head, size_t head_bytes,
    const void *body, size_t body_bytes, const uint8_t tag[WHITTLE_FLOW_TAG])
{
    uint8_t own[WHITTLE_FLOW_TAG];
    return whittle_flow_direction_tag(&session->in, kind, head, head_bytes, body, body_bytes, own)
        && CRYPTO_memcmp(own, tag, sizeof own) == 0;
}
