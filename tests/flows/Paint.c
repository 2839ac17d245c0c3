#include "Paint.h"

static int painted;

bool paint(struct Paint *self)
{
    static char title[] = "a house", part[] = "its door", ada[] = "Ada", bob[] = "Bob";
    static int64_t years[2] = {-500, 1923};
    static char *painters[2] = {ada, bob};
    static Gallery_Picture door = {.what = Gallery_portrait, .title = part, .letter = 'd', .seal = {9, 8, 7, 6}};
    if (painted++ == 3)
        return false;
    Gallery_Picture *const picture = self->p;
    picture->what = painted == 2 ? Gallery_portrait : Gallery_landscape;
    picture->extent = (Gallery_Size){-3, 65000};
    picture->asked._d = painted == 1;
    if (painted == 1)
        picture->asked.Gallery_Price_u.amount = 12.5;
    for (int n = 0; n < 4; n++)
        picture->seal[n] = (char)(250 + n);
    picture->hands.Gallery_Painters_len = (u_int)painted - 1;
    picture->hands.Gallery_Painters_val = painters;
    picture->title = title;
    picture->letter = 'h';
    picture->number = -5000000000;
    picture->is_sold = painted == 3;
    picture->scale[0] = 0.5f;
    picture->scale[1] = (float)painted;
    picture->years.years_len = 2;
    picture->years.years_val = years;
    picture->details.details_len = painted == 3;
    picture->details.details_val = &door;
    return Paint_send_p(self);
}
