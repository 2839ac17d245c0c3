#include "Burst.h"

/* The ticks of Source, many at a time: first as many as there is room for, then ten from an array, and so on. */
struct count {
    uint32_t next;
};

void Burst_begin(struct Burst *self)
{
    static struct count counts[8];
    static unsigned used;
    self->state = &counts[used++];
}

static size_t write_ticks(struct count *count, Tick *ticks, size_t room)
{
    size_t written = 0;
    for (; written < room && count->next < 100; written++) {
        ticks[written].number = count->next;
        ticks[written].value = (int32_t)count->next++ - 10;
    }
    return written;
}

bool burst(struct Burst *self)
{
    struct count *const count = self->state;
    Tick array[10];
    if (count->next == 100)
        return false;
    if (!Burst_batch_t(self, write_ticks(count, self->t, Burst_room_t(self))))
        return false;
    Tick *const room = self->t;
    self->t = array;
    const bool goes_on = Burst_batch_t(self, write_ticks(count, array, 10));
    if (self->t == array)
        self->t = room;
    return goes_on;
}
