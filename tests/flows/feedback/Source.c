/* Frames of 4000 bytes until somebody asks for smaller ones, and then twenty such. */
#include "Source.h"
#include <stdio.h>
#include <string.h>

enum { LEAST = 100, MOST = 4000, AFTER = 20, PATIENCE = 2000000 };

bool make(struct Source *self)
{
    static uint32_t number, size = MOST, left = AFTER;
    if (Source_try_w(self)) {
        const uint32_t wish = self->w->size;
        size = wish < LEAST ? LEAST : wish > MOST ? MOST : wish;
        if (self->w->seen >= number)
            printf("Source: a wish for what was not sent\n");
    }
    if (left == 0 || number == PATIENCE)
        return false;
    left -= size < MOST;
    self->f->number = number++;
    self->f->size = size;
    memset(self->f->data, 7, size);
    return Source_send_f(self);
}

void Source_end(struct Source *self)
{
    (void)self;
    printf("Source: ended\n");
}
