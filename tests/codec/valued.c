/* SPDX-License-Identifier: MIT-0 */
/*
 * Value types through what `--link none` makes of tests/corba/values.idl. In CDR what others may send is written by hand: ids left out,
 * listed, and said by where they stood before; a value that two places share; values in chunks, of types that inherit from the one that is
 * meant; and what leads nowhere, into itself, or on and on.
 */
#include "check.h"
#include "values.h"

DEFINE_CHECK(Values_Stamp, Values_Stamp)
DEFINE_CHECK(Values_Empty, Values_Empty)
DEFINE_CHECK(Values_Note, Values_Note)
DEFINE_CHECK(Values_Name, Values_Name)
DEFINE_CHECK(Values_Later, Values_Later)
DEFINE_CHECK(Values_Pair, Values_Pair)
DEFINE_CHECK(Values_Choice, Values_Choice)
DEFINE_CHECK(Values_Entries, Values_Entries)

#if CDR
/* What is written by hand, in the machine's order; a byte that tells the order stands before. */
static char message[1 << 17];
static size_t end;

static void begin(void)
{
    const uint16_t one = 1;
    memset(message, 0, sizeof message);
    message[0] = (char)*(const uint8_t *)&one;
    end = 1;
}

static size_t put(size_t alignment, const void *bytes, size_t size)
{
    end = (end + alignment - 1) / alignment * alignment;
    CHECK(size < sizeof message - end);
    memcpy(message + end, bytes, size);
    end += size;
    return end - size;
}

static size_t word(uint32_t value)
{
    return put(4, &value, sizeof value);
}

static size_t text(const char *of)
{
    const size_t at = word((uint32_t)strlen(of) + 1);
    put(1, of, strlen(of) + 1);
    return at;
}

/* Where it stood before. */
static void before(size_t at)
{
    word(UINT32_MAX);
    end = (end + 3) / 4 * 4;
    word((uint32_t)(at - end));
}

static void stamp_state(int64_t seconds)
{
    const double fraction = 0.5;
    put(8, &seconds, sizeof seconds);
    put(1, "\3", 1);
    put(8, &fraction, sizeof fraction);
}

#define STAMP "IDL:example.org/Values/Stamp:1.0"
#define NOTE "IDL:example.org/Values/Note:1.0"
enum { NO_ID = 0x7fffff00, URL = 1, ID = 0x7fffff02, IDS = 0x7fffff06 };

/* What the bytes are, cut anywhere, too; a value is compared with the one that is written by itself. */
static enum whittle_codec_status read_pair(Values_Pair *pair)
{
    size_t cut;
    for (cut = 0; cut < end && cut < 300; cut++) {
        char *const bytes = exactly(message, cut);
        CHECK(Values_Pair_decode(pair, bytes, cut, NULL, NULL) != WHITTLE_CODEC_OK && is_zero(pair, sizeof *pair));
        free(bytes);
    }
    char *const bytes = exactly(message, end);
    const enum whittle_codec_status status = Values_Pair_decode(pair, bytes, end, NULL, NULL);
    free(bytes);
    return status;
}

static void reads_stamps(int64_t first, int64_t second)
{
    Values_Pair pair;
    CHECK(read_pair(&pair) == WHITTLE_CODEC_OK);
    CHECK(pair[0] != NULL && pair[0]->seconds == first && pair[0]->zone == 3 && pair[0]->fraction == 0.5);
    CHECK(second == 0 ? pair[1] == NULL : pair[1] != NULL && pair[1] != pair[0] && pair[1]->seconds == second);
    check_Values_Pair(&pair);
    Values_Pair_free(&pair);
}

static void refuses(void)
{
    Values_Pair pair;
    CHECK(read_pair(&pair) != WHITTLE_CODEC_OK && is_zero(&pair, sizeof pair));
}

