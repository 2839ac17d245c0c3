/* The packets of a test. */

/* What follows, up to the next include of yours, is whittle's runtime (MIT-0). */

#include "packets.h"

_Static_assert(offsetof(Point, x) == 0u, "Point.x follows what is before it");
_Static_assert(offsetof(Point, y) == 4u, "Point.y follows what is before it");
_Static_assert(sizeof(Point) == 8u, "Point has no padding");
_Static_assert(offsetof(Frame, width) == 0u, "Frame.width follows what is before it");
_Static_assert(offsetof(Frame, height) == 2u, "Frame.height follows what is before it");
_Static_assert(offsetof(Frame, bytes) == 4u, "Frame.bytes follows what is before it");
_Static_assert(offsetof(Frame, pixels) == 8u, "Frame.pixels follows what is before it");
_Static_assert(offsetof(Track, corners) == 0u, "Track.corners follows what is before it");
_Static_assert(offsetof(Track, closed) == 32u, "Track.closed follows what is before it");
_Static_assert(offsetof(Track, filled) == 33u, "Track.filled follows what is before it");
_Static_assert(offsetof(Track, length) == 36u, "Track.length follows what is before it");
_Static_assert(offsetof(Track, path) == 40u, "Track.path follows what is before it");
_Static_assert(offsetof(Tick, nothing) == 0u, "Tick.nothing follows what is before it");
_Static_assert(sizeof(Tick) == 1u, "Tick has no padding");

const char whittle_Point_native_schema[] = "native\n(struct (x float32 (unit \"m\")) (y float32 (unit \"m\")))\n";

const struct whittle_flow_type whittle_Point_native = { .name = "Point", .fingerprint = WHITTLE_BIG_ENDIAN
    ? 0xbfe33f07f129babbull : 0xf8bb4b16a1103fd1ull, .size = sizeof(Point), .alignment = __alignof__(Point),
    .schema = whittle_Point_native_schema, .fixed = sizeof(Point) };

const char whittle_Point_cdr_native_schema[] =
    "cdr_native\n(struct (x float32 (unit \"m\")) (y float32 (unit \"m\")))\n";

const struct whittle_flow_type whittle_Point_cdr_native = { .name = "Point",
    .fingerprint = WHITTLE_BIG_ENDIAN ? 0x43303e829b391123ull : 0x28dd991074417129ull, .size = sizeof(Point),
    .alignment = __alignof__(Point), .schema = whittle_Point_cdr_native_schema, .fixed = sizeof(Point) };

static uint32_t used_Frame(const void *packet)
{
    const Frame *const v = (const Frame *)packet;
    if (v->bytes > 400000)
        return 0;
    return (uint32_t)(offsetof(Frame, pixels) + (size_t)v->bytes);
}

const char whittle_Frame_native_schema[] =
    "native\n(struct (width uint16) (height uint16) (bytes uint32) (pixels (bytes bytes 400000)))\n";

const struct whittle_flow_type whittle_Frame_native = { .name = "Frame", .fingerprint = WHITTLE_BIG_ENDIAN
    ? 0x5d3b5f705fc49fb1ull : 0xe8ed28d7d1815c4full, .size = sizeof(Frame), .alignment = __alignof__(Frame),
    .schema = whittle_Frame_native_schema, .fixed = offsetof(Frame, pixels), .used = used_Frame };

const char whittle_Frame_cdr_native_schema[] =
    "cdr_native\n(struct (width uint16) (height uint16) (bytes uint32) (pixels (bytes bytes 400000)))\n";

const struct whittle_flow_type whittle_Frame_cdr_native = { .name = "Frame",
    .fingerprint = WHITTLE_BIG_ENDIAN ? 0xfd8eadeb6ee3ffc9ull : 0xc04c1fe7a2390f37ull, .size = sizeof(Frame),
    .alignment = __alignof__(Frame), .schema = whittle_Frame_cdr_native_schema,
    .fixed = offsetof(Frame, pixels), .used = used_Frame };

static uint32_t used_Track(const void *packet)
{
    const Track *const v = (const Track *)packet;
    if (v->length > 100)
        return 0;
    return (uint32_t)(offsetof(Track, path) + (size_t)v->length * sizeof(v->path[0]));
}

static bool valid_packet_Track(const void *packet)
{
    const Track *const v = (const Track *)packet;
    if (!whittle_are_truths(&v->closed, 1u))
        return false;
    if (!whittle_are_truths(v->filled, 3u))
        return false;
    return true;
}

const char whittle_Track_native_schema[] =
    "native\n(struct\n  (corners (array 4 @Point))\n  (closed bool)\n  (filled (array 3 bool))\n  (length uint32)\n  (path (array length 100 @Point)))\n(type Point (struct (x float32 (unit \"m\")) (y float32 (unit \"m\"))))\n";

const struct whittle_flow_type whittle_Track_native = { .name = "Track", .fingerprint = WHITTLE_BIG_ENDIAN
    ? 0x4a3adfd655558687ull : 0x37f12bb396671c65ull, .size = sizeof(Track), .alignment = __alignof__(Track),
    .schema = whittle_Track_native_schema, .fixed = offsetof(Track, path), .used = used_Track,
    .valid = valid_packet_Track };

const char whittle_Track_cdr_native_schema[] =
    "cdr_native\n(struct\n  (corners (array 4 @Point))\n  (closed bool)\n  (filled (array 3 bool))\n  (length uint32)\n  (path (array length 100 @Point)))\n(type Point (struct (x float32 (unit \"m\")) (y float32 (unit \"m\"))))\n";

const struct whittle_flow_type whittle_Track_cdr_native = { .name = "Track",
    .fingerprint = WHITTLE_BIG_ENDIAN ? 0x8c2529558c9eb85full : 0x00cede33ee1393cdull, .size = sizeof(Track),
    .alignment = __alignof__(Track), .schema = whittle_Track_cdr_native_schema,
    .fixed = offsetof(Track, path), .used = used_Track, .valid = valid_packet_Track };

const char whittle_Tick_native_schema[] = "native\n(struct (nothing uint8))\n";

const struct whittle_flow_type whittle_Tick_native = { .name = "Tick", .fingerprint = WHITTLE_BIG_ENDIAN
    ? 0x368efaa42f78f29aull : 0xaffad3ad5cf64f36ull, .size = sizeof(Tick), .alignment = __alignof__(Tick),
    .schema = whittle_Tick_native_schema, .fixed = sizeof(Tick) };

const char whittle_Tick_cdr_native_schema[] = "cdr_native\n(struct (nothing uint8))\n";

