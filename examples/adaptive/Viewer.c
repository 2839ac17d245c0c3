/* The viewer: says when pictures come later than 25 a second, and asks for smaller ones; for larger ones while they come in time. */
#include <stdio.h>
#include <time.h>

#include "Viewer.h"

enum { PERIOD = 40, LATE = 60, IN_TIME = 25 };     /* milliseconds; pictures */

struct viewer {
    unsigned count, missing, next_number, asked, smallest, width, wanted, in_time;
    unsigned least, most;
    int64_t begun;
};

void Viewer_begin(struct Viewer *self)
{
    static struct viewer viewer;
    self->state = &viewer;
}

static int64_t milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Asks for another width, if there is one within the camera's range. */
static bool ask(struct Viewer *self, unsigned width)
{
    struct viewer *const viewer = self->state;
    width = width < viewer->least ? viewer->least : width > viewer->most ? viewer->most : width;
    viewer->in_time = 0;
    if (width == viewer->width)
        return true;
    viewer->wanted = width;
    viewer->asked++;
    self->w->width = (uint16_t)width;
    return Viewer_send_w(self);
}

bool view(struct Viewer *self)
{
    struct viewer *const viewer = self->state;
    const Picture *const picture = self->f;
    if (Viewer_try_r(self)) {
        viewer->least = self->r->least;
        viewer->most = self->r->most;
    }
    viewer->missing += picture->number - viewer->next_number;
    viewer->next_number = picture->number + 1;
    viewer->count++;
    if (viewer->width != picture->width) {
        /* Another size: from here on it is seen whether these come in time. */
        viewer->begun = milliseconds() - (int64_t)picture->number * PERIOD;
        viewer->width = picture->width;
        viewer->smallest = viewer->count == 1 || viewer->width < viewer->smallest ? viewer->width : viewer->smallest;
    }
    const int64_t late = milliseconds() - viewer->begun - (int64_t)picture->number * PERIOD;
    /* No range has come yet, or pictures of the size that was asked for have not. */
    if (viewer->most == 0 || (viewer->wanted != 0 && viewer->wanted != viewer->width))
        return true;
    viewer->in_time = late <= LATE ? viewer->in_time + 1 : 0;
    if (late > LATE)
        return ask(self, viewer->width * 3 / 4);
    return viewer->in_time < IN_TIME || ask(self, viewer->width * 9 / 8);
}

void Viewer_end(struct Viewer *self)
{
    const struct viewer *const viewer = self->state;
    printf("%u pictures, %u missing, %u wishes, %u pixels wide at least and %u in the end\n", viewer->count, viewer->missing, viewer->asked,
        viewer->smallest, viewer->width);
}
