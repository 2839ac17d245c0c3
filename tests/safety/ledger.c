/* SPDX-License-Identifier: MIT-0 */
#define LEDGER_ITSELF
#include "ledger.h"
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* In front of each piece; as long as malloc's alignment. */
struct note {
    size_t size;
    size_t mark;
};
#define NOTE ((sizeof(struct note) + 15) & ~(size_t)15)
#define MARK ((size_t)0x5afe5afe)

struct ledger ledger = {0, 0, 0, 0, -1, 0};

static struct note *note_of(void *piece)
{
    struct note *const note = (struct note *)(void *)((char *)piece - NOTE);
    if (note->mark != MARK) {
        fprintf(stderr, "ledger: this piece is none of ours, or was freed before\n");
        abort();
    }
    return note;
}

static int fails(void)
{
    ledger.calls++;
    return ledger.fail_at >= 0 && ledger.fail_at-- == 0;
}

static void count(size_t size)
{
    ledger.bytes += size;
    if (ledger.bytes > ledger.peak)
        ledger.peak = ledger.bytes;
}

void *ledger_malloc(size_t size)
{
    if (ledger.off)
        return malloc(size);
    struct note *const note = fails() || size > SIZE_MAX - NOTE ? NULL : malloc(NOTE + size);
    if (note == NULL)
        return NULL;
    note->size = size;
    note->mark = MARK;
    memset((char *)note + NOTE, 0xa5, size < 4096 ? size : 4096);   /* nobody may count on zeros */
    ledger.live++;
    count(size);
    return (char *)note + NOTE;
}

void *ledger_calloc(size_t items, size_t size)
{
    if (size != 0 && items > SIZE_MAX / size)
        return NULL;
    void *const piece = ledger_malloc(items * size);
    return piece == NULL ? NULL : memset(piece, 0, items * size);
}

void *ledger_realloc(void *piece, size_t size)
{
    if (ledger.off)
        return realloc(piece, size);
    if (piece == NULL)
        return ledger_malloc(size);
    struct note *const note = note_of(piece);
    const size_t before = note->size;
    /* Always elsewhere, so that a pointer into the old piece shows. */
    struct note *const moved = fails() || size > SIZE_MAX - NOTE ? NULL : malloc(NOTE + size);
    if (moved == NULL)
        return NULL;
    memcpy((char *)moved + NOTE, piece, before < size ? before : size);
    moved->size = size;
    moved->mark = MARK;
    note->mark = 0;
    free(note);
    ledger.bytes -= before;
    count(size);
    return (char *)moved + NOTE;
}

void ledger_free(void *piece)
{
    if (ledger.off) {
        free(piece);
        return;
    }
    if (piece == NULL)
        return;
    struct note *const note = note_of(piece);
    ledger.live--;
    ledger.bytes -= note->size;
    note->mark = 0;
    free(note);
}