static void ids(void)
{
    size_t at;
    begin(), word(NO_ID), stamp_state(5), word(0), reads_stamps(5, 0);
    begin(), word(NO_ID | URL), text("http://example.org/"), stamp_state(5), word(0), reads_stamps(5, 0);
    begin(), word(ID | URL), text("http://example.org/"), text(STAMP), stamp_state(5), word(0), reads_stamps(5, 0);
    begin(), word(IDS), word(1), text(STAMP), stamp_state(6), word(0), reads_stamps(6, 0);
    begin(), word(IDS), word(2), text(STAMP), text(NOTE), stamp_state(6), word(0), reads_stamps(6, 0);
    begin(), word(ID), at = text(STAMP), stamp_state(7), word(ID), before(at), stamp_state(8), reads_stamps(7, 8);
    begin(), word(IDS), at = word(1), text(STAMP), stamp_state(7), word(IDS), before(at), stamp_state(8), reads_stamps(7, 8);
    begin(), word(ID), at = text(STAMP), stamp_state(7), word(IDS), word(1), before(at), stamp_state(8), reads_stamps(7, 8);
    /* Other types, none, what is no tag and no text. */
    begin(), word(ID), text(NOTE), stamp_state(5), word(0), refuses();
    begin(), word(IDS), word(2), text(NOTE), text(STAMP), stamp_state(5), word(0), refuses();
    begin(), word(IDS), word(0), stamp_state(5), word(0), refuses();
    begin(), word(IDS), word(UINT32_MAX - 1), text(STAMP), stamp_state(5), word(0), refuses();
    begin(), word(NO_ID | 4), stamp_state(5), word(0), refuses();
    begin(), word(NO_ID + 16), stamp_state(5), word(0), refuses();
    begin(), word(1), stamp_state(5), word(0), refuses();
    begin(), word(ID), word(0), stamp_state(5), word(0), refuses();
    begin(), word(ID), word(7), put(1, "a\0b\0c\0\0", 7), stamp_state(5), word(0), refuses();
}

static void shared(void)
{
    size_t at, begun;
    begin(), at = word(ID), text(STAMP), stamp_state(9), before(at), reads_stamps(9, 9);
    /* Nowhere, into the middle of a word, to what is no value, ahead, to itself. */
    begin(), word(NO_ID), stamp_state(9), before(0), refuses();
    begin(), at = word(NO_ID), stamp_state(9), before(at + 1), refuses();
    begin(), word(NO_ID), at = end + 4, stamp_state(9), before(at), refuses();
    begin(), word(NO_ID), stamp_state(9), before(end + 40), refuses();
    begin(), word(NO_ID), stamp_state(9), end = (end + 3) / 4 * 4, begun = end, before(begun), refuses();
    begin(), word(NO_ID), stamp_state(9), word(UINT32_MAX), word(0), refuses();
    begin(), word(NO_ID), stamp_state(9), word(UINT32_MAX), word(0x80000000), refuses();
    /* Back from a place where an id stood to an id before, in a value that is not there. */
    begin(), word(NO_ID), stamp_state(9), word(ID), before(4), stamp_state(1), refuses();
}

#define DATED "IDL:example.org/Values/Dated:1.0"
enum { IN_CHUNKS = 8, END = -1 };

/* A chunk is begun, and its length written when it ends. */
static size_t chunk(void)
{
    return word(0) + 4;
}

static void chunk_end(size_t from)
{
    const uint32_t size = (uint32_t)(end - from);
    memcpy(message + from - 4, &size, sizeof size);
}

static void stamp_chunk(int64_t seconds)
{
    const size_t from = chunk();
    stamp_state(seconds);
    chunk_end(from);
}

/* A stamp in chunks, and what no chunks may be. */
static void chunks(void)
{
    size_t from;
    begin(), word(NO_ID | IN_CHUNKS), stamp_chunk(5), word((uint32_t)END), word(0), reads_stamps(5, 0);
    begin(), word(ID | IN_CHUNKS), text(STAMP), stamp_chunk(5), word((uint32_t)END), word(NO_ID), stamp_state(6), reads_stamps(5, 6);
    /* No end, another's end, no chunk, chunks that are too short, too long, and cut a state where no value begins. */
    begin(), word(NO_ID | IN_CHUNKS), stamp_chunk(5), word(0), word(0), refuses();
    begin(), word(NO_ID | IN_CHUNKS), stamp_chunk(5), word((uint32_t)-2), word(0), refuses();
    begin(), word(NO_ID | IN_CHUNKS), stamp_state(5), word((uint32_t)END), word(0), refuses();
    begin(), word(NO_ID | IN_CHUNKS), from = chunk(), stamp_state(5), end--, chunk_end(from), end++, word((uint32_t)END), word(0), refuses();
    begin(), word(NO_ID | IN_CHUNKS), from = chunk(), stamp_state(5), put(1, "", 1), chunk_end(from), word((uint32_t)END), word(0), refuses();
    begin(), word(NO_ID | IN_CHUNKS), word(0x7ffffeff), stamp_state(5), word((uint32_t)END), word(0), refuses();
    begin(), word(NO_ID | IN_CHUNKS), stamp_chunk(5), stamp_chunk(5), word((uint32_t)END), word(0), refuses();
}

