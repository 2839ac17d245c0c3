/* SPDX-License-Identifier: MIT-0 */
/* What a value owns, released by its TypeCode. In: a type and a value. Out: the value, empty. */
#include "value.h"

static void whittle_release_members(CORBA_TypeCode type, char *value)
{
    if (type->kind == CORBA_tk_union) {
        const struct whittle_member *const chosen = whittle_chosen(type, value);
        if (chosen != NULL)
            whittle_release_value(chosen->type, value + chosen->offset);
        return;
    }
    for (uint32_t index = 0; index < type->count; index++)
        whittle_release_value(type->members[index].type, value + type->members[index].offset);
}

void whittle_release_value(CORBA_TypeCode type, void *value)
{
    if (type->release == NULL)
        return;
    if (type->release != whittle_release_by_type) {
        type->release(value);
        return;
    }
    switch (type->kind) {
    case CORBA_tk_alias:
        whittle_release_value(type->content, value);
        break;
    case CORBA_tk_struct: case CORBA_tk_except: case CORBA_tk_union:
        whittle_release_members(type, (char *)value);
        break;
    case CORBA_tk_array:
        for (uint32_t index = 0; index < type->count; index++)
            whittle_release_value(type->content, whittle_element(type->content, value, index));
        break;
    default:
        whittle_release_sequence(value);
    }
}
