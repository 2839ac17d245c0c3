/* The stream that most questions are about. */
#include <whittle/specialize.h>

struct stream {
    int mode;
    int left;
    char *at;
};

static int put(struct stream *stream, char byte)
{
    if (stream->mode != 1)
        return 0;
    if (--stream->left < 0)
        return 0;
    *stream->at++ = byte;
    return 1;
}

WHITTLE_SPECIALIZE int root(char *buffer, int size)
{
    struct stream stream = { 1, size, buffer };
    return put(&stream, 'a') && put(&stream, 'b');
}