const struct whittle_flow_type whittle_Tick_cdr_native = { .name = "Tick", .fingerprint = WHITTLE_BIG_ENDIAN
    ? 0x838ba3f14bdaade2ull : 0xb85f90fc7e1d438eull, .size = sizeof(Tick), .alignment = __alignof__(Tick),
    .schema = whittle_Tick_cdr_native_schema, .fixed = sizeof(Tick) };

_Static_assert(sizeof(int16_t) == 2u, "int16_t is a run of words");

static char *encode_Mixed_native(struct whittle_out *out, char *at, const void *value)
{
    const Mixed *v = (const Mixed *)value;
    at = whittle_out_need(out, at, 7u);
    if (at == NULL)
        return NULL;
    memcpy(at, &v->tag, 3u);
    memcpy(at + 3, &v->n, 4u);
    at += 7;
    at = whittle_out_inline_text_and(out, at, v->name, 32, 20u);
    if (at == NULL)
        return NULL;
    if (v->q_count > 10)
        return NULL;
    memcpy(at, &v->p, 16u);
    memcpy(at + 16, &v->q_count, 4u);
    at += 20;
    at = whittle_out_order8(out, at, &v->q[0], (size_t)v->q_count * 4u);
    if (at == NULL)
        return NULL;
    at = whittle_out_need(out, at, 2u);
    if (at == NULL)
        return NULL;
    if (v->few > 5)
        return NULL;
    whittle_put8(at, v->urgent ? 1 : 0);
    memcpy(at + 1, &v->few, 1u);
    at += 2;
    at = whittle_out_order8(out, at, &v->small[0], (size_t)v->few * 2u);
    if (at == NULL)
        return NULL;
    at = whittle_out_need(out, at, 2u);
    if (at == NULL)
        return NULL;
    memcpy(at, &v->kind, 1u);
    memcpy(at + 1, &v->much, 1u);
    at += 2;
    at = whittle_out_bytes(out, at, &v->letters, v->much);
    if (at == NULL)
        return NULL;
    at = whittle_out_need(out, at, 12u);
    if (at == NULL)
        return NULL;
    if (v->words_count > 3)
        return NULL;
    memcpy(at, &v->at, 8u);
    memcpy(at + 8, &v->words_count, 4u);
    at += 12;
    const uint32_t i4_count = v->words_count;
    for (uint32_t i4 = 0; i4 < i4_count; i4++) {
        at = whittle_out_inline_text_each(out, at, v->words[i4], 8, 0u);
        if (at == NULL)
            return NULL;
    }
    at = whittle_out_need(out, at, 8u);
    if (at == NULL)
        return NULL;
    if (v->inner.bytes > 400000)
        return NULL;
    memcpy(at, &v->inner.width, 2u);
    memcpy(at + 2, &v->inner.height, 2u);
    memcpy(at + 4, &v->inner.bytes, 4u);
    at += 8;
    return whittle_out_bytes(out, at, &v->inner.pixels, v->inner.bytes);
}

static const char *decode_Mixed_native(struct whittle_in *in, const char *at, void *value)
{
    Mixed *v = (Mixed *)value;
    at = whittle_in_need(in, at, 11u);
    if (at == NULL)
        return NULL;
    memcpy(&v->tag, at, 3u);
    memcpy(&v->n, at + 3, 4u);
    const uint32_t name_length = whittle_get32_host(at + 7);
    at += 11;
    at = whittle_in_inline_text_and(in, at, v->name, name_length, 32, 20u);
    if (at == NULL)
        return NULL;
    memcpy(&v->p, at, 16u);
    memcpy(&v->q_count, at + 16, 4u);
    at += 20;
    if (v->q_count > 10)
        return NULL;
    at = whittle_in_order8(in, at, &v->q[0], (size_t)v->q_count * 4u);
    if (at == NULL)
        return NULL;
    at = whittle_in_need(in, at, 2u);
    if (at == NULL)
        return NULL;
    v->urgent = whittle_get8(at) != 0;
    if (whittle_get8(at) > 1u)
        return NULL;
    memcpy(&v->few, at + 1, 1u);
    at += 2;
    if (v->few > 5)
        return NULL;
    at = whittle_in_order8(in, at, &v->small[0], (size_t)v->few * 2u);
    if (at == NULL)
        return NULL;
    at = whittle_in_need(in, at, 2u);
    if (at == NULL)
        return NULL;
    memcpy(&v->kind, at, 1u);
    memcpy(&v->much, at + 1, 1u);
    at += 2;
    at = whittle_in_bytes(in, at, &v->letters, v->much);
    if (at == NULL)
        return NULL;
    at = whittle_in_need(in, at, 12u);
    if (at == NULL)
        return NULL;
    memcpy(&v->at, at, 8u);
    memcpy(&v->words_count, at + 8, 4u);
    at += 12;
    if (v->words_count > 3)
        return NULL;
    const uint32_t i4_count = v->words_count;
    for (uint32_t i4 = 0; i4 < i4_count; i4++) {
        at = whittle_in_need(in, at, 4u);
        if (at == NULL)
            return NULL;
        const uint32_t words_length = whittle_get32_host(at);
        at += 4;
        at = whittle_in_inline_text_each(in, at, v->words[i4], words_length, 8, 0u);
        if (at == NULL)
            return NULL;
    }
    at = whittle_in_need(in, at, 8u);
    if (at == NULL)
        return NULL;
    memcpy(&v->inner.width, at, 2u);
    memcpy(&v->inner.height, at + 2, 2u);
    memcpy(&v->inner.bytes, at + 4, 4u);
    at += 8;
    if (v->inner.bytes > 400000)
        return NULL;
    return whittle_in_bytes(in, at, &v->inner.pixels, v->inner.bytes);
}

static size_t write_Mixed_native(const void *packet, uint8_t *at, size_t room)
{
    return whittle_write(packet, at, room, true, encode_Mixed_native);
}

static bool read_Mixed_native(void *packet, const uint8_t *at, size_t bytes)
{
    return whittle_read(packet, at, bytes, true, decode_Mixed_native, NULL);
}

const char whittle_Mixed_native_schema[] =
    "native\n(struct\n  (tag (bytes 3))\n  (n uint32)\n  (name (text 32))\n  (p (array 2 @Point))\n  (q_count uint32)\n  (q (array q_count 10 float32))\n  (urgent bool)\n  (few uint8)\n  (small (array few 5 int16))\n  (kind uint8)\n  (much uint8)\n  (letters (bytes much 255))\n  (at int64 (unit \"us\"))\n  (words_count uint32)\n  (words (array words_count 3 (text 8)))\n  (inner @Frame))\n(type Frame (struct (width uint16) (height uint16) (bytes uint32) (pixels (bytes bytes 400000))))\n(type Point (struct (x float32 (unit \"m\")) (y float32 (unit \"m\"))))\n";

