/* SPDX-License-Identifier: MIT-0 */
/* Packets of flows in protobuf: a packet is a message. Faults are distinguished from messages by their size, which is never 0. */
#ifndef WHITTLE_PACKET_PROTOBUF_H
#define WHITTLE_PACKET_PROTOBUF_H
#include <whittle/protobuf_in.h>
#include <whittle/protobuf_out.h>

/*: packet_protobuf_write needs protobuf_message_out */
/* A message of nothing but defaults has no byte. In its place stands a field, the last there can be, that no reader knows: it is skipped. */
WHITTLE_SHARED size_t whittle_protobuf_nothing(uint8_t *at, size_t room)
{
    static const uint8_t field[6] = {0xf8, 0xff, 0xff, 0xff, 0x0f, 0};
    if (room < sizeof field)
        return 0;
    memcpy(at, field, sizeof field);
    return sizeof field;
}

/* How many bytes were written; 0: the packet is at fault. */
WHITTLE_SHARED size_t whittle_protobuf_write(const struct whittle_protobuf *table, uint32_t of, const void *packet, uint8_t *at, size_t room)
{
    char *const from = (char *)at, *const end = from + room;
    struct whittle_protobuf_out out = {table->values, table->fields, from, end, 0, 0, false, false};
    char *const first = whittle_protobuf_put_message(&out, end, of, (const char *)packet, NULL);
    const size_t length = first == NULL ? 0 : (size_t)(end - first);
    if (first == end)
        return whittle_protobuf_nothing(at, room);
    if (length > 0)
        memmove(from, first, length);
    return length;
}

/*: packet_protobuf_read needs protobuf_message_in */
/* Into a packet of zeros; false: these bytes are none, and nothing of it is left. What it takes in memory is bounded by what a packet is. */
WHITTLE_SHARED bool whittle_protobuf_read(const struct whittle_protobuf *table, uint32_t of, void *packet, const uint8_t *at, size_t bytes,
                                          void (*release)(void *))
{
    static const uint8_t nothing[1] = {0};
    const char *const from = (const char *)(bytes == 0 ? nothing : at);
    struct whittle_protobuf_in in = {table->values, table->fields, {(size_t)64 << 20, false}, 0};
    const bool is_done = whittle_protobuf_take_message(&in, from, from + bytes, of, (char *)packet, NULL, true);
    if (!is_done && release != NULL)
        release(packet);
    return is_done;
}

/*: end_of_packet_protobuf */
#endif
