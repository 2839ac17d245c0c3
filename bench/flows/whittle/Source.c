/* The source: its middle is called once, and sends and waits as the measurements ask for. */
#include "Source.h"
#include "work.h"
static struct Source *source;

static inline void *room(void)
{
    return source->data;
}

static inline bool pass(bool last)
{
    (void)last;
    return Source_send_data(source);
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
    drive();
    return false;
}
