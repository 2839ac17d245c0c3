/* SPDX-License-Identifier: MIT-0 */
/*
 * libFuzzer's way into generated decoders alone, tens of thousands of times a second: an input is decoded from one stream
 * and released. That must end in TRUE or FALSE, read only bytes that arrived, take memory bounded by them, and leave
 * nothing behind. (`decoders.c` is slower, and compares with rpcgen's.) Built by `cargo test -p filetest --test safety`.
 *
 * An input is a head of four bytes and a message. The head: the type; the way, and with 0x10 a second decoding over the
 * first one's value; the seed by which streams cut messages into pieces; with 0x80 the number of the allocation that fails.
 */
#include "safety.h"

enum head { HEAD_TYPE, HEAD_WAY, HEAD_SEED, HEAD_STARVE, HEAD_SIZE };
#define AGAIN 0x10
#define STARVE 0x80

/* From where to where. */
struct way {
    enum stream_kind kind;
    bool arena;         /* for types that have a routine for it */
};
/* Most of them memory, where decoders trust their own arithmetic alone. */
static const struct way ways[] = {
    {STREAM_MEMORY, false},    {STREAM_MEMORY, false}, {STREAM_MEMORY, false}, {STREAM_MEMORY, false},
    {STREAM_MEMORY, false},    {STREAM_MEMORY, false}, {STREAM_MEMORY, true},  {STREAM_MEMORY, true},
    {STREAM_UNALIGNED, false}, {STREAM_RECORD, false}, {STREAM_RECORD, false}, {STREAM_RECORD, true},
    {STREAM_OWN, false},       {STREAM_OWN, true},     {STREAM_NO_INLINE, false}, {STREAM_NO_INLINE, true},
};
#define WAYS (sizeof ways / sizeof *ways)

struct input {
    const struct type *type;
    routine code;
    void *value;
    enum stream_kind kind;
    const uint8_t *message;
    size_t size;
    unsigned seed;
};

/* A value of each type, alone and with an arena, in which input after input is decoded. */
static void **values, **calls;
static unsigned type_count;

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    while (types[type_count].name != NULL)
        type_count++;
    values = calloc(type_count, sizeof *values);
    calls = calloc(type_count, sizeof *calls);
    EXPECT(values != NULL && calls != NULL);
    for (unsigned k = 0; k < type_count; k++) {
        values[k] = empty_value(&types[k]);
        calls[k] = calloc(1, types[k].arena_size);
        EXPECT(calls[k] != NULL);
    }
    return 0;
}

/* An arena's own room holds what the last input left there. */
static struct input choose(const uint8_t *data, size_t size)
{
    const unsigned number = data[HEAD_TYPE] % type_count;
    const struct type *const type = &types[number];
    const struct way way = ways[data[HEAD_WAY] % WAYS];
    const bool arena = way.arena && type->in_arena != NULL;
    void *const value = arena ? calls[number] : values[number];
    say("%s, %zu bytes, %s stream%s", type->name, size - HEAD_SIZE, stream_name(way.kind), arena ? ", arena" : "");
    memset(value, 0, arena ? type->arena_zeroed : type->size);
    return (struct input){
        .type = type,
        .code = arena ? type->in_arena : type->routines[0],
        .value = value,
        .kind = way.kind,
        .message = data + HEAD_SIZE,
        .size = size - HEAD_SIZE,
        .seed = data[HEAD_SEED],
    };
}

/* The first `size` bytes. Memory lies where libFuzzer put it, so that the sanitizer sees what is beyond. */
static bool_t decode_part(const struct input *input, size_t size)
{
    if (input->kind != STREAM_MEMORY) {
        struct stream s;
        stream_read_begin(&s, input->kind, (const char *)input->message, size, input->seed);
        const bool_t done = input->code(&s.xdrs, input->value);
        stream_read_end(&s);
        return done;
    }
    XDR xdrs;
    xdrmem_create(&xdrs, (char *)(uintptr_t)input->message, (u_int)size, XDR_DECODE);
    const bool_t done = input->code(&xdrs, input->value);
    EXPECT(XDR_GETPOS(&xdrs) <= size);
    return done;
}

/* Over the value that is there: it keeps its storage, all of it, also where the message ends early. */
static void decode_again(const struct input *input)
{
    const long live = ledger.live;
    const size_t bytes = ledger.bytes, part = input->size * input->seed / UINT8_MAX;
    const bool_t done = decode_part(input, part);
    EXPECT(done || part < input->size);
    EXPECT(ledger.live == live && ledger.bytes == bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < HEAD_SIZE)
        return -1;      /* not worth keeping */
    const struct input input = choose(data, size);
    ledger.peak = 0;
    ledger.fail_at = data[HEAD_STARVE] < STARVE ? -1 : data[HEAD_STARVE] - STARVE;
    const bool arena = input.code == input.type->in_arena;
    const bool_t done = decode_part(&input, input.size);
    ledger.fail_at = -1;
    EXPECT(done == TRUE || done == FALSE);
    EXPECT(ledger.peak <= heap_bound(input.type, input.kind, input.size, arena));
    EXPECT(done || (ledger.live == 0 && ledger.bytes == 0));
    if (done && !arena && (data[HEAD_WAY] & AGAIN) != 0)
        decode_again(&input);
    release(input.code, input.value);
    EXPECT(ledger.live == 0 && ledger.bytes == 0);
    release(input.code, input.value);   /* once more: nothing is freed twice */
    return 0;
}