/* A dated stamp where a stamp is meant: what it has more goes by, chunks and values in it, too. */
static void bases(void)
{
    size_t from, i;
    begin(), word(IDS | IN_CHUNKS), word(2), text(DATED), text(STAMP), from = chunk(), stamp_state(5), text("more"), chunk_end(from);
    word((uint32_t)END), word(0), reads_stamps(5, 0);
    for (i = 0; i < 2; i++) {
        begin(), word(IDS | IN_CHUNKS), word(2), text(DATED), text(STAMP), stamp_chunk(5), stamp_chunk(6);
        word(ID | IN_CHUNKS), text("IDL:Other:1.0"), stamp_chunk(7);
        word(IDS | IN_CHUNKS), word(1), text("IDL:Other:1.0"), stamp_chunk(8);
        /* Each end by itself, or all of them together. */
        if (i == 0)
            word((uint32_t)-3), word((uint32_t)-2), stamp_chunk(9);
        word((uint32_t)END), word(NO_ID), stamp_state(6), reads_stamps(5, 6);
    }
    /* Without chunks nobody knows how long it is; or it is no stamp; or it has no end. */
    begin(), word(IDS), word(2), text(DATED), text(STAMP), stamp_state(5), word(0), refuses();
    begin(), word(IDS | IN_CHUNKS), word(2), text(DATED), text(NOTE), stamp_chunk(5), word((uint32_t)END), word(0), refuses();
    begin(), word(IDS | IN_CHUNKS), word(2), text(DATED), text(STAMP), stamp_chunk(5), word(NO_ID | IN_CHUNKS), word((uint32_t)-3), refuses();
    begin(), word(IDS | IN_CHUNKS), word(2), text(DATED), text(STAMP), stamp_chunk(5), word(NO_ID), stamp_state(1), refuses();
    begin(), word(IDS | IN_CHUNKS), word(2), text(DATED), text(STAMP), stamp_chunk(5), word(0), refuses();
}

/* A note, whose own parts follow: its stamp and the next. */
static size_t note_head(void)
{
    const size_t at = word(NO_ID);
    text("x"), word(1), word(2), word(0);
    return at;
}

static enum whittle_codec_status read_note(void)
{
    Values_Note note;
    char *const bytes = exactly(message, end);
    const enum whittle_codec_status status = Values_Note_decode(&note, bytes, end, NULL, NULL);
    Values_Note_free(&note);
    free(bytes);
    return status;
}

/* Notes in notes, in chunks: values stand between them, null and what was before in them. */
static void nested(void)
{
    size_t from, at, stamp, i;
    for (i = 0; i < 4; i++) {
        begin();
        at = word(NO_ID | IN_CHUNKS), from = chunk(), text("x"), word(1), word(2), word(0), chunk_end(from);
        stamp = word(NO_ID | IN_CHUNKS), stamp_chunk(5), word((uint32_t)-2);
        word(NO_ID | IN_CHUNKS), from = chunk(), text("y"), word(1), word(2), word(0);
        before(i == 3 ? at : stamp), word(0), chunk_end(from);
        if (i == 0)
            word((uint32_t)-2);
        /* That closes both. Then there can be no more of either. */
        word((uint32_t)END);
        if (i == 2)
            word((uint32_t)END);
        CHECK(read_note() == (i < 2 ? WHITTLE_CODEC_OK : WHITTLE_CODEC_MALFORMED));
    }
    /* A value in chunks has none without in it. */
    begin(), word(NO_ID | IN_CHUNKS), from = chunk(), text("x"), word(1), word(2), word(0), chunk_end(from);
    word(NO_ID), stamp_state(5), from = chunk(), word(0), chunk_end(from), word((uint32_t)END);
    CHECK(read_note() == WHITTLE_CODEC_MALFORMED);
}