const struct whittle_flow_type whittle_Mixed_native = { .name = "Mixed", .fingerprint = WHITTLE_BIG_ENDIAN
    ? 0x34497583ebff5a12ull : 0x045ad8ed0f44cc9eull, .size = sizeof(Mixed), .alignment = __alignof__(Mixed),
    .schema = whittle_Mixed_native_schema, .largest = 400428u, .encode = write_Mixed_native,
    .decode = read_Mixed_native };

_Static_assert(sizeof(Point) == 8u, "Point is a run of words");

static char *encode_Point_xdr(struct whittle_out *out, char *at, const void *value)
{
    const Point *v = (const Point *)value;
    at = whittle_out_need(out, at, 8u);
    if (at == NULL)
        return NULL;
    whittle_order32(at, v, 2u);
    at += 8;
    return at;
}

static const char *decode_Point_xdr(struct whittle_in *in, const char *at, void *value)
{
    Point *v = (Point *)value;
    at = whittle_in_need(in, at, 8u);
    if (at == NULL)
        return NULL;
    whittle_order32(v, at, 2u);
    at += 8;
    return at;
}

static char *encode_Frame_xdr(struct whittle_out *out, char *at, const void *value)
{
    const Frame *v = (const Frame *)value;
    at = whittle_out_need(out, at, 12u);
    if (at == NULL)
        return NULL;
    if (v->bytes > 400000)
        return NULL;
    whittle_put32(at, (uint32_t)v->width);
    whittle_put32(at + 4, (uint32_t)v->height);
    whittle_put32(at + 8, (uint32_t)v->bytes);
    at += 12;
    return whittle_out_bytes(out, at, &v->pixels, v->bytes);
}

static const char *decode_Frame_xdr(struct whittle_in *in, const char *at, void *value)
{
    Frame *v = (Frame *)value;
    at = whittle_in_need(in, at, 12u);
    if (at == NULL)
        return NULL;
    v->width = (uint16_t)whittle_get32(at);
    if ((uint32_t)(uint16_t)v->width != whittle_get32(at))
        return NULL;
    v->height = (uint16_t)whittle_get32(at + 4);
    if ((uint32_t)(uint16_t)v->height != whittle_get32(at + 4))
        return NULL;
    v->bytes = (uint32_t)whittle_get32(at + 8);
    at += 12;
    if (v->bytes > 400000)
        return NULL;
    return whittle_in_bytes(in, at, &v->pixels, v->bytes);
}

static char *encode_Track_xdr(struct whittle_out *out, char *at, const void *value)
{
    const Track *v = (const Track *)value;
    at = whittle_out_need(out, at, 52u);
    if (at == NULL)
        return NULL;
    whittle_order32(at, &v->corners, 8u);
    whittle_put32(at + 32, v->closed ? 1 : 0);
    at += 36;
    for (uint32_t i2 = 0; i2 < 3u; i2++) {
        whittle_put32(at, v->filled[i2] ? 1 : 0);
        at += 4;
    }
    if (v->length > 100)
        return NULL;
    whittle_put32(at, (uint32_t)v->length);
    at += 4;
    return whittle_out_order32(out, at, &v->path[0], (size_t)v->length * 2u);
}

static const char *decode_Track_xdr(struct whittle_in *in, const char *at, void *value)
{
    Track *v = (Track *)value;
    at = whittle_in_need(in, at, 52u);
    if (at == NULL)
        return NULL;
    whittle_order32(&v->corners, at, 8u);
    v->closed = whittle_get32(at + 32) != 0;
    if (whittle_get32(at + 32) > 1u)
        return NULL;
    at += 36;
    for (uint32_t i2 = 0; i2 < 3u; i2++) {
        v->filled[i2] = whittle_get32(at) != 0;
        if (whittle_get32(at) > 1u)
            return NULL;
        at += 4;
    }
    v->length = (uint32_t)whittle_get32(at);
    at += 4;
    if (v->length > 100)
        return NULL;
    return whittle_in_order32(in, at, &v->path[0], (size_t)v->length * 2u);
}

static char *encode_Mixed_xdr(struct whittle_out *out, char *at, const void *value)
{
    const Mixed *v = (const Mixed *)value;
    at = whittle_out_need(out, at, 8u);
    if (at == NULL)
        return NULL;
    memcpy(at, &v->tag, 3u);
    memset(at + 3, 0, 1u);
    whittle_put32(at + 4, (uint32_t)v->n);
    at += 8;
    at = whittle_out_inline_text_and(out, at, v->name, 32, 20u);
    if (at == NULL)
        return NULL;
    if (v->q_count > 10)
        return NULL;
    whittle_order32(at, &v->p, 4u);
    whittle_put32(at + 16, (uint32_t)v->q_count);
    at += 20;
    at = whittle_out_order32(out, at, &v->q[0], v->q_count);
    if (at == NULL)
        return NULL;
    at = whittle_out_need(out, at, 8u);
    if (at == NULL)
        return NULL;
    if (v->few > 5)
        return NULL;
    whittle_put32(at, v->urgent ? 1 : 0);
    whittle_put32(at + 4, (uint32_t)(uint8_t)v->few);
    at += 8;
    const uint32_t i3_count = v->few;
    for (uint32_t i3 = 0; i3 < i3_count;) {
        const uint32_t i3_end = i3_count - i3 > 896u ? i3 + 896u : i3_count;
        at = whittle_out_need(out, at, (size_t)(i3_end - i3) * 4u);
        if (at == NULL)
            return NULL;
        for (; i3 < i3_end; i3++) {
            whittle_put32(at, (uint32_t)v->small[i3]);
            at += 4;
        }
    }
    at = whittle_out_need(out, at, 8u);
    if (at == NULL)
        return NULL;
    whittle_put32(at, (uint32_t)(uint8_t)v->kind);
    whittle_put32(at + 4, (uint32_t)(uint8_t)v->much);
    at += 8;
    at = whittle_out_bytes(out, at, &v->letters, v->much);
    if (at == NULL)
        return NULL;
    at = whittle_out_need(out, at, 12u);
    if (at == NULL)
        return NULL;
    if (v->words_count > 3)
        return NULL;
    whittle_put64(at, (uint64_t)v->at);
    whittle_put32(at + 8, (uint32_t)v->words_count);
    at += 12;
    const uint32_t i4_count = v->words_count;
    for (uint32_t i4 = 0; i4 < i4_count; i4++) {
        at = whittle_out_inline_text_each(out, at, v->words[i4], 8, 0u);
        if (at == NULL)
            return NULL;
    }
    at = whittle_out_need(out, at, 12u);
    if (at == NULL)
        return NULL;
    if (v->inner.bytes > 400000)
        return NULL;
    whittle_put32(at, (uint32_t)v->inner.width);
    whittle_put32(at + 4, (uint32_t)v->inner.height);
    whittle_put32(at + 8, (uint32_t)v->inner.bytes);
    at += 12;
    return whittle_out_bytes(out, at, &v->inner.pixels, v->inner.bytes);
}

