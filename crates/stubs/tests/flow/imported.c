/* Values of imported types, in packets and by themselves, beside what libtirpc's streams make of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "packets.h"

static unsigned failures;
#define MUST(condition) \
    do { \
        if (!(condition) && failures++ < 20) \
            fprintf(stderr, "line %d: %s\n", __LINE__, #condition); \
    } while (0)

static char *copy(const char *text)
{
    return strcpy(malloc(strlen(text) + 1), text);
}

static direntry entry(const char *text, int number)
{
    const direntry made = {copy(text), {{number, 2, -3}, {1, 2, 3, 4, 5}, number & 1}, -5000000000, -7, 200};
    return made;
}

static node *nodes(int count)
{
    node *first = NULL;
    while (count-- > 0) {
        node *const made = calloc(1, sizeof *made);
        made->v.c = count % 3 == 0 ? RED : count % 3 == 1 ? GREEN : (colour)77;
        if (made->v.c == RED)
            made->v.value_u.number = count;
        else if (made->v.c == GREEN)
            made->v.value_u.entry = entry("green", count);
        made->blob.blob_len = (u_int)count % 7;
        made->blob.blob_val = made->blob.blob_len > 0 ? malloc(made->blob.blob_len) : NULL;
        if (made->blob.blob_len > 0)
            memset(made->blob.blob_val, count, made->blob.blob_len);
        made->names.names_len = 2;
        made->names.names_val = calloc(2, sizeof(name));
        made->names.names_val[0] = copy("");
        made->names.names_val[1] = copy("twenty characters ok");
        made->colours.colours_len = 2;
        made->colours.colours_val = calloc(2, sizeof(colour));
        made->colours.colours_val[1] = GREEN;
        made->l = -count;
        made->next = first;
        first = made;
    }
    return first;
}

static size_t encoded(const struct whittle_flow_type *type, const void *packet, uint8_t **at)
{
    const size_t most = type->largest;
    uint8_t *const room = malloc(most);
    const size_t bytes = type->encode(packet, room, most);
    *at = memcpy(malloc(bytes), room, bytes);
    free(room);
    MUST(bytes > 0 && bytes <= most);
    return bytes;
}

static bool decoded(const struct whittle_flow_type *type, const uint8_t *at, size_t bytes, void *packet)
{
    uint8_t *const exact = memcpy(malloc(bytes), at, bytes);
    const bool taken = type->decode(packet, exact, bytes);
    free(exact);
    return taken;
}

/* Every end and many changes: refused, or a value that is released. */
static void hostile(const struct whittle_flow_type *type, const uint8_t *at, size_t bytes)
{
    uint8_t *const changed = malloc(bytes);
    unsigned seed = 1;
    for (size_t count = 0; count < bytes; count++) {
        void *const packet = calloc(1, type->size);
        MUST(!decoded(type, at, count, packet));
        free(packet);
    }
    for (unsigned turn = 0; turn < 1500; turn++) {
        memcpy(changed, at, bytes);
        seed = seed * 1664525u + 1013904223u;
        changed[(seed >> 8) % bytes] = turn % 3 == 0 ? 0xff : turn % 3 == 1 ? 0 : (uint8_t)(seed >> 5);
        void *const packet = calloc(1, type->size);
        if (decoded(type, changed, bytes, packet) && type->release != NULL)
            type->release(packet);
        free(packet);
    }
    free(changed);
}

/* There and back in an encoding; the same as libtirpc's bytes where these are given. */
static void travels(const struct whittle_flow_type *type, const void *packet, xdrproc_t theirs, const void *value)
{
    uint8_t *at;
    const size_t bytes = encoded(type, packet, &at);
    if (theirs != NULL) {
        char *const buffer = malloc(100000);
        XDR xdrs;
        xdrmem_create(&xdrs, buffer, 100000, XDR_ENCODE);
        MUST(theirs(&xdrs, (void *)(uintptr_t)value));
        MUST(xdr_getpos(&xdrs) == bytes && memcmp(buffer, at, bytes) == 0);
        free(buffer);
    }
    void *const back = calloc(1, type->size);
    MUST(decoded(type, at, bytes, back));
    uint8_t *again;
    MUST(encoded(type, back, &again) == bytes && memcmp(at, again, bytes) == 0);
    hostile(type, at, bytes);
    if (type->release != NULL)
        type->release(back);
    free(back);
    free(again);
    free(at);
}

int main(void)
{
    node *first = nodes(9);
    travels(&whittle_node_xdr, first, (xdrproc_t)xdr_node, first);
    travels(&whittle_node_native, first, NULL, NULL);
    list values = first;
    travels(&whittle_list_xdr, &values, (xdrproc_t)xdr_list, &values);
    travels(&whittle_list_native, &values, NULL, NULL);
    direntry entries[3] = {entry("a", 1), entry("", 2), entry("longer than others", 3)};
    direntseq sequence = {3, entries};
    travels(&whittle_direntseq_xdr, &sequence, (xdrproc_t)xdr_direntseq, &sequence);
    travels(&whittle_direntseq_native, &sequence, NULL, NULL);
    const plain flat = {1, {2, 3, 4}, {5.5f, 7}, 6};
    travels(&whittle_plain_xdr, &flat, (xdrproc_t)xdr_plain, &flat);
    MUST(whittle_node_xdr.largest == 1 << 20 && whittle_plain_xdr.largest == 32);
    MUST(whittle_plain_native.fixed == sizeof(plain) && whittle_plain_native.used == NULL);
    tree leaf = {NULL, 1, NULL}, left = {&leaf, 2, NULL}, root = {&left, 3, &leaf};
    travels(&whittle_tree_xdr, &root, (xdrproc_t)xdr_tree, &root);
    travels(&whittle_tree_native, &root, NULL, NULL);
    Holder holder = {.n = 2, .entries = {entries[0], entries[2]}, .at = {flat, flat}, .all = sequence, .nodes_count = 1};
    holder.nodes[0] = values;
    travels(&whittle_Holder_xdr, &holder, NULL, NULL);
    travels(&whittle_Holder_native, &holder, NULL, NULL);
    holder.n = 6;
    uint8_t room[4096];
    MUST(whittle_Holder_xdr.encode(&holder, room, sizeof room) == 0);
    xdr_free((xdrproc_t)xdr_list, (char *)&values);
    for (int i = 0; i < 3; i++)
        free(entries[i].name);
    return failures > 0;
}
