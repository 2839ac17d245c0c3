/* The screen: asks for smaller images when they come late, then for fewer, and for more when they come in time; leaves the last one as a PNG file. */
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "Screen.h"

enum { LATE = 80, VERY_LATE = 300 };    /* milliseconds */
enum { FIRST = 5, ENOUGH = 12 };        /* images: that come late yet when a wish is heard; in time, so that there may be more */

struct shown {
    unsigned count, since, in_time;
    Wish wish;          /* the last */
    int64_t quickest;   /* nanoseconds between the camera's clock and ours when the quickest image came */
    uint64_t begun;
    FILE *record;
    Image last;
};

void Screen_begin(struct Screen *self)
{
    static struct shown shown = {.wish = {.percent = Wish_percent_most, .rate = Wish_rate_most}, .quickest = INT64_MAX};
    const char *const path = getenv("RECORD");
    if (path != NULL && (shown.record = fopen(path, "w")) == NULL)
        Screen_fail(self, "the file that RECORD names cannot be written");
    else if (path != NULL)
        setvbuf(shown.record, NULL, _IOLBF, BUFSIZ);
    self->state = &shown;
}

/* Milliseconds that an image came later than the quickest: the two clocks need not agree. */
static double lateness(struct shown *shown, const Image *image, uint64_t now)
{
    const int64_t took = (int64_t)(now - image->taken);
    if (took < shown->quickest)
        shown->quickest = took;
    return (double)(took - shown->quickest) / 1e6;
}

/* True: the image was taken as wished, and behind those that filled the queue before it. */
static bool is_settled(struct shown *shown, const Image *image)
{
    if (image->kept.percent != shown->wish.percent || image->kept.rate != shown->wish.rate)
        shown->since = 0;
    return shown->since++ >= FIRST;
}

static uint16_t within(unsigned value, unsigned least, unsigned most)
{
    return (uint16_t)(value < least ? least : value > most ? most : value);
}

/* Smaller images before fewer, when they are late; else more before larger ones. */
static Wish wanted(Wish wish, double late)
{
    if (late > LATE && wish.percent > Wish_percent_least)
        wish.percent = within(late > VERY_LATE ? wish.percent / 2u : wish.percent * 3u / 4, Wish_percent_least, Wish_percent_most);
    else if (late > LATE)
        wish.rate = within(wish.rate * 3u / 4, Wish_rate_least, Wish_rate_most);
    else if (wish.rate < Wish_rate_most)
        wish.rate = within(wish.rate * 5u / 4, Wish_rate_least, Wish_rate_most);
    else
        wish.percent = within(wish.percent * 9u / 8, Wish_percent_least, Wish_percent_most);
    return wish;
}

static bool ask(struct Screen *self, double late)
{
    struct shown *const shown = self->state;
    shown->in_time = late > LATE ? 0 : shown->in_time + 1;
    if (late <= LATE && shown->in_time < ENOUGH)
        return true;
    const Wish wish = wanted(shown->wish, late);
    shown->in_time = 0;
    if (wish.percent == shown->wish.percent && wish.rate == shown->wish.rate)
        return true;
    shown->wish = *self->w = wish;
    return Screen_send_w(self);
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
    struct timespec clock;
    clock_gettime(CLOCK_MONOTONIC, &clock);
    const uint64_t now = (uint64_t)clock.tv_sec * 1000000000 + (uint64_t)clock.tv_nsec;
    shown->begun = shown->begun != 0 ? shown->begun : now;
    const double late = lateness(shown, image, now);
    if (shown->record != NULL)
        fprintf(shown->record, "%.3f,%u,%u,%.1f\n", (double)(now - shown->begun) / 1e9, image->width, image->size, late);
    return !is_settled(shown, image) || ask(self, late);
}

void Screen_end(struct Screen *self)
{
    const struct shown *const shown = self->state;
    const char *const path = getenv("SCREEN") != NULL ? getenv("SCREEN") : "screen.png";
    png_image image;
    printf("%u images\n", shown->count);
    if (shown->record != NULL)
        fclose(shown->record);
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
