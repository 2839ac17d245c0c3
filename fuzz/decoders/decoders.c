/* SPDX-License-Identifier: MIT-0 */
/*
 * libFuzzer's way into generated decoders: the first byte chooses the type, the rest is a message for it. What must
 * hold of it is said by `survives` (tests/safety/hostile.c): whittle's routines, on several streams and into an arena,
 * do as rpcgen's do, in bounded memory, and leave nothing behind. Built by `cargo test -p filetest --test safety`.
 */
#include "safety.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static unsigned type_count;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    while (types[type_count].name != NULL)
        type_count++;
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    const struct type *const type = &types[data[0] % type_count];
    say("%s, %zu bytes", type->name, size - 1);
    survives(type, (const char *)data + 1, size - 1);
    return 0;
}