static const char *decode_Mixed_xdr(struct whittle_in *in, const char *at, void *value)
{
    Mixed *v = (Mixed *)value;
    at = whittle_in_need(in, at, 12u);
    if (at == NULL)
        return NULL;
    memcpy(&v->tag, at, 3u);
    v->n = (uint32_t)whittle_get32(at + 4);
    const uint32_t name_length = whittle_get32(at + 8);
    at += 12;
    at = whittle_in_inline_text_and(in, at, v->name, name_length, 32, 20u);
    if (at == NULL)
        return NULL;
    whittle_order32(&v->p, at, 4u);
    v->q_count = (uint32_t)whittle_get32(at + 16);
    at += 20;
    if (v->q_count > 10)
        return NULL;
    at = whittle_in_order32(in, at, &v->q[0], v->q_count);
    if (at == NULL)
        return NULL;
    at = whittle_in_need(in, at, 8u);
    if (at == NULL)
        return NULL;
    v->urgent = whittle_get32(at) != 0;
    if (whittle_get32(at) > 1u)
        return NULL;
    v->few = (uint8_t)whittle_get32(at + 4);
    if ((uint32_t)(uint8_t)v->few != whittle_get32(at + 4))
        return NULL;
    at += 8;
    if (v->few > 5)
        return NULL;
    const uint32_t i3_count = v->few;
    for (uint32_t i3 = 0; i3 < i3_count;) {
        const uint32_t i3_end = i3_count - i3 > 896u ? i3 + 896u : i3_count;
        at = whittle_in_need(in, at, (size_t)(i3_end - i3) * 4u);
        if (at == NULL)
            return NULL;
        for (; i3 < i3_end; i3++) {
            v->small[i3] = (int16_t)whittle_get32(at);
            if ((uint32_t)(int16_t)v->small[i3] != whittle_get32(at))
                return NULL;
            at += 4;
        }
    }
    at = whittle_in_need(in, at, 8u);
    if (at == NULL)
        return NULL;
    v->kind = (char)whittle_get32(at);
    if ((uint32_t)(uint8_t)v->kind != whittle_get32(at))
        return NULL;
    v->much = (uint8_t)whittle_get32(at + 4);
    if ((uint32_t)(uint8_t)v->much != whittle_get32(at + 4))
        return NULL;
    at += 8;
    at = whittle_in_bytes(in, at, &v->letters, v->much);
    if (at == NULL)
        return NULL;
    at = whittle_in_need(in, at, 12u);
    if (at == NULL)
        return NULL;
    v->at = (int64_t)whittle_get64(at);
    v->words_count = (uint32_t)whittle_get32(at + 8);
    at += 12;
    if (v->words_count > 3)
        return NULL;
    const uint32_t i4_count = v->words_count;
    for (uint32_t i4 = 0; i4 < i4_count; i4++) {
        at = whittle_in_need(in, at, 4u);
        if (at == NULL)
            return NULL;
        const uint32_t words_length = whittle_get32(at);
        at += 4;
        at = whittle_in_inline_text_each(in, at, v->words[i4], words_length, 8, 0u);
        if (at == NULL)
            return NULL;
    }
    at = whittle_in_need(in, at, 12u);
    if (at == NULL)
        return NULL;
    v->inner.width = (uint16_t)whittle_get32(at);
    if ((uint32_t)(uint16_t)v->inner.width != whittle_get32(at))
        return NULL;
    v->inner.height = (uint16_t)whittle_get32(at + 4);
    if ((uint32_t)(uint16_t)v->inner.height != whittle_get32(at + 4))
        return NULL;
    v->inner.bytes = (uint32_t)whittle_get32(at + 8);
    at += 12;
    if (v->inner.bytes > 400000)
        return NULL;
    return whittle_in_bytes(in, at, &v->inner.pixels, v->inner.bytes);
}

static char *encode_Tick_xdr(struct whittle_out *out, char *at, const void *value)
{
    const Tick *v = (const Tick *)value;
    at = whittle_out_need(out, at, 4u);
    if (at == NULL)
        return NULL;
    whittle_put32(at, (uint32_t)(uint8_t)v->nothing);
    at += 4;
    return at;
}

static const char *decode_Tick_xdr(struct whittle_in *in, const char *at, void *value)
{
    Tick *v = (Tick *)value;
    at = whittle_in_need(in, at, 4u);
    if (at == NULL)
        return NULL;
    v->nothing = (uint8_t)whittle_get32(at);
    if ((uint32_t)(uint8_t)v->nothing != whittle_get32(at))
        return NULL;
    at += 4;
    return at;
}

static size_t write_Point_xdr(const void *packet, uint8_t *at, size_t room)
{
    return whittle_write(packet, at, room, false, encode_Point_xdr);
}

static bool read_Point_xdr(void *packet, const uint8_t *at, size_t bytes)
{
    return whittle_read(packet, at, bytes, false, decode_Point_xdr, NULL);
}

const char whittle_Point_xdr_schema[] = "xdr\n(struct (x float32 (unit \"m\")) (y float32 (unit \"m\")))\n";

const struct whittle_flow_type whittle_Point_xdr = { .name = "Point", .fingerprint = 0x24ca123d663ff352ull,
    .size = sizeof(Point), .alignment = __alignof__(Point), .schema = whittle_Point_xdr_schema,
    .largest = 8u, .encode = write_Point_xdr, .decode = read_Point_xdr };

static size_t write_Frame_xdr(const void *packet, uint8_t *at, size_t room)
{
    return whittle_write(packet, at, room, false, encode_Frame_xdr);
}

static bool read_Frame_xdr(void *packet, const uint8_t *at, size_t bytes)
{
    return whittle_read(packet, at, bytes, false, decode_Frame_xdr, NULL);
}

const char whittle_Frame_xdr_schema[] =
    "xdr\n(struct (width uint16) (height uint16) (bytes uint32) (pixels (bytes bytes 400000)))\n";

