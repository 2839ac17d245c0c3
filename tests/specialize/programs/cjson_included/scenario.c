#include <string.h>
#include <whittle/specialize.h>
#include "cJSON.c"
#include "report.h"

/* {"name":...,"number":...,"values":[...,1,2],"valid":...}: the items are put together by hand, without memory from the heap. */
WHITTLE_SPECIALIZE
int print_sample(char *into, int size, const struct sample *sample)
{
    cJSON all, name, number, values, level, one, two, valid;
    memset(&all, 0, sizeof all);
    memset(&name, 0, sizeof name);
    memset(&number, 0, sizeof number);
    memset(&values, 0, sizeof values);
    memset(&level, 0, sizeof level);
    memset(&one, 0, sizeof one);
    memset(&two, 0, sizeof two);
    memset(&valid, 0, sizeof valid);
    all.type = cJSON_Object;
    all.child = &name;
    name.type = cJSON_String;
    name.string = "name";
    name.valuestring = (char *)sample->name;
    name.next = &number;
    number.type = cJSON_Number;
    number.string = "number";
    number.valueint = sample->number;
    number.valuedouble = sample->number;
    number.next = &values;
    values.type = cJSON_Array;
    values.string = "values";
    values.child = &level;
    values.next = &valid;
    level.type = one.type = two.type = cJSON_Number;
    level.valueint = sample->level;
    level.valuedouble = sample->level;
    level.next = &one;
    one.valueint = 1;
    one.valuedouble = 1;
    one.next = &two;
    two.valueint = 2;
    two.valuedouble = 2;
    valid.type = sample->is_valid ? cJSON_True : cJSON_False;
    valid.string = "valid";
    return cJSON_PrintPreallocated(&all, into, size, 0);
}
