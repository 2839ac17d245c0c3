#include "Sink.h"
#include "work.h"

void Sink_begin(struct Sink *self)
{
    (void)self;
    prepare();
}

#ifdef DIRECT
extern int32_t answered;
bool consume(struct Sink *self)
{
    take(self->data, &answered);
    return true;
}
#else
bool consume(struct Sink *self)
{
    return !take(self->data, &self->back->code) || Sink_send_back(self);
}
#endif