const struct whittle_flow_type whittle_Frame_xdr = { .name = "Frame", .fingerprint = 0x791e7207a4adfec4ull,
    .size = sizeof(Frame), .alignment = __alignof__(Frame), .schema = whittle_Frame_xdr_schema,
    .largest = 400012u, .encode = write_Frame_xdr, .decode = read_Frame_xdr };

static size_t write_Track_xdr(const void *packet, uint8_t *at, size_t room)
{
    return whittle_write(packet, at, room, false, encode_Track_xdr);
}

static bool read_Track_xdr(void *packet, const uint8_t *at, size_t bytes)
{
    return whittle_read(packet, at, bytes, false, decode_Track_xdr, NULL);
}

const char whittle_Track_xdr_schema[] =
    "xdr\n(struct\n  (corners (array 4 @Point))\n  (closed bool)\n  (filled (array 3 bool))\n  (length uint32)\n  (path (array length 100 @Point)))\n(type Point (struct (x float32 (unit \"m\")) (y float32 (unit \"m\"))))\n";

const struct whittle_flow_type whittle_Track_xdr = { .name = "Track", .fingerprint = 0xce1c57cd7153778eull,
    .size = sizeof(Track), .alignment = __alignof__(Track), .schema = whittle_Track_xdr_schema,
    .largest = 852u, .encode = write_Track_xdr, .decode = read_Track_xdr };

static size_t write_Mixed_xdr(const void *packet, uint8_t *at, size_t room)
{
    return whittle_write(packet, at, room, false, encode_Mixed_xdr);
}

static bool read_Mixed_xdr(void *packet, const uint8_t *at, size_t bytes)
{
    return whittle_read(packet, at, bytes, false, decode_Mixed_xdr, NULL);
}

const char whittle_Mixed_xdr_schema[] =
    "xdr\n(struct\n  (tag (bytes 3))\n  (n uint32)\n  (name (text 32))\n  (p (array 2 @Point))\n  (q_count uint32)\n  (q (array q_count 10 float32))\n  (urgent bool)\n  (few uint8)\n  (small (array few 5 int16))\n  (kind uint8)\n  (much uint8)\n  (letters (bytes much 255))\n  (at int64 (unit \"us\"))\n  (words_count uint32)\n  (words (array words_count 3 (text 8)))\n  (inner @Frame))\n(type Frame (struct (width uint16) (height uint16) (bytes uint32) (pixels (bytes bytes 400000))))\n(type Point (struct (x float32 (unit \"m\")) (y float32 (unit \"m\"))))\n";

const struct whittle_flow_type whittle_Mixed_xdr = { .name = "Mixed", .fingerprint = 0x74f7023b6d893f95ull,
    .size = sizeof(Mixed), .alignment = __alignof__(Mixed), .schema = whittle_Mixed_xdr_schema,
    .largest = 400456u, .encode = write_Mixed_xdr, .decode = read_Mixed_xdr };

static size_t write_Tick_xdr(const void *packet, uint8_t *at, size_t room)
{
    return whittle_write(packet, at, room, false, encode_Tick_xdr);
}

static bool read_Tick_xdr(void *packet, const uint8_t *at, size_t bytes)
{
    return whittle_read(packet, at, bytes, false, decode_Tick_xdr, NULL);
}

const char whittle_Tick_xdr_schema[] = "xdr\n(struct (nothing uint8))\n";

const struct whittle_flow_type whittle_Tick_xdr = { .name = "Tick", .fingerprint = 0xddef404f72b0f481ull,
    .size = sizeof(Tick), .alignment = __alignof__(Tick), .schema = whittle_Tick_xdr_schema, .largest = 4u,
    .encode = write_Tick_xdr, .decode = read_Tick_xdr };

_Static_assert(sizeof(Point) == 8u, "Point is a run of words");

static char *encode_Point_cdr(struct whittle_cdr_out *out, char *at, const void *value)
{
    const Point *v = (const Point *)value;
    at = whittle_cdr_out_need(out, at, 8u);
    if (at == NULL)
        return NULL;
    whittle_order32(at, v, 2u);
    at += 8;
    return at;
}

static const char *decode_Point_cdr(struct whittle_cdr_in *in, const char *at, void *value)
{
    Point *v = (Point *)value;
    at = whittle_cdr_in_need(in, at, 8u);
    if (at == NULL)
        return NULL;
    whittle_order32(v, at, 2u);
    at += 8;
    return at;
}

static char *encode_Frame_cdr(struct whittle_cdr_out *out, char *at, const void *value)
{
    const Frame *v = (const Frame *)value;
    at = whittle_cdr_out_need(out, at, 8u);
    if (at == NULL)
        return NULL;
    if (v->bytes > 400000)
        return NULL;
    whittle_put16(at, (uint16_t)v->width);
    whittle_put16(at + 2, (uint16_t)v->height);
    whittle_put32(at + 4, (uint32_t)v->bytes);
    at += 8;
    return whittle_cdr_out_bytes(out, at, &v->pixels, v->bytes);
}

static const char *decode_Frame_cdr(struct whittle_cdr_in *in, const char *at, void *value)
{
    Frame *v = (Frame *)value;
    at = whittle_cdr_in_need(in, at, 8u);
    if (at == NULL)
        return NULL;
    v->width = (uint16_t)whittle_get16(at);
    v->height = (uint16_t)whittle_get16(at + 2);
    v->bytes = (uint32_t)whittle_get32(at + 4);
    at += 8;
    if (v->bytes > 400000)
        return NULL;
    return whittle_cdr_in_bytes(in, at, &v->pixels, v->bytes);
}

static char *encode_Track_cdr(struct whittle_cdr_out *out, char *at, const void *value)
{
    const Track *v = (const Track *)value;
    at = whittle_cdr_out_need(out, at, 40u);
    if (at == NULL)
        return NULL;
    whittle_order32(at, &v->corners, 8u);
    whittle_put8(at + 32, v->closed ? 1 : 0);
    at += 33;
    for (uint32_t i2 = 0; i2 < 3u; i2++) {
        whittle_put8(at, v->filled[i2] ? 1 : 0);
        at += 1;
    }
    if (v->length > 100)
        return NULL;
    whittle_put32(at, (uint32_t)v->length);
    at += 4;
    return whittle_cdr_out_order32(out, at, &v->path[0], (size_t)v->length * 2u);
}

