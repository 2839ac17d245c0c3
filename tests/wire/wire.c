/* SPDX-License-Identifier: MIT-0 */
#include "wire.h"

static char place[300];

void wire_case(const char *file, int line, const char *name)
{
    snprintf(place, sizeof place, "%s:%d: %s", file, line, name);
}

const char *wire_place(void)
{
    return place;
}

/* `routines`: whittle's, ended by NULL. */
void wire_encodes(const routine *routines, void *value, const char *bytes, size_t size)
{
    for (unsigned k = 0; routines[k] != NULL; k++) {
        for (enum stream_kind kind = 0; kind < STREAM_KINDS; kind++) {
            say("%s, encoded to the %s stream", place, stream_name(kind));
            EXPECT(encodes_to(routines[k], value, kind, bytes, size));
        }
    }
}

void wire_decodes(const routine *routines, size_t size_of_value, const void *value,
                  bool (*same)(const void *, const void *), const char *bytes, size_t size)
{
    for (unsigned k = 0; routines[k] != NULL; k++) {
        for (enum stream_kind kind = 0; kind < STREAM_KINDS; kind++) {
            void *const decoded = calloc(1, size_of_value);
            say("%s, decoded from the %s stream", place, stream_name(kind));
            EXPECT(decode(routines[k], decoded, kind, bytes, size));
            EXPECT(same(decoded, value));
            release(routines[k], decoded);
            EXPECT(ledger.live == 0);
            free(decoded);
        }
    }
}

void wire_refused(const routine *routines, size_t size_of_value, const char *bytes, size_t size)
{
    for (unsigned k = 0; routines[k] != NULL; k++) {
        for (enum stream_kind kind = 0; kind < STREAM_KINDS; kind++) {
            void *const decoded = calloc(1, size_of_value);
            say("%s, refused from the %s stream", place, stream_name(kind));
            EXPECT(!decode(routines[k], decoded, kind, bytes, size));
            EXPECT(ledger.live == 0);
            release(routines[k], decoded);
            free(decoded);
        }
    }
}
