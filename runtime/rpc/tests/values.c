/*
 * Values of every kind through the routines of <rpc/xdr.h>: this file is compiled once with whittle's headers and once with
 * libtirpc's, under the names SIDE(encode) and SIDE(decode).
 */
#include <rpc/rpc.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include "values.h"

struct node {
    int number;
    struct node *next;
};

struct values {
    bool_t yes;
    enum_t colour;
    char small;
    u_char octet;
    short brief;
    u_short wide;
    int number;
    u_int count;
    long size;
    u_long room;
    int64_t far;
    uint64_t farther;
    quad_t quad;
    u_quad_t more;
    float half;
    double whole;
    char fixed[7];
    char *bytes;
    u_int byte_count;
    char *text;
    int *items;
    u_int item_count;
    short three[3];
    struct node *list;
    int *there;
    enum_t arm;
    union { int number; char *text; } in;
    netobj object;
    des_block block;
};

static bool_t node(XDR *xdrs, struct node *value)
{
    return xdr_int(xdrs, &value->number)
        && xdr_pointer(xdrs, (char **)(void *)&value->next, sizeof *value->next, (xdrproc_t)(void (*)(void))node);
}

static bool_t values(XDR *xdrs, struct values *v)
{
    static const struct xdr_discrim arms[] = {
        {1, (xdrproc_t)(void (*)(void))xdr_int}, {2, (xdrproc_t)(void (*)(void))xdr_wrapstring}, {0, NULL_xdrproc_t}};
    return xdr_bool(xdrs, &v->yes) && xdr_enum(xdrs, &v->colour) && xdr_char(xdrs, &v->small) && xdr_u_char(xdrs, &v->octet)
        && xdr_short(xdrs, &v->brief) && xdr_u_short(xdrs, &v->wide) && xdr_int(xdrs, &v->number) && xdr_u_int(xdrs, &v->count)
        && xdr_long(xdrs, &v->size) && xdr_u_long(xdrs, &v->room) && xdr_int64_t(xdrs, &v->far) && xdr_uint64_t(xdrs, &v->farther)
        && xdr_hyper(xdrs, (void *)&v->quad) && xdr_u_hyper(xdrs, (void *)&v->more) && xdr_float(xdrs, &v->half)
        && xdr_double(xdrs, &v->whole) && xdr_opaque(xdrs, v->fixed, sizeof v->fixed)
        && xdr_bytes(xdrs, &v->bytes, &v->byte_count, 100) && xdr_string(xdrs, &v->text, 100)
        && xdr_array(xdrs, (char **)(void *)&v->items, &v->item_count, 1000, sizeof *v->items, (xdrproc_t)(void (*)(void))xdr_int)
        && xdr_vector(xdrs, (char *)v->three, 3, sizeof v->three[0], (xdrproc_t)(void (*)(void))xdr_short) && node(xdrs, v->list)
        && xdr_reference(xdrs, (char **)(void *)&v->there, sizeof *v->there, (xdrproc_t)(void (*)(void))xdr_int)
        && xdr_union(xdrs, &v->arm, (char *)&v->in, arms, NULL_xdrproc_t) && xdr_netobj(xdrs, &v->object)
        && xdr_des_block(xdrs, &v->block);
}

static int items[] = {1, -2, 3};
static struct node second = {8, NULL}, first = {7, &second};
static int there = -99;
/* A negative `long` is not in it: libtirpc reads it as a large one. */
static const struct values sample = {
    .yes = TRUE, .colour = -3, .small = 'w', .octet = 200, .brief = -1234, .wide = 65000, .number = -123456789, .count = 4000000000u,
    .size = 5, .room = 4000000001u, .far = -1234567890123456789, .farther = 12345678901234567890u, .quad = -7, .more = 1ull << 63, .half = 1.5f, .whole = -2.25e300,
    .fixed = "fixed!", .bytes = (char *)"\0\1\2\3\4", .byte_count = 5, .text = (char *)"a text", .items = items, .item_count = 3,
    .three = {-1, 0, 1}, .list = &first, .there = &there, .arm = 2, .in = {.text = (char *)"in an arm"}, .object = {3, (char *)"net"},
    .block = {.c = {1, 2, 3, 4, 5, 6, 7, 8}}};

static size_t encode(XDR *xdrs)
{
    struct values copy = sample;
    if (!values(xdrs, &copy))
        return 0;
    return XDR_GETPOS(xdrs);
}

/* 0: it cannot be. */
size_t SIDE(encode)(char *to, size_t room)
{
    XDR xdrs;
    struct values copy = sample;
    xdrmem_create(&xdrs, to, (u_int)room, XDR_ENCODE);
    const size_t size = encode(&xdrs);
    return size == 0 || size == xdr_sizeof((xdrproc_t)(void (*)(void))values, &copy) ? size : 0;
}

size_t SIDE(encode_to_file)(FILE *file)
{
    XDR xdrs;
    xdrstdio_create(&xdrs, file, XDR_ENCODE);
    const size_t size = encode(&xdrs);
    XDR_DESTROY(&xdrs);
    return size;
}

static bool same(const struct values *a, const struct values *b)
{
    const bool numbers = a->yes == b->yes && a->colour == b->colour && a->small == b->small && a->octet == b->octet && a->brief == b->brief
        && a->wide == b->wide && a->number == b->number && a->count == b->count && a->size == b->size && a->room == b->room
        && a->far == b->far && a->farther == b->farther && a->quad == b->quad && a->more == b->more && a->half == b->half && a->whole == b->whole;
    const bool runs = memcmp(a->fixed, b->fixed, sizeof a->fixed) == 0 && a->byte_count == b->byte_count
        && memcmp(a->bytes, b->bytes, a->byte_count) == 0 && strcmp(a->text, b->text) == 0 && a->item_count == b->item_count
        && memcmp(a->items, b->items, a->item_count * sizeof *a->items) == 0 && memcmp(a->three, b->three, sizeof a->three) == 0;
    return numbers && runs && a->list->number == b->list->number && a->list->next->number == b->list->next->number
        && b->list->next->next == NULL && *a->there == *b->there && a->arm == b->arm && strcmp(a->in.text, b->in.text) == 0
        && a->object.n_len == b->object.n_len && memcmp(a->object.n_bytes, b->object.n_bytes, a->object.n_len) == 0
        && memcmp(a->block.c, b->block.c, sizeof a->block.c) == 0;
}

/* Whether it is the sample; all that it allocated is released. */
static bool decode(XDR *xdrs, bool *decoded)
{
    struct values found;
    struct node head = {0, NULL};
    memset(&found, 0, sizeof found);
    found.list = &head;
    *decoded = values(xdrs, &found);
    const bool good = *decoded && same(&sample, &found);
    xdr_free((xdrproc_t)(void (*)(void))values, (char *)&found);
    return good;
}

bool SIDE(decode)(const char *from, size_t size, bool *decoded)
{
    XDR xdrs;
    xdrmem_create(&xdrs, (char *)(uintptr_t)from, (u_int)size, XDR_DECODE);
    return decode(&xdrs, decoded);
}

bool SIDE(decode_file)(FILE *file, bool *decoded)
{
    XDR xdrs;
    xdrstdio_create(&xdrs, file, XDR_DECODE);
    return decode(&xdrs, decoded);
}