static const char *decode_Track_cdr(struct whittle_cdr_in *in, const char *at, void *value)
{
    Track *v = (Track *)value;
    at = whittle_cdr_in_need(in, at, 40u);
    if (at == NULL)
        return NULL;
    whittle_order32(&v->corners, at, 8u);
    v->closed = whittle_get8(at + 32) != 0;
    if (whittle_get8(at + 32) > 1u)
        return NULL;
    at += 33;
    for (uint32_t i2 = 0; i2 < 3u; i2++) {
        v->filled[i2] = whittle_get8(at) != 0;
        if (whittle_get8(at) > 1u)
            return NULL;
        at += 1;
    }
    v->length = (uint32_t)whittle_get32(at);
    at += 4;
    if (v->length > 100)
        return NULL;
    return whittle_cdr_in_order32(in, at, &v->path[0], (size_t)v->length * 2u);
}

static char *encode_Mixed_cdr(struct whittle_cdr_out *out, char *at, const void *value)
{
    const Mixed *v = (const Mixed *)value;
    at = whittle_cdr_out_need(out, at, 8u);
    if (at == NULL)
        return NULL;
    memcpy(at, &v->tag, 3u);
    memset(at + 3, 0, 1u);
    whittle_put32(at + 4, (uint32_t)v->n);
    at += 8;
    at = whittle_cdr_out_inline_text(out, at, v->name, 32, 4u, 20u);
    if (at == NULL)
        return NULL;
    if (v->q_count > 10)
        return NULL;
    whittle_order32(at, &v->p, 4u);
    whittle_put32(at + 16, (uint32_t)v->q_count);
    at += 20;
    at = whittle_cdr_out_order32(out, at, &v->q[0], v->q_count);
    if (at == NULL)
        return NULL;
    at = whittle_cdr_out_need(out, at, 2u);
    if (at == NULL)
        return NULL;
    if (v->few > 5)
        return NULL;
    whittle_put8(at, v->urgent ? 1 : 0);
    whittle_put8(at + 1, (uint32_t)v->few);
    at += 2;
    at = whittle_cdr_out_order16(out, at, &v->small[0], v->few);
    if (at == NULL)
        return NULL;
    at = whittle_cdr_out_need(out, at, 2u);
    if (at == NULL)
        return NULL;
    whittle_put8(at, (uint32_t)v->kind);
    whittle_put8(at + 1, (uint32_t)v->much);
    at += 2;
    at = whittle_cdr_out_bytes_and(out, at, &v->letters, v->much, 8u, 12u);
    if (at == NULL)
        return NULL;
    if (v->words_count > 3)
        return NULL;
    whittle_put64(at, (uint64_t)v->at);
    whittle_put32(at + 8, (uint32_t)v->words_count);
    at += 12;
    const uint32_t i4_count = v->words_count;
    for (uint32_t i4 = 0; i4 < i4_count; i4++) {
        at = whittle_cdr_out_align(out, at, 4u);
        if (at == NULL)
            return NULL;
        at = whittle_cdr_out_inline_text(out, at, v->words[i4], 8, 1u, 0u);
        if (at == NULL)
            return NULL;
    }
    at = whittle_cdr_out_align_and(out, at, 2u, 4u);
    if (at == NULL)
        return NULL;
    whittle_put16(at, (uint16_t)v->inner.width);
    whittle_put16(at + 2, (uint16_t)v->inner.height);
    at += 4;
    at = whittle_cdr_out_align_and(out, at, 4u, 4u);
    if (at == NULL)
        return NULL;
    if (v->inner.bytes > 400000)
        return NULL;
    whittle_put32(at, (uint32_t)v->inner.bytes);
    at += 4;
    return whittle_cdr_out_bytes(out, at, &v->inner.pixels, v->inner.bytes);
}

static const char *decode_Mixed_cdr(struct whittle_cdr_in *in, const char *at, void *value)
{
    Mixed *v = (Mixed *)value;
    at = whittle_cdr_in_need(in, at, 12u);
    if (at == NULL)
        return NULL;
    memcpy(&v->tag, at, 3u);
    v->n = (uint32_t)whittle_get32(at + 4);
    const uint32_t name_length = whittle_get32(at + 8);
    at += 12;
    at = whittle_cdr_in_inline_text(in, at, v->name, name_length, 32, 4u, 20u);
    if (at == NULL)
        return NULL;
    whittle_order32(&v->p, at, 4u);
    v->q_count = (uint32_t)whittle_get32(at + 16);
    at += 20;
    if (v->q_count > 10)
        return NULL;
    at = whittle_cdr_in_order32(in, at, &v->q[0], v->q_count);
    if (at == NULL)
        return NULL;
    at = whittle_cdr_in_need(in, at, 2u);
    if (at == NULL)
        return NULL;
    v->urgent = whittle_get8(at) != 0;
    if (whittle_get8(at) > 1u)
        return NULL;
    v->few = (uint8_t)whittle_get8(at + 1);
    at += 2;
    if (v->few > 5)
        return NULL;
    at = whittle_cdr_in_order16(in, at, &v->small[0], v->few);
    if (at == NULL)
        return NULL;
    at = whittle_cdr_in_need(in, at, 2u);
    if (at == NULL)
        return NULL;
    v->kind = (char)whittle_get8(at);
    v->much = (uint8_t)whittle_get8(at + 1);
    at += 2;
    at = whittle_cdr_in_bytes(in, at, &v->letters, v->much);
    if (at == NULL)
        return NULL;
    at = whittle_cdr_in_align_and(in, at, 8u, 12u);
    if (at == NULL)
        return NULL;
    v->at = (int64_t)whittle_get64(at);
    v->words_count = (uint32_t)whittle_get32(at + 8);
    at += 12;
    if (v->words_count > 3)
        return NULL;
    const uint32_t i4_count = v->words_count;
    for (uint32_t i4 = 0; i4 < i4_count; i4++) {
        at = whittle_cdr_in_align_and(in, at, 4u, 4u);
        if (at == NULL)
            return NULL;
        const uint32_t words_length = whittle_get32(at);
        at += 4;
        at = whittle_cdr_in_inline_text(in, at, v->words[i4], words_length, 8, 1u, 0u);
        if (at == NULL)
            return NULL;
    }
    at = whittle_cdr_in_align_and(in, at, 2u, 4u);
    if (at == NULL)
        return NULL;
    v->inner.width = (uint16_t)whittle_get16(at);
    v->inner.height = (uint16_t)whittle_get16(at + 2);
    at += 4;
    at = whittle_cdr_in_align_and(in, at, 4u, 4u);
    if (at == NULL)
        return NULL;
    v->inner.bytes = (uint32_t)whittle_get32(at);
    at += 4;
    if (v->inner.bytes > 400000)
        return NULL;
    return whittle_cdr_in_bytes(in, at, &v->inner.pixels, v->inner.bytes);
}

