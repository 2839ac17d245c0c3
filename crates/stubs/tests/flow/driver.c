/*
 * Reads packets in three encodings, and changes that make them no packets, from standard input; says what is not as it
 * should be. TYPES(X) is X(T) for each packet T.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "packets.h"

#define ENCODINGS 3
#define ALL(T) {&whittle_##T##_xdr, &whittle_##T##_native, &whittle_##T##_cdr},
static const struct whittle_flow_type *const types[][ENCODINGS] = {TYPES(ALL)};
static const char *const names[ENCODINGS] = {"XDR is not taken", "its own bytes are not taken", "CDR is not taken"};

struct stretch {
    size_t count;
    uint8_t *at;
};

static unsigned failures;

static void must(bool holds, const struct whittle_flow_type *type, const char *what, size_t at)
{
    if (!holds && failures++ < 20)
        fprintf(stderr, "%s: %s (%zu)\n", type->name, what, at);
}

static size_t number(void)
{
    uint32_t value;
    if (fread(&value, sizeof value, 1, stdin) != 1) {
        fprintf(stderr, "the input ends too soon\n");
        exit(2);
    }
    return value;
}

static struct stretch stretch(void)
{
    struct stretch read = {number(), NULL};
    read.at = malloc(read.count);
    if (fread(read.at, 1, read.count, stdin) != read.count)
        exit(2);
    return read;
}

/* Exactly these bytes as a packet, as a receiver takes them: nothing beyond them may be looked at. */
static bool accepts(const struct whittle_flow_type *type, const uint8_t *at, size_t count, void *packet)
{
    uint8_t *const copy = malloc(count);
    bool taken;
    memcpy(copy, at, count);
    if (type->fixed == 0) {
        taken = type->decode(packet, copy, count);
    } else {
        size_t all = count < type->fixed ? 0 : type->size;
        if (all != 0 && type->used != NULL) {
            uint8_t *const head = malloc(type->fixed);
            memcpy(head, at, type->fixed);
            all = type->used(head);
            free(head);
        }
        taken = all != 0 && all == count && (type->valid == NULL || type->valid(copy));
        if (taken)
            memcpy(packet, copy, count);
    }
    free(copy);
    return taken;
}

static void release(const struct whittle_flow_type *type, void *packet)
{
    if (type->release != NULL)
        type->release(packet);
    free(packet);
}

static void refuses(const struct whittle_flow_type *type, const uint8_t *at, size_t count, const char *what, size_t where)
{
    void *const packet = calloc(1, type->size);
    const bool taken = accepts(type, at, count, packet);
    must(!taken, type, what, where);
    if (taken)
        release(type, packet);
    else
        free(packet);
}

/* What encoding writes is these bytes, in exactly as much room as they take. */
static void writes(const struct whittle_flow_type *type, const void *packet, const struct stretch *wanted)
{
    uint8_t *const room = malloc(wanted->count);
    if (type->fixed == 0) {
        must(wanted->count <= type->largest, type, "takes more than the largest", type->largest);
        must(type->encode(packet, room, wanted->count) == wanted->count, type, "takes another number of bytes", 0);
        must(memcmp(room, wanted->at, wanted->count) == 0, type, "other bytes are written", 0);
        for (size_t less = 1; less <= 9 && less <= wanted->count; less++)
            must(type->encode(packet, room, wanted->count - less) == 0, type, "writes where there is no room", less);
    } else {
        const size_t all = type->used == NULL ? type->size : type->used(packet);
        must(all == wanted->count, type, "another number of bytes is used", all);
        must(all == wanted->count && memcmp(packet, wanted->at, all) == 0, type, "other bytes lie there", 0);
    }
    free(room);
}

/* Whatever one byte is changed to, it is refused or is another packet. */
static void flips(const struct whittle_flow_type *type, bool is_cdr, const struct stretch *good, unsigned *seed)
{
    uint8_t *const changed = malloc(good->count);
    for (unsigned turn = 0; turn < 24 && good->count > 0; turn++) {
        memcpy(changed, good->at, good->count);
        *seed = *seed * 1664525u + 1013904223u;
        changed[(*seed >> 8) % good->count] ^= (uint8_t)(1u << (*seed >> 3) % 8);
        void *const packet = calloc(1, type->size);
        if (accepts(type, changed, good->count, packet)) {
            /* CDR takes texts of length 0, which it writes longer. */
            const size_t room = good->count + (is_cdr ? 4096 : 0);
            uint8_t *const again = malloc(room);
            if (type->fixed == 0) {
                const size_t written = type->encode(packet, again, room);
                must(is_cdr ? written != 0 : written == good->count, type, "what is taken is not written", turn);
            }
            free(again);
            release(type, packet);
        } else {
            free(packet);
        }
    }
    free(changed);
}

static void wrong(const struct whittle_flow_type *type, const struct stretch *good)
{
    uint8_t *const more = calloc(1, good->count + 4);
    memcpy(more, good->at, good->count);
    /* Of long messages not every end: there are as many. */
    for (size_t count = 0; count < good->count; count += 1 + good->count / 256)
        refuses(type, good->at, count, "a message that ends early is taken", count);
    refuses(type, more, good->count + 1, "a byte too many is taken", 1);
    refuses(type, more, good->count + 4, "four bytes too many are taken", 4);
    free(more);
    for (size_t changes = number(); changes > 0; changes--) {
        const size_t at = number();
        const struct stretch change = stretch();
        uint8_t *const changed = malloc(good->count);
        memcpy(changed, good->at, good->count);
        memcpy(changed + at, change.at, change.count);
        refuses(type, changed, good->count, "a changed message is taken", at);
        free(changed);
        free(change.at);
    }
}

int main(void)
{
    unsigned seed = 1;
    for (size_t messages = number(); messages > 0; messages--) {
        const size_t which = number();
        const struct whittle_flow_type *const *const all = types[which];
        struct stretch given[ENCODINGS];
        void *packets[ENCODINGS];
        for (unsigned k = 0; k < ENCODINGS; k++)
            given[k] = stretch();
        for (unsigned k = 0; k < ENCODINGS; k++) {
            packets[k] = calloc(1, all[k]->size);
            must(accepts(all[k], given[k].at, given[k].count, packets[k]), all[k], names[k], given[k].count);
        }
        for (unsigned k = 0; k < ENCODINGS; k++) {
            for (unsigned of = 0; of < ENCODINGS; of++)
                writes(all[k], packets[of], &given[k]);
            must(memcmp(packets[0], packets[k], all[0]->size) == 0 || all[0]->release != NULL, all[k],
                 "the encodings say different things", k);
            must(all[k]->fingerprint != all[(k + 1) % ENCODINGS]->fingerprint && all[k]->fingerprint != 0, all[k],
                 "no fingerprint", k);
        }
        for (unsigned k = 0; k < ENCODINGS; k++)
            wrong(all[k], &given[k]);
        for (unsigned k = 0; k < ENCODINGS; k++)
            flips(all[k], k == 2, &given[k], &seed);
        for (unsigned k = 0; k < ENCODINGS; k++) {
            release(all[k], packets[k]);
            free(given[k].at);
        }
    }
    return failures > 0;
}
