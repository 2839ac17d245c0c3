#include "Join.h"

bool join(struct Join *self)
{
    *self->both = self->left != NULL ? *self->left : *self->right;
    return Join_send_both(self);
}
