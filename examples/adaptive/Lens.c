/* The camera: 25 pictures a second at most, as wide as it is asked to make them, within its range. */
#include <stdio.h>
#include <stdlib.h>

#include "Lens.h"

enum { LEAST = 80, MOST = 400 };

struct camera {
    unsigned left, number, width;
    bool is_known;
};

void Lens_begin(struct Lens *self)
{
    static struct camera camera = {.width = MOST};
    const char *const count = getenv("COUNT");
    camera.left = count != NULL ? (unsigned)strtoul(count, NULL, 10) : 100;
    self->state = &camera;
}

static bool tell_range(struct Lens *self)
{
    self->r->least = LEAST;
    self->r->most = MOST;
    return Lens_send_r(self);
}

bool take_picture(struct Lens *self)
{
    struct camera *const camera = self->state;
    if (!camera->is_known && !tell_range(self))
        return false;
    camera->is_known = true;
    if (camera->left == 0)
        return false;
    /* The newest wish, if one has come: it is looked for, and never waited for. */
    if (Lens_try_w(self))
        camera->width = self->w->width < LEAST ? LEAST : self->w->width > MOST ? MOST : self->w->width;
    Picture *const picture = self->f;
    camera->left--;
    picture->number = camera->number++;
    picture->width = (uint16_t)camera->width;
    picture->height = (uint16_t)(camera->width * 3 / 4);
    picture->size = 3u * picture->width * picture->height;
    for (uint32_t at = 0; at < picture->size; at++)
        picture->pixels[at] = (uint8_t)(at + picture->number);
    return Lens_send_f(self);
}