static char *encode_Tick_cdr(struct whittle_cdr_out *out, char *at, const void *value)
{
    const Tick *v = (const Tick *)value;
    at = whittle_cdr_out_need(out, at, 1u);
    if (at == NULL)
        return NULL;
    whittle_put8(at, (uint32_t)v->nothing);
    at += 1;
    return at;
}

static const char *decode_Tick_cdr(struct whittle_cdr_in *in, const char *at, void *value)
{
    Tick *v = (Tick *)value;
    at = whittle_cdr_in_need(in, at, 1u);
    if (at == NULL)
        return NULL;
    v->nothing = (uint8_t)whittle_get8(at);
    at += 1;
    return at;
}

static size_t write_Point_cdr(const void *packet, uint8_t *at, size_t room)
{
    return whittle_cdr_write(packet, at, room, encode_Point_cdr);
}

static bool read_Point_cdr(void *packet, const uint8_t *at, size_t bytes)
{
    return whittle_cdr_read(packet, at, bytes, decode_Point_cdr, NULL);
}

const char whittle_Point_cdr_schema[] = "cdr\n(struct (x float32 (unit \"m\")) (y float32 (unit \"m\")))\n";

const struct whittle_flow_type whittle_Point_cdr = { .name = "Point", .fingerprint = 0x8b7c80edb0d9728bull,
    .size = sizeof(Point), .alignment = __alignof__(Point), .schema = whittle_Point_cdr_schema,
    .largest = 8u, .encode = write_Point_cdr, .decode = read_Point_cdr };

static size_t write_Frame_cdr(const void *packet, uint8_t *at, size_t room)
{
    return whittle_cdr_write(packet, at, room, encode_Frame_cdr);
}

static bool read_Frame_cdr(void *packet, const uint8_t *at, size_t bytes)
{
    return whittle_cdr_read(packet, at, bytes, decode_Frame_cdr, NULL);
}

const char whittle_Frame_cdr_schema[] =
    "cdr\n(struct (width uint16) (height uint16) (bytes uint32) (pixels (bytes bytes 400000)))\n";

const struct whittle_flow_type whittle_Frame_cdr = { .name = "Frame", .fingerprint = 0xabbfffb9a4c4a851ull,
    .size = sizeof(Frame), .alignment = __alignof__(Frame), .schema = whittle_Frame_cdr_schema,
    .largest = 400008u, .encode = write_Frame_cdr, .decode = read_Frame_cdr };

static size_t write_Track_cdr(const void *packet, uint8_t *at, size_t room)
{
    return whittle_cdr_write(packet, at, room, encode_Track_cdr);
}

static bool read_Track_cdr(void *packet, const uint8_t *at, size_t bytes)
{
    return whittle_cdr_read(packet, at, bytes, decode_Track_cdr, NULL);
}

const char whittle_Track_cdr_schema[] =
    "cdr\n(struct\n  (corners (array 4 @Point))\n  (closed bool)\n  (filled (array 3 bool))\n  (length uint32)\n  (path (array length 100 @Point)))\n(type Point (struct (x float32 (unit \"m\")) (y float32 (unit \"m\"))))\n";

const struct whittle_flow_type whittle_Track_cdr = { .name = "Track", .fingerprint = 0xad54ebb69506de8bull,
    .size = sizeof(Track), .alignment = __alignof__(Track), .schema = whittle_Track_cdr_schema,
    .largest = 843u, .encode = write_Track_cdr, .decode = read_Track_cdr };

static size_t write_Mixed_cdr(const void *packet, uint8_t *at, size_t room)
{
    return whittle_cdr_write(packet, at, room, encode_Mixed_cdr);
}

static bool read_Mixed_cdr(void *packet, const uint8_t *at, size_t bytes)
{
    return whittle_cdr_read(packet, at, bytes, decode_Mixed_cdr, NULL);
}

const char whittle_Mixed_cdr_schema[] =
    "cdr\n(struct\n  (tag (bytes 3))\n  (n uint32)\n  (name (text 32))\n  (p (array 2 @Point))\n  (q_count uint32)\n  (q (array q_count 10 float32))\n  (urgent bool)\n  (few uint8)\n  (small (array few 5 int16))\n  (kind uint8)\n  (much uint8)\n  (letters (bytes much 255))\n  (at int64 (unit \"us\"))\n  (words_count uint32)\n  (words (array words_count 3 (text 8)))\n  (inner @Frame))\n(type Frame (struct (width uint16) (height uint16) (bytes uint32) (pixels (bytes bytes 400000))))\n(type Point (struct (x float32 (unit \"m\")) (y float32 (unit \"m\"))))\n";

const struct whittle_flow_type whittle_Mixed_cdr = { .name = "Mixed", .fingerprint = 0xe751283770ff24e4ull,
    .size = sizeof(Mixed), .alignment = __alignof__(Mixed), .schema = whittle_Mixed_cdr_schema,
    .largest = 400461u, .encode = write_Mixed_cdr, .decode = read_Mixed_cdr };

static size_t write_Tick_cdr(const void *packet, uint8_t *at, size_t room)
{
    return whittle_cdr_write(packet, at, room, encode_Tick_cdr);
}

static bool read_Tick_cdr(void *packet, const uint8_t *at, size_t bytes)
{
    return whittle_cdr_read(packet, at, bytes, decode_Tick_cdr, NULL);
}

const char whittle_Tick_cdr_schema[] = "cdr\n(struct (nothing uint8))\n";

const struct whittle_flow_type whittle_Tick_cdr = { .name = "Tick", .fingerprint = 0x112da8a3e38a8e44ull,
    .size = sizeof(Tick), .alignment = __alignof__(Tick), .schema = whittle_Tick_cdr_schema, .largest = 1u,
    .encode = write_Tick_cdr, .decode = read_Tick_cdr };

_Static_assert(sizeof(int16_t) == 2u, "int16_t is a run of words");