static void endless(void)
{
    size_t at, i;
    begin(), note_head(), word(0), word(0);
    CHECK(read_note() == WHITTLE_CODEC_OK);
    /* In itself, at once and further in. */
    begin(), at = note_head(), word(0), before(at);
    CHECK(read_note() == WHITTLE_CODEC_MALFORMED);
    begin(), at = note_head(), word(0), note_head(), word(0), note_head(), word(0), before(at);
    CHECK(read_note() == WHITTLE_CODEC_MALFORMED);
    /* Deeper than anything may be. */
    for (i = 900; i <= 1100; i += 200) {
        begin();
        for (size_t depth = 0; depth < i; depth++)
            note_head(), word(0);
        word(0);
        CHECK(read_note() == (i == 900 ? WHITTLE_CODEC_OK : WHITTLE_CODEC_TOO_DEEP));
    }
}

/* Each entry's note is the first: so many bytes may be read again, and no more. */
static void again(uint32_t count, bool is_read)
{
    static char name[6001];
    Values_Entries entries;
    begin(), word(count), put(1, "", 1), word(0);
    memset(name, 'n', sizeof name - 1);
    const size_t at = word(NO_ID);
    text(name), word(1), word(2), word(0), word(0), word(0);
    for (uint32_t i = 1; i < count; i++)
        put(1, "", 1), word(0), before(at);
    char *const bytes = exactly(message, end);
    const enum whittle_codec_status status = Values_Entries_decode(&entries, bytes, end, NULL, NULL);
    CHECK((status == WHITTLE_CODEC_OK) == is_read && (is_read || is_zero(&entries, sizeof entries)));
    Values_Entries_free(&entries);
    free(bytes);
}

static void by_hand(void)
{
    ids();
    shared();
    chunks();
    bases();
    nested();
    endless();
    again(150, true);
    again(1000, false);
}
#else
static void by_hand(void)
{
}
#endif

/* What leads back to itself has no encoding; a list may be as long as values may nest. */
static void cycles(void)
{
    static char bytes[64];
    size_t size;
    Values_Note__state state = {0};
    Values_Note note = &state;
    static char name[] = "name";
    state.text = name;
    if (CDR) {
        static char room[1 << 18];
        state.next = note;
        CHECK(Values_Note_encode(&note, room, sizeof room, &size) == WHITTLE_CODEC_TOO_DEEP && size == 0);
        state.next = NULL;
    }
    /* Round, and round another; each ends somewhere. */
    Values_Note__state other = state;
    Values_Note also = &other, copy;
    char small[64];
    state.next = note, other.next = also;
    CHECK(Values_Note_size(&note, &size) == WHITTLE_CODEC_TOO_DEEP && size == 0);
    CHECK(Values_Note_copy(&copy, &note) == WHITTLE_CODEC_TOO_DEEP && copy == NULL);
    CHECK(!Values_Note_equal(&note, &also) && Values_Note_format(&note, small, sizeof small) > sizeof small);
    state.next = other.next = NULL;
    CHECK(Values_Note_encode(&note, bytes, 8, &size) == WHITTLE_CODEC_NO_ROOM);
}

int main(void)
{
    static char name[] = "a note", none[] = "";
    double weights[2] = {0.5, -1};
    Values_Stamp__state stamp_state = {INT64_MIN, 255, 0.25};
    Values_Empty__state empty_state = {0};
    Values_Stamp stamp = &stamp_state, no_stamp = NULL;
    Values_Empty empty = &empty_state;
    Values_Note__state last = {none, {0, 0}, {0, 0, NULL, false}, NULL, NULL};
    Values_Note__state first = {name, {1, -2}, {2, 2, weights, false}, stamp, &last};
    Values_Note note = &first;
    Values_Pair pair = {NULL, stamp};
    Values_Entry items[2] = {{1, stamp, note}, {2, NULL, &last}};
    Values_Entries entries = {2, 2, items, false};
    Values_Name__state boxed = {name};
    Values_Name in_box = &boxed;
    Values_Later__state later_state = {1, 2, 0.5, in_box, note, -3, 4};
    Values_Later later = &later_state;
    Values_Choice choice;
    memset(&choice, 0, sizeof choice);
    choice._d = true, choice._u.about = note;
    check_Values_Stamp(&stamp), check_Values_Stamp(&no_stamp), check_Values_Empty(&empty), check_Values_Note(&note);
    check_Values_Pair(&pair), check_Values_Choice(&choice), check_Values_Entries(&entries);
    check_Values_Name(&in_box), check_Values_Later(&later);
    CHECK(!Values_Stamp_equal(&stamp, &no_stamp));
    by_hand();
    cycles();
    return 0;
}
