/* SPDX-License-Identifier: MIT-0 */
/* Room for messages. */
#include "message.h"

struct whittle_mach_buffer *whittle_mach_buffer_new(size_t room)
{
    struct whittle_mach_buffer *const buffer = (struct whittle_mach_buffer *)malloc(sizeof *buffer + 8 + room);
    if (buffer == NULL)
        return NULL;
    char *const bytes = (char *)(buffer + 1);
    buffer->message = bytes + ((WHITTLE_MACH_SHIFT - (uintptr_t)bytes) & 7);
    buffer->room = room;
    return buffer;
}
