#include <stddef.h>
/* Where the captures of a pattern lie in the subject. */
struct found {
    ptrdiff_t start, end;
    int captures;
    struct { ptrdiff_t at, length; } capture[4];
};
int find(const char *subject, size_t length, const char *pattern, size_t pattern_length, struct found *found);
int find_setting(const char *subject, size_t length, struct found *found);
int find_version(const char *subject, size_t length, struct found *found);
