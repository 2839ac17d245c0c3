#include "Hang.h"
#include <stdio.h>

static void print(const Gallery_Picture *picture)
{
    printf("%s, %s of %dx%d, %s %c %lld", picture->title, picture->what == Gallery_portrait ? "portrait" : "landscape",
           picture->extent.width, picture->extent.height, picture->is_sold ? "sold" : "free", picture->letter, (long long)picture->number);
    if (picture->asked._d)
        printf(" for %g", picture->asked.Gallery_Price_u.amount);
    printf(" marked %d-%d at %g %g by", (u_char)picture->seal[0], (u_char)picture->seal[3], (double)picture->scale[0], (double)picture->scale[1]);
    for (u_int n = 0; n < picture->hands.Gallery_Painters_len; n++)
        printf(" %s", picture->hands.Gallery_Painters_val[n]);
    for (u_int n = 0; n < picture->details.details_len; n++) {
        printf(" with ");
        print(&picture->details.details_val[n]);
    }
}

bool hang(struct Hang *self)
{
    printf("%s: ", self->instance);
    print(self->p);
    printf("\n");
    return true;
}
