/*
 * What is tried over ports, on the stand-in for the kernel and in the kernel itself: store.idl's operations, arguments and results of all sizes,
 * requests that nobody should send.
 */
#ifndef TRIES_H
#define TRIES_H
#include <stdlib.h>
#include <string.h>
#include "store.h"
#include "expect.h"
#include "forged.h"

static int hold(void *context);
static int noted;

static int add(void *context, int32_t a, int32_t b, int32_t *result) { return (void)context, *result = a + b, 0; }
static int put(void *context, const struct Bytes *data, uint32_t *result)
{
    (void)context;
    for (uint32_t i = 0; i < data->length; i++)
        EXPECT(data->items[i] == (uint8_t)(i * 7));
    *result = data->length;
    return 0;
}
static int get(void *context, uint32_t size, struct Bytes *data)
{
    (void)context;
    data->length = size;
    data->items = malloc(size);
    for (uint32_t i = 0; i < size; i++)
        data->items[i] = (uint8_t)(i * 7);
    return 0;
}
static int turn(void *context, const struct Bytes *data, struct Bytes *same)
{
    (void)context;
    same->length = data->length;
    same->items = malloc(data->length);
    if (data->length > 0)
        memcpy(same->items, data->items, data->length);
    return 0;
}
static int sum(void *context, const struct Numbers *list, int32_t *result)
{
    (void)context;
    *result = 0;
    for (uint32_t i = 0; i < list->length; i++)
        *result += list->items[i];
    return 0;
}
static int note(void *context, int32_t number) { return (void)context, __atomic_add_fetch(&noted, number, __ATOMIC_RELAXED), 0; }
static const struct Store_operations operations = {add, put, get, turn, sum, note, hold};

static void sizes(struct whittle_mach_client *client)
{
    static const uint32_t all[] = {0, 1, 7, 900, 1000, 1100, 40000, 65536, 65800, 70000, 3000000};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct Bytes data = {all[i], malloc(all[i] + 1)}, got;
        uint32_t count = 0;
        for (uint32_t at = 0; at < all[i]; at++)
            data.items[at] = (uint8_t)(at * 7);
        EXPECT(Store_put(client, &data, &count) == 0 && count == all[i]);
        for (int twice = 0; twice < 2; twice++) {
            EXPECT(Store_get(client, all[i], &got) == 0 && got.length == all[i] && (all[i] == 0 || memcmp(got.items, data.items, all[i]) == 0));
            Bytes_free(&got);
        }
        EXPECT(Store_turn(client, &data, &got) == 0 && got.length == all[i] && (all[i] == 0 || memcmp(got.items, data.items, all[i]) == 0));
        Bytes_free(&got);
        Bytes_free(&data);
    }
    struct Bytes data = {17u << 20, calloc(17, 1 << 20)};
    uint32_t count;
    EXPECT(Store_put(client, &data, &count) == WHITTLE_MACH_GARBAGE_ARGUMENTS);
    Bytes_free(&data);
    struct Numbers none = {3, NULL};
    int32_t result;
    EXPECT(Store_sum(client, &none, &result) == WHITTLE_MACH_CANNOT_MARSHAL);
}

static int add_id;

/* The status that a refusal has, 1 for results, 2 for nothing. */
static int said(struct forged *forged, size_t size, mach_port_t reply)
{
    forged->header.msgh_id = add_id;
    mach_msg_return_t const result = mach_msg(&forged->header, MACH_SEND_MSG | MACH_RCV_MSG | MACH_RCV_TIMEOUT, (unsigned)size, sizeof *forged,
                                              reply, 100, MACH_PORT_NULL);
    if (result == MACH_RCV_TIMED_OUT)
        return 2;
    EXPECT(result == MACH_MSG_SUCCESS && forged->header.msgh_id == add_id + 100);
    if (forged->type.msgtl_header.msgt_name == MACH_MSG_TYPE_BYTE || forged->type.msgtl_name == MACH_MSG_TYPE_BYTE)
        return 1;
    int32_t status;
    memcpy(&status, (char *)forged + sizeof forged->header + sizeof(mach_msg_type_t), sizeof status);
    return status;
}

