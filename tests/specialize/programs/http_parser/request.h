#include <stddef.h>

struct request {
    unsigned method, major, minor, headers, error;
    unsigned url_length, field_length, value_length;
    unsigned long mixed;
    size_t body_length;
    int keeps_alive;
};
size_t read_request(const char *text, size_t length, struct request *request);
