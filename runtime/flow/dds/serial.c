/* SPDX-License-Identifier: MIT-0 */
/*
 * Samples as Cyclone DDS keeps them: the bytes that travel, as they are. In goes a type's name, out comes a topic; in go bytes of CDR in
 * this machine's order, out come the bytes of a sample. Neither is looked at here. A sample of the other order, or one longer than the
 * type can be, has no bytes: who takes it counts it.
 * Source: Cyclone DDS 0.10, ddsi_sertype.h, ddsi_serdata.h, q_radmin.h; "DDS Interoperability Wire Protocol", 2.5, section 10.2.
 */
#include "transport.h"
#include <dds/ddsi/q_radmin.h>
#include <stdlib.h>
#include <string.h>

/* Before the value stands how it is encoded: CDR, in which order, and how many bytes of the end are padding. */
enum { WHITTLE_FLOW_DDS_FORM = 4, WHITTLE_FLOW_DDS_ORDER = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ };

struct whittle_flow_dds_bytes {
    struct ddsi_serdata head;
    uint32_t size;                      /* of the form, the value and its padding */
    uint32_t count;                     /* of the value */
    _Alignas(8) unsigned char before[WHITTLE_FLOW_DDS_FORM];
    unsigned char form[WHITTLE_FLOW_DDS_FORM];
    unsigned char value[];              /* at a multiple of 8 */
};

struct whittle_flow_dds_type {
    struct ddsi_sertype head;
    uint64_t largest;
};

static struct whittle_flow_dds_bytes *whittle_flow_dds_make(const struct ddsi_sertype *type, enum ddsi_serdata_kind kind, uint64_t room)
{
    struct whittle_flow_dds_bytes *const bytes = calloc(1, sizeof *bytes + room + WHITTLE_FLOW_DDS_FORM);
    if (bytes == NULL)
        return NULL;
    ddsi_serdata_init(&bytes->head, type, kind);
    bytes->head.hash = type->serdata_basehash;
    bytes->form[1] = WHITTLE_FLOW_DDS_ORDER;
    bytes->size = WHITTLE_FLOW_DDS_FORM;
    return bytes;
}

struct whittle_flow_dds_bytes *whittle_flow_dds_new(const struct ddsi_sertype *type, uint64_t most)
{
    return whittle_flow_dds_make(type, SDK_DATA, most);
}

unsigned char *whittle_flow_dds_value(struct whittle_flow_dds_bytes *bytes, uint64_t *count)
{
    if (count != NULL)
        *count = bytes->count;
    return bytes->value;
}

void whittle_flow_dds_set(struct whittle_flow_dds_bytes *bytes, uint64_t count)
{
    const uint32_t padding = (uint32_t)(-count & 3u);
    memset(bytes->value + count, 0, padding);
    bytes->count = (uint32_t)count;
    bytes->size = WHITTLE_FLOW_DDS_FORM + (uint32_t)count + padding;
    bytes->form[3] = (unsigned char)padding;
}

void whittle_flow_dds_free(struct whittle_flow_dds_bytes *bytes)
{
    if (bytes != NULL)
        ddsi_serdata_unref(&bytes->head);
}

/* The bytes are still the caller's. */
dds_return_t whittle_flow_dds_write(dds_entity_t writer, struct whittle_flow_dds_bytes *bytes)
{
    return dds_writecdr(writer, ddsi_serdata_ref(&bytes->head));
}

/* The next sample, and which writer it is of; NULL: there is none. */
struct whittle_flow_dds_bytes *whittle_flow_dds_take(dds_entity_t reader, dds_instance_handle_t *from)
{
    struct ddsi_serdata *sample = NULL;
    dds_sample_info_t info;
    while (dds_takecdr(reader, &sample, 1, &info, DDS_ANY_STATE) == 1) {
        *from = info.publication_handle;
        if (info.valid_data)
            return (struct whittle_flow_dds_bytes *)(void *)sample;
        ddsi_serdata_unref(sample);     /* a writer has gone */
    }
    return NULL;
}

/* What has come whole: of this order, and no longer than such a value can be. */
static void whittle_flow_dds_came(struct whittle_flow_dds_bytes *bytes, uint64_t size)
{
    const bool ours = bytes->form[0] == 0 && bytes->form[1] == WHITTLE_FLOW_DDS_ORDER;
    const uint64_t padding = bytes->form[3] & 3u, value = size - WHITTLE_FLOW_DDS_FORM;
    bytes->size = (uint32_t)size;
    bytes->count = ours && padding <= value ? (uint32_t)(value - padding) : 0;
}

