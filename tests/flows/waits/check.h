/* Whether packets are as they were sent. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static inline bool is_left(const struct Left *left)
{
    for (uint32_t n = 0; n < left->size; n++)
        if (left->data[n] != (uint8_t)left->number)
            return false;
    return left->size == left->number;
}

static inline bool is_right(const struct Right *right)
{
    char text[21];
    snprintf(text, sizeof text, "right %u", (unsigned)right->head.value);
    return strcmp(text, right->text) == 0;
}
