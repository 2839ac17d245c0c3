/* SPDX-License-Identifier: MIT-0 */
/* A key that processes share, as a file each has of it; and proofs by it, which do not tell it. */
#ifndef WHITTLE_NET_KEYS_H
#define WHITTLE_NET_KEYS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { WHITTLE_NET_KEY = 32, WHITTLE_NET_KEY_DIGITS = 2 * WHITTLE_NET_KEY, WHITTLE_NET_PROOF = 32 };    /* bytes, but for the digits */
struct whittle_net_key { uint8_t bytes[WHITTLE_NET_KEY]; };
struct whittle_net_piece { const void *bytes; size_t size; };

/*
 * keys.c. The key of the file of that name, in the folder as openat has it: one line of 64 hexadecimal digits, in an ordinary file of
 * this user's that nobody else may read. NULL, or why it cannot be used; then errno is ENOENT where there is no such file, else 0.
 */
const char *whittle_net_key_read(int folder, const char *name, struct whittle_net_key *key);
/* What was secret is overwritten. */
void whittle_net_key_forget(void *secret, size_t size);

/* hmac.c. The proof of all pieces, one behind the other; no two lists of them that are used with a key may be the same bytes. */
void whittle_net_hmac(const struct whittle_net_key *key, const struct whittle_net_piece *pieces, size_t count, uint8_t proof[WHITTLE_NET_PROOF]);
#endif
