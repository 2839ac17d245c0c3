#include <stddef.h>

enum json_type { JSON_INT, JSON_BOOL, JSON_TEXT, JSON_OBJECT };

/* A member of a structure: an int, a bool as an int, an array of char, or a structure in it. */
struct json_member {
    const char *name;
    enum json_type type;
    size_t offset, size;
    int required;
    const struct json_schema *schema; /* of an object */
};

struct json_schema {
    const struct json_member *members;
    int count;
};

/* The length that the text has or would have; at most `size` bytes are written, with a zero at the end. */
size_t json_write(const struct json_schema *schema, const void *object, char *text, size_t size);
/* Zero, or -1. Members that the schema does not have are errors. */
int json_read(const struct json_schema *schema, void *object, const char *text);

struct place {
    int x, y;
};

struct device {
    int number;
    int active;
    char name[16];
    struct place place;
};

size_t write_device(const struct device *device, char *text, size_t size);
int read_device(struct device *device, const char *text);