static bool whittle_flow_dds_is_too_long(const struct ddsi_sertype *type, uint64_t size)
{
    return size > ((const struct whittle_flow_dds_type *)(const void *)type)->largest + 8;
}

static struct ddsi_serdata *whittle_flow_dds_from_network(
    const struct ddsi_sertype *type, enum ddsi_serdata_kind kind, const struct nn_rdata *piece, size_t size)
{
    const bool too_long = whittle_flow_dds_is_too_long(type, size);
    struct whittle_flow_dds_bytes *const bytes = size < WHITTLE_FLOW_DDS_FORM ? NULL : whittle_flow_dds_make(type, kind, too_long ? 0 : size);
    if (bytes == NULL || too_long)
        return bytes != NULL ? &bytes->head : NULL;
    for (uint32_t at = 0; piece != NULL; piece = piece->nextfrag)
        if (piece->maxp1 > at && piece->maxp1 <= size) {
            const unsigned char *const payload = NN_RMSG_PAYLOADOFF(piece->rmsg, NN_RDATA_PAYLOAD_OFF(piece));
            memcpy(bytes->form + at, payload + at - piece->min, piece->maxp1 - at);
            at = piece->maxp1;
        }
    whittle_flow_dds_came(bytes, size);
    return &bytes->head;
}

static struct ddsi_serdata *whittle_flow_dds_from_pieces(
    const struct ddsi_sertype *type, enum ddsi_serdata_kind kind, ddsrt_msg_iovlen_t count, const ddsrt_iovec_t *pieces, size_t size)
{
    const bool too_long = whittle_flow_dds_is_too_long(type, size);
    struct whittle_flow_dds_bytes *const bytes = size < WHITTLE_FLOW_DDS_FORM ? NULL : whittle_flow_dds_make(type, kind, too_long ? 0 : size);
    if (bytes == NULL || too_long)
        return bytes != NULL ? &bytes->head : NULL;
    size_t at = 0;
    for (ddsrt_msg_iovlen_t n = 0; n < count && at < size; n++) {
        const size_t more = pieces[n].iov_len < size - at ? pieces[n].iov_len : size - at;
        memcpy(bytes->form + at, pieces[n].iov_base, more);
        at += more;
    }
    whittle_flow_dds_came(bytes, size);
    return &bytes->head;
}

/* Topics without a key have one instance: it is what a sample is without its value. */
static struct ddsi_serdata *whittle_flow_dds_instance(const struct ddsi_sertype *type)
{
    struct whittle_flow_dds_bytes *const bytes = whittle_flow_dds_make(type, SDK_KEY, 0);
    return bytes != NULL ? &bytes->head : NULL;
}

static struct ddsi_serdata *whittle_flow_dds_from_key(const struct ddsi_sertype *type, const struct ddsi_keyhash *key)
{
    (void)key;
    return whittle_flow_dds_instance(type);
}

/* Nobody writes or reads but as bytes. */
static struct ddsi_serdata *whittle_flow_dds_from_sample(const struct ddsi_sertype *type, enum ddsi_serdata_kind kind, const void *sample)
{
    (void)sample;
    return kind == SDK_DATA ? NULL : whittle_flow_dds_instance(type);
}

static bool whittle_flow_dds_to_sample(const struct ddsi_serdata *data, void *sample, void **buffer, void *limit)
{
    (void)data, (void)sample, (void)buffer, (void)limit;
    return false;
}

static bool whittle_flow_dds_untyped_to_sample(const struct ddsi_sertype *type, const struct ddsi_serdata *data, void *sample, void **buffer, void *limit)
{
    (void)type;
    return whittle_flow_dds_to_sample(data, sample, buffer, limit);
}

static uint32_t whittle_flow_dds_size(const struct ddsi_serdata *data)
{
    return ((const struct whittle_flow_dds_bytes *)(const void *)data)->size;
}

static void whittle_flow_dds_to_network(const struct ddsi_serdata *data, size_t from, size_t count, void *to)
{
    memcpy(to, ((const struct whittle_flow_dds_bytes *)(const void *)data)->form + from, count);
}

static struct ddsi_serdata *whittle_flow_dds_refer(const struct ddsi_serdata *data, size_t from, size_t count, ddsrt_iovec_t *piece)
{
    piece->iov_base = (void *)(uintptr_t)(((const struct whittle_flow_dds_bytes *)(const void *)data)->form + from);
    piece->iov_len = count;
    return ddsi_serdata_ref(data);
}

