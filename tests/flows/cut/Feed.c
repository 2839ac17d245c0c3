#include "Feed.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static uint64_t sent;

/* Goes on until the file `enough` is there. */
bool feed(struct Feed *self)
{
    struct stat found;
    self->n->value = sent++;
    if (!Feed_send_n(self))
        return false;
    if (sent % 1000 == 0)
        usleep(1000);
    return sent % 1000 != 0 || stat("enough", &found) != 0;
}

void Feed_end(struct Feed *self)
{
    (void)self;
    printf("sent %llu\n", (unsigned long long)sent);
}
