/* SPDX-License-Identifier: MIT-0 */
/* Texts with their length. Another run time in the same program has this, too. */
#include "onc.h"
#include <stdlib.h>

__attribute__((weak)) void whittle_text_free(struct whittle_text *text)
{
    free(text->items);
    *text = (struct whittle_text){0, NULL};
}
