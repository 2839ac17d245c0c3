/* The screen: counts what comes, and leaves the last image as a PNG file. */
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "Screen.h"

struct shown {
    unsigned count;
    Image last;
};

void Screen_begin(struct Screen *self)
{
    static struct shown shown;
    self->state = &shown;
}

bool show(struct Screen *self)
{
    struct shown *const shown = self->state;
    const Image *const image = self->f;
    if (image->size != 3u * image->width * image->height) {
        fprintf(stderr, "Screen: %u bytes are no image of %u x %u\n", image->size, image->width, image->height);
        return true;
    }
    shown->count++;
    memcpy(&shown->last, image, offsetof(Image, pixels) + image->size);
    return true;
}

void Screen_end(struct Screen *self)
{
    const struct shown *const shown = self->state;
    const char *const path = getenv("SCREEN") != NULL ? getenv("SCREEN") : "screen.png";
    png_image image;
    printf("%u images\n", shown->count);
    if (shown->count == 0)
        return;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    image.format = PNG_FORMAT_RGB;
    image.width = shown->last.width;
    image.height = shown->last.height;
    if (!png_image_write_to_file(&image, path, 0, shown->last.pixels, 0, NULL))
        fprintf(stderr, "Screen: %s: %s\n", path, image.message);
}
