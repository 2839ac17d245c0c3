/* The camera: shows a PNG file again and again, or, without one, a picture of its own. */
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "Camera.h"

struct film {
    unsigned left;      /* images still to be taken */
    unsigned width, height;
    unsigned char *pixels;
};

/* A disc on a coloured ground. */
static void draw(struct film *film)
{
    film->width = 400;
    film->height = 333;
    film->pixels = malloc(3u * film->width * film->height);
    for (unsigned y = 0; film->pixels != NULL && y < film->height; y++)
        for (unsigned x = 0; x < film->width; x++) {
            unsigned char *const pixel = film->pixels + 3 * (y * film->width + x);
            const long dx = (long)x - 200, dy = (long)y - 166;
            const int inside = dx * dx + dy * dy < 100 * 100;
            pixel[0] = (unsigned char)(inside ? 240 : x * 255 / film->width);
            pixel[1] = (unsigned char)(inside ? 180 : y * 255 / film->height);
            pixel[2] = (unsigned char)(inside ? 40 : 128);
        }
}

static void load(struct film *film, const char *path)
{
    png_image image;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    if (!png_image_begin_read_from_file(&image, path)) {
        fprintf(stderr, "Camera: %s: %s\n", path, image.message);
        return;
    }
    image.format = PNG_FORMAT_RGB;
    film->width = image.width;
    film->height = image.height;
    film->pixels = malloc(PNG_IMAGE_SIZE(image));
    if (film->pixels == NULL || !png_image_finish_read(&image, NULL, film->pixels, 0, NULL)) {
        fprintf(stderr, "Camera: %s: %s\n", path, film->pixels == NULL ? "no memory" : image.message);
        free(film->pixels);
        film->pixels = NULL;
    }
    png_image_free(&image);
}

void Camera_begin(struct Camera *self)
{
    static struct film film;
    const char *const path = getenv("IMAGE"), *const count = getenv("COUNT");
    film.left = count != NULL ? (unsigned)strtoul(count, NULL, 10) : 100;
    if (path != NULL)
        load(&film, path);
    else
        draw(&film);
    self->state = &film;
}

bool next_image(struct Camera *self)
{
    struct film *const film = self->state;
    Image *const image = self->f;
    const size_t size = 3u * (size_t)film->width * film->height;
    if (film->left == 0 || film->pixels == NULL)
        return false;
    if (size > sizeof image->pixels) {
        fprintf(stderr, "Camera: the image is larger than %zu bytes\n", sizeof image->pixels);
        return false;
    }
    film->left--;
    image->width = (uint16_t)film->width;
    image->height = (uint16_t)film->height;
    image->size = (uint32_t)size;
    memcpy(image->pixels, film->pixels, size);
    return Camera_send_f(self);
}
