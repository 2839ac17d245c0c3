#include "Draw.h"
#include <stddef.h>

static int drawn;

bool draw_shapes(struct Draw *self)
{
    static char title[] = "a house", label[] = "door";
    static shape shapes[3] = {{.kind = RED, .shape_u.at = {3, 4}}, {.kind = GREEN, .shape_u.label = label}, {.kind = BLUE}};
    static drawing inner = {.title = label};
    if (drawn++ == 3)
        return false;
    self->d->title = title;
    self->d->shapes.shapes_len = (u_int)drawn;
    self->d->shapes.shapes_val = shapes;
    self->d->inner = drawn == 2 ? &inner : NULL;
    return Draw_send_d(self);
}