static void whittle_flow_dds_refer_no_more(struct ddsi_serdata *data, const ddsrt_iovec_t *piece)
{
    (void)piece;
    ddsi_serdata_unref(data);
}

static struct ddsi_serdata *whittle_flow_dds_to_untyped(const struct ddsi_serdata *data)
{
    return whittle_flow_dds_instance(data->type);
}

static bool whittle_flow_dds_same_key(const struct ddsi_serdata *one, const struct ddsi_serdata *other)
{
    (void)one, (void)other;
    return true;
}

static void whittle_flow_dds_free_data(struct ddsi_serdata *data)
{
    free(data);
}

static size_t whittle_flow_dds_print(const struct ddsi_sertype *type, const struct ddsi_serdata *data, char *text, size_t room)
{
    const int length = snprintf(text, room, "%u bytes of %s", whittle_flow_dds_size(data), type->type_name);
    return length < 0 ? 0 : (size_t)length < room ? (size_t)length : room;
}

static void whittle_flow_dds_key(const struct ddsi_serdata *data, struct ddsi_keyhash *key, bool md5)
{
    (void)data, (void)md5;
    memset(key, 0, sizeof *key);
}

static const struct ddsi_serdata_ops whittle_flow_dds_data = {
    .eqkey = whittle_flow_dds_same_key, .get_size = whittle_flow_dds_size, .from_ser = whittle_flow_dds_from_network,
    .from_ser_iov = whittle_flow_dds_from_pieces, .from_keyhash = whittle_flow_dds_from_key, .from_sample = whittle_flow_dds_from_sample,
    .to_ser = whittle_flow_dds_to_network, .to_ser_ref = whittle_flow_dds_refer, .to_ser_unref = whittle_flow_dds_refer_no_more,
    .to_sample = whittle_flow_dds_to_sample, .to_untyped = whittle_flow_dds_to_untyped,
    .untyped_to_sample = whittle_flow_dds_untyped_to_sample, .free = whittle_flow_dds_free_data, .print = whittle_flow_dds_print,
    .get_keyhash = whittle_flow_dds_key,
};

static void whittle_flow_dds_free_type(struct ddsi_sertype *type)
{
    ddsi_sertype_fini(type);
    free(type);
}

static void whittle_flow_dds_zero(const struct ddsi_sertype *type, void *samples, size_t count)
{
    (void)type, (void)samples, (void)count;
}

static void whittle_flow_dds_grow(void **all, const struct ddsi_sertype *type, void *old, size_t old_count, size_t count)
{
    (void)type, (void)old_count;
    for (size_t n = 0; n < count; n++)
        all[n] = n == 0 ? old : NULL;
}

static void whittle_flow_dds_free_samples(const struct ddsi_sertype *type, void **all, size_t count, dds_free_op_t how)
{
    (void)type, (void)all, (void)count, (void)how;
}

static bool whittle_flow_dds_same_type(const struct ddsi_sertype *one, const struct ddsi_sertype *other)
{
    return ((const struct whittle_flow_dds_type *)(const void *)one)->largest == ((const struct whittle_flow_dds_type *)(const void *)other)->largest;
}

static uint32_t whittle_flow_dds_hash(const struct ddsi_sertype *type)
{
    return (uint32_t)((const struct whittle_flow_dds_type *)(const void *)type)->largest;
}

static const struct ddsi_sertype_ops whittle_flow_dds_types = {
    .version = ddsi_sertype_v0, .free = whittle_flow_dds_free_type, .zero_samples = whittle_flow_dds_zero,
    .realloc_samples = whittle_flow_dds_grow, .free_samples = whittle_flow_dds_free_samples, .equal = whittle_flow_dds_same_type,
    .hash = whittle_flow_dds_hash,
};

/* The type is the topic's as long as that lives. */
dds_entity_t whittle_flow_dds_topic(dds_entity_t participant, const char *name, const char *type, uint64_t largest, const struct ddsi_sertype **made)
{
    struct whittle_flow_dds_type *const own = calloc(1, sizeof *own);
    if (own == NULL)
        return DDS_RETCODE_OUT_OF_RESOURCES;
    ddsi_sertype_init_flags(&own->head, type, &whittle_flow_dds_types, &whittle_flow_dds_data, DDSI_SERTYPE_FLAG_TOPICKIND_NO_KEY);
    own->largest = largest;
    struct ddsi_sertype *used = &own->head;
    const dds_entity_t topic = dds_create_topic_sertype(participant, name, &used, NULL, NULL, NULL);
    if (topic < 0)
        ddsi_sertype_unref(&own->head);
    else
        *made = used;
    return topic;
}
