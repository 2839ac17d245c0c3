#include <whittle/specialize.h>
#include "json.h"

static const struct json_member place_members[] = {
    { "x", JSON_INT, offsetof(struct place, x), sizeof(int), 1, NULL },
    { "y", JSON_INT, offsetof(struct place, y), sizeof(int), 1, NULL },
};
static const struct json_schema place = { place_members, 2 };
static const struct json_member device_members[] = {
    { "number", JSON_INT, offsetof(struct device, number), sizeof(int), 1, NULL },
    { "active", JSON_BOOL, offsetof(struct device, active), sizeof(int), 0, NULL },
    { "name", JSON_TEXT, offsetof(struct device, name), 16, 1, NULL },
    { "place", JSON_OBJECT, offsetof(struct device, place), sizeof(struct place), 0, &place },
};
static const struct json_schema device = { device_members, 4 };

WHITTLE_SPECIALIZE
size_t write_device(const struct device *object, char *text, size_t size)
{
    return json_write(&device, object, text, size);
}

WHITTLE_SPECIALIZE
int read_device(struct device *object, const char *text)
{
    return json_read(&device, object, text);
}
