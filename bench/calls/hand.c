/*
 * The programmer of ../peers/hand_marshal.c over the bare sockets of socket.c: a request is written into a buffer that stands
 * ready, and read where it was received; entries go into storage that is kept. What is left of the limit where words must be
 * turned round.
 */
#define BY_HAND
#include "socket.c"
#include "../peers/hand_marshal.c"

static struct hand_dirent *entries;

/* As a program has them: not in the clock. */
static void prepare(void)
{
    hand_init(0);
    if (sent->workload != DIRENTS)
        return;
    entries = calloc(sent->count, sizeof *entries);
    for (uint32_t i = 0; i < sent->count; i++) {
        const struct dirent_item *const item = &sent->items.dirents[i];
        entries[i].name = item->name;
        memcpy(entries[i].fields, item->fields, sizeof item->fields);
        memcpy(entries[i].tag, item->tag, sizeof item->tag);
    }
}

static void fill(void)
{
    static int is_prepared;
    char *const at = message + MARK + HEADER;
    const size_t room = size - MARK - HEADER;
    size_t written = room;
    if (!is_prepared)
        prepare();
    is_prepared = 1;
    switch (sent->workload) {
    case INTS: written = hand_encode_words(at, room, sent->items.ints, sent->count, 1); break;
    case RECTS: written = hand_encode_words(at, room, sent->items.ints, sent->count, 4); break;
    case DIRENTS: written = hand_encode_dirents(at, room, entries, sent->count); break;
    default: break;
    }
    if (written != room)
        driver_fail("not marshalled");
}

static void take(char *request, size_t bytes)
{
    static struct hand_dirent *kept;
    static uint32_t most;
    char *const at = request + MARK + HEADER;
    const size_t there = bytes - MARK - HEADER;
    uint32_t count = 0;
    int good = 1;
    hand_init(0);
    switch ((enum workload)request[MARK]) {
    case INTS: good = hand_decode_words_in_place(at, there, &count, 1) != NULL; break;
    case RECTS: good = hand_decode_words_in_place(at, there, &count, 4) != NULL; break;
    case DIRENTS:
        if (there / 140 > most) {
            most = (uint32_t)(there / 140);
            kept = realloc(kept, most * sizeof *kept);
        }
        good = hand_decode_dirents_in_place(at, there, kept, most) >= 0;
        break;
    default: break;
    }
    if (!good)
        driver_fail("not unmarshalled");
}