static void forgeries(mach_port_t to, struct whittle_mach_client *client)
{
    mach_port_t reply = mach_reply_port();
    size_t const usual = offsetof(struct forged, other), whole = offsetof(struct forged, beyond);
    int32_t result;
    add_id = id_of("add");
    struct forged forged = good(to, reply);
    EXPECT(said(&forged, usual, reply) == 1);
    struct {
        mach_msg_type_long_t type;
        size_t size;
    } const wrong[] = {
        {type_of(MACH_MSG_TYPE_INTEGER_32, 32, 4, 1), usual}, {type_of(MACH_MSG_TYPE_BYTE, 8, 17, 1), usual},
        {type_of(MACH_MSG_TYPE_BYTE, 8, 0xffffffff, 1), usual}, {type_of(MACH_MSG_TYPE_BYTE, 8, 7, 1), usual},
        {type_of(MACH_MSG_TYPE_BYTE, 8, 8, 1), usual}, {type_of(MACH_MSG_TYPE_BYTE, 8, 15, 1), usual},
        {type_of(MACH_MSG_TYPE_BYTE, 16, 8, 1), usual}, {type_of(MACH_MSG_TYPE_BYTE, 8, 16, 0), usual},
        {type_of(MACH_MSG_TYPE_BYTE, 8, 16, 1), sizeof(mach_msg_header_t)},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        forged = good(to, reply);
        forged.type = wrong[i].type;
        EXPECT(said(&forged, wrong[i].size, reply) == WHITTLE_MACH_GARBAGE_ARGUMENTS);
    }
    /* A lead that is not zero; a number that no operation has. */
    forged = good(to, reply);
    forged.lead[1] = 1;
    EXPECT(said(&forged, usual, reply) == WHITTLE_MACH_GARBAGE_ARGUMENTS);
    add_id++;
    forged = good(to, reply);
    EXPECT(said(&forged, usual, reply) == WHITTLE_MACH_OPERATION_UNAVAILABLE);
    add_id--;
    /* A caller without any room has its results beside the message. */
    forged = good(to, reply);
    forged.lead[0] = 0;
    EXPECT(said(&forged, usual, reply) == 1 && (forged.header.msgh_bits & MACH_MSGH_BITS_COMPLEX));
    void *place;
    memcpy(&place, (char *)&forged + sizeof(mach_msg_header_t) + sizeof(mach_msg_type_long_t), sizeof place);
    EXPECT(vm_deallocate(mach_task_self(), (vm_address_t)place, 4) == KERN_SUCCESS);
    /* Rights, and memory with them, that nobody asked for. */
    for (int is_inline = 0; is_inline < 2; is_inline++) {
        mach_port_t list[1] = {to};
        forged = good(to, reply);
        forged.header.msgh_bits |= MACH_MSGH_BITS_COMPLEX;
        forged.other = type_of(MACH_MSG_TYPE_COPY_SEND, is_inline ? 8 * sizeof(mach_port_name_inlined_t) : 8 * sizeof(mach_port_t), 1, is_inline);
        forged.port.name = to;
        void *const beside = list;
        if (!is_inline)
            memcpy(&forged.port, &beside, sizeof beside);
        EXPECT(said(&forged, whole, reply) == WHITTLE_MACH_GARBAGE_ARGUMENTS);
    }
    /* A right to send is none to reply; and who gives none is told nothing. */
    forged = good(to, reply);
    forged.header.msgh_bits = MACH_MSGH_BITS(MACH_MSG_TYPE_COPY_SEND, MACH_MSG_TYPE_MAKE_SEND);
    EXPECT(said(&forged, usual, reply) == 2);
    EXPECT(mach_port_mod_refs(mach_task_self(), reply, MACH_PORT_RIGHT_RECEIVE, -1) == KERN_SUCCESS);
    EXPECT(Store_add(client, 1, 2, &result) == 0 && result == 3);
}

#endif
