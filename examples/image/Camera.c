/* The camera: shows a PNG file again and again, or, without one, a picture of its own; as large and as often as it is asked to. */
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "Camera.h"

struct film {
    unsigned left;      /* images still to be taken */
    unsigned width, height;
    unsigned char *pixels;
    Wish wish;          /* the newest */
    unsigned due;       /* Wish_rate_most of these are an image */
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
    static struct film film = {.wish = {.percent = Wish_percent_most, .rate = Wish_rate_most}};
    const char *const path = getenv("IMAGE"), *const count = getenv("COUNT");
    film.left = count != NULL ? (unsigned)strtoul(count, NULL, 10) : 100;
    if (path != NULL)
        load(&film, path);
    else
        draw(&film);
    self->state = &film;
}

/* The film's picture at its size in percent: of each pixel the nearest. */
static void scale(const struct film *film, Image *image)
{
    image->width = (uint16_t)(film->width * film->wish.percent / 100);
    image->height = (uint16_t)(film->height * film->wish.percent / 100);
    image->size = 3u * image->width * image->height;
    for (unsigned y = 0; y < image->height; y++)
        for (unsigned x = 0; x < image->width; x++) {
            const unsigned from = y * film->height / image->height * film->width + x * film->width / image->width;
            memcpy(image->pixels + 3 * (y * image->width + x), film->pixels + 3 * from, 3);
        }
}

bool next_image(struct Camera *self)
{
    struct film *const film = self->state;
    struct timespec now;
    if (film->left == 0 || film->pixels == NULL)
        return false;
    if (3u * (size_t)film->width * film->height > sizeof self->f->pixels) {
        fprintf(stderr, "Camera: the image is larger than %zu bytes\n", sizeof self->f->pixels);
        return false;
    }
    /* The newest wish, if one has come: it is looked for, and never waited for. */
    if (Camera_try_w(self))
        film->wish = *self->w;
    film->due += film->wish.rate;
    if (film->due < Wish_rate_most)
        return true;
    film->due -= Wish_rate_most;
    film->left--;
    clock_gettime(CLOCK_MONOTONIC, &now);
    self->f->taken = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
    self->f->kept = film->wish;
    scale(film, self->f);
    return Camera_send_f(self);
}
