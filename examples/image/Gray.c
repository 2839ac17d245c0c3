/* Makes images gray: three equal bytes for each pixel, by the weights of ITU-R BT.601. */
#include "Gray.h"

bool to_gray(struct Gray *self)
{
    const Image *const from = self->a;
    Image *const to = self->b;
    to->taken = from->taken;
    to->kept = from->kept;
    to->width = from->width;
    to->height = from->height;
    to->size = from->size - from->size % 3;
    for (uint32_t at = 0; at < to->size; at += 3) {
        const unsigned light = 299u * from->pixels[at] + 587u * from->pixels[at + 1] + 114u * from->pixels[at + 2];
        to->pixels[at] = to->pixels[at + 1] = to->pixels[at + 2] = (uint8_t)(light / 1000);
    }
    return Gray_send_b(self);
}
