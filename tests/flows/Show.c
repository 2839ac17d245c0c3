#include "Show.h"
#include <stdio.h>

bool show_shapes(struct Show *self)
{
    const drawing *const drawing = self->d;
    printf("%s: %s", self->instance, drawing->title);
    for (u_int n = 0; n < drawing->shapes.shapes_len; n++) {
        const shape *const shape = &drawing->shapes.shapes_val[n];
        if (shape->kind == RED)
            printf(" (%d, %d)", shape->shape_u.at.x, shape->shape_u.at.y);
        else
            printf(" %s", shape->kind == GREEN ? shape->shape_u.label : "-");
    }
    printf("%s%s\n", drawing->inner != NULL ? ", with " : "", drawing->inner != NULL ? drawing->inner->title : "");
    return true;
}
