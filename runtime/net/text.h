/* SPDX-License-Identifier: MIT-0 */
/* Texts with their length, for all protocols: what interfaces that are presented with `counted` strings have. */
#ifndef WHITTLE_NET_TEXT_H
#define WHITTLE_NET_TEXT_H
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/*
 * A text and its length. It need not end with a byte of zero; without any bytes, `items` may be NULL. Over ONC RPC bytes of it may be
 * zero, over IIOP none is.
 */
struct whittle_text {
    uint32_t length;
    char *items;
};
/* Frees the bytes of a text that a call brought, and empties it. */
void whittle_text_free(struct whittle_text *text);
#ifdef __cplusplus
}
#endif
#endif
