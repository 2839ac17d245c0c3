/* The source: its middle is called once, and sends and waits as the measurements ask for. */
#include "Source.h"
#include "work.h"
static struct Source *source;

/* As many packets as there is room for are written one after the other, and sent together. */
static PACKET *next, *end;

static inline void *room(void)
{
    return next;
}

static bool flush(void)
{
    const bool goes_on = Source_batch_data(source, (size_t)(next - source->data));
    next = source->data;
    end = next + Source_room_data(source);
    return goes_on;
}

static inline bool pass(bool last)
{
    return ++next < end && !last ? true : flush();
}

#ifdef DIRECT
int32_t answered;
static inline int32_t answer(void)
{
    return answered;
}
#else
static inline int32_t answer(void)
{
    return Source_receive_back(source) ? source->back->code : 0;
}
#endif

#include "drive.h"

bool produce(struct Source *self)
{
    source = self;
    next = self->data;
    end = next + 1;
    drive();
    return false;
}