static char *encode_Mixed_cdr_native(struct whittle_cdr_out *out, char *at, const void *value)
{
    const Mixed *v = (const Mixed *)value;
    at = whittle_cdr_out_need(out, at, 8u);
    if (at == NULL)
        return NULL;
    memcpy(at, &v->tag, 3u);
    memset(at + 3, 0, 1u);
    memcpy(at + 4, &v->n, 4u);
    at += 8;
    at = whittle_cdr_out_inline_text_host(out, at, v->name, 32, 4u, 20u);
    if (at == NULL)
        return NULL;
    if (v->q_count > 10)
        return NULL;
    memcpy(at, &v->p, 16u);
    memcpy(at + 16, &v->q_count, 4u);
    at += 20;
    at = whittle_cdr_out_bytes_and(out, at, &v->q[0], (size_t)v->q_count * 4u, 1u, 2u);
    if (at == NULL)
        return NULL;
    if (v->few > 5)
        return NULL;
    whittle_put8(at, v->urgent ? 1 : 0);
    memcpy(at + 1, &v->few, 1u);
    at += 2;
    at = whittle_cdr_out_bytes_and(out, at, &v->small[0], (size_t)v->few * 2u, 1u, 2u);
    if (at == NULL)
        return NULL;
    memcpy(at, &v->kind, 1u);
    memcpy(at + 1, &v->much, 1u);
    at += 2;
    at = whittle_cdr_out_bytes_and(out, at, &v->letters, v->much, 8u, 12u);
    if (at == NULL)
        return NULL;
    if (v->words_count > 3)
        return NULL;
    memcpy(at, &v->at, 8u);
    memcpy(at + 8, &v->words_count, 4u);
    at += 12;
    const uint32_t i4_count = v->words_count;
    for (uint32_t i4 = 0; i4 < i4_count; i4++) {
        at = whittle_cdr_out_align(out, at, 4u);
        if (at == NULL)
            return NULL;
        at = whittle_cdr_out_inline_text_host(out, at, v->words[i4], 8, 1u, 0u);
        if (at == NULL)
            return NULL;
    }
    at = whittle_cdr_out_align_and(out, at, 2u, 4u);
    if (at == NULL)
        return NULL;
    memcpy(at, &v->inner.width, 2u);
    memcpy(at + 2, &v->inner.height, 2u);
    at += 4;
    at = whittle_cdr_out_align_and(out, at, 4u, 4u);
    if (at == NULL)
        return NULL;
    if (v->inner.bytes > 400000)
        return NULL;
    memcpy(at, &v->inner.bytes, 4u);
    at += 4;
    return whittle_cdr_out_bytes(out, at, &v->inner.pixels, v->inner.bytes);
}

static const char *decode_Mixed_cdr_native(struct whittle_cdr_in *in, const char *at, void *value)
{
    Mixed *v = (Mixed *)value;
    at = whittle_cdr_in_need(in, at, 12u);
    if (at == NULL)
        return NULL;
    memcpy(&v->tag, at, 3u);
    memcpy(&v->n, at + 4, 4u);
    const uint32_t name_length = whittle_get32_host(at + 8);
    at += 12;
    at = whittle_cdr_in_inline_text(in, at, v->name, name_length, 32, 4u, 20u);
    if (at == NULL)
        return NULL;
    memcpy(&v->p, at, 16u);
    memcpy(&v->q_count, at + 16, 4u);
    at += 20;
    if (v->q_count > 10)
        return NULL;
    at = whittle_cdr_in_order8(in, at, &v->q[0], (size_t)v->q_count * 4u);
    if (at == NULL)
        return NULL;
    at = whittle_cdr_in_need(in, at, 2u);
    if (at == NULL)
        return NULL;
    v->urgent = whittle_get8(at) != 0;
    if (whittle_get8(at) > 1u)
        return NULL;
    memcpy(&v->few, at + 1, 1u);
    at += 2;
    if (v->few > 5)
        return NULL;
    at = whittle_cdr_in_order8(in, at, &v->small[0], (size_t)v->few * 2u);
    if (at == NULL)
        return NULL;
    at = whittle_cdr_in_need(in, at, 2u);
    if (at == NULL)
        return NULL;
    memcpy(&v->kind, at, 1u);
    memcpy(&v->much, at + 1, 1u);
    at += 2;
    at = whittle_cdr_in_bytes(in, at, &v->letters, v->much);
    if (at == NULL)
        return NULL;
    at = whittle_cdr_in_align_and(in, at, 8u, 12u);
    if (at == NULL)
        return NULL;
    memcpy(&v->at, at, 8u);
    memcpy(&v->words_count, at + 8, 4u);
    at += 12;
    if (v->words_count > 3)
        return NULL;
    const uint32_t i4_count = v->words_count;
    for (uint32_t i4 = 0; i4 < i4_count; i4++) {
        at = whittle_cdr_in_align_and(in, at, 4u, 4u);
        if (at == NULL)
            return NULL;
        const uint32_t words_length = whittle_get32_host(at);
        at += 4;
        at = whittle_cdr_in_inline_text(in, at, v->words[i4], words_length, 8, 1u, 0u);
        if (at == NULL)
            return NULL;
    }
    at = whittle_cdr_in_align_and(in, at, 2u, 4u);
    if (at == NULL)
        return NULL;
    memcpy(&v->inner.width, at, 2u);
    memcpy(&v->inner.height, at + 2, 2u);
    at += 4;
    at = whittle_cdr_in_align_and(in, at, 4u, 4u);
    if (at == NULL)
        return NULL;
    memcpy(&v->inner.bytes, at, 4u);
    at += 4;
    if (v->inner.bytes > 400000)
        return NULL;
    return whittle_cdr_in_bytes(in, at, &v->inner.pixels, v->inner.bytes);
}

static size_t write_Mixed_cdr_native(const void *packet, uint8_t *at, size_t room)
{
    return whittle_cdr_write(packet, at, room, encode_Mixed_cdr_native);
}

static bool read_Mixed_cdr_native(void *packet, const uint8_t *at, size_t bytes)
{
    return whittle_cdr_read(packet, at, bytes, decode_Mixed_cdr_native, NULL);
}

const char whittle_Mixed_cdr_native_schema[] =
    "cdr_native\n(struct\n  (tag (bytes 3))\n  (n uint32)\n  (name (text 32))\n  (p (array 2 @Point))\n  (q_count uint32)\n  (q (array q_count 10 float32))\n  (urgent bool)\n  (few uint8)\n  (small (array few 5 int16))\n  (kind uint8)\n  (much uint8)\n  (letters (bytes much 255))\n  (at int64 (unit \"us\"))\n  (words_count uint32)\n  (words (array words_count 3 (text 8)))\n  (inner @Frame))\n(type Frame (struct (width uint16) (height uint16) (bytes uint32) (pixels (bytes bytes 400000))))\n(type Point (struct (x float32 (unit \"m\")) (y float32 (unit \"m\"))))\n";

const struct whittle_flow_type whittle_Mixed_cdr_native = { .name = "Mixed",
    .fingerprint = WHITTLE_BIG_ENDIAN ? 0x0539083eac5e490aull : 0xa6bac33206018146ull, .size = sizeof(Mixed),
    .alignment = __alignof__(Mixed), .schema = whittle_Mixed_cdr_native_schema, .largest = 400461u,
    .encode = write_Mixed_cdr_native, .decode = read_Mixed_cdr_native };

