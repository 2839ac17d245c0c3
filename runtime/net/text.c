/* SPDX-License-Identifier: MIT-0 */
/* Texts with their length. */
#include "text.h"
#include <stdlib.h>

void whittle_text_free(struct whittle_text *text)
{
    free(text->items);
    *text = (struct whittle_text){0, NULL};
}
