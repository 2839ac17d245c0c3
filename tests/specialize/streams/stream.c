#include "stream.h"

int put(struct stream *stream, unsigned word)
{
    if (stream->left < 4) {
        stream->errors++;
        return 0;
    }
    stream->left -= 4;
    *(unsigned *)(void *)stream->at = htonl(word);
    stream->at += 4;
    return 1;
}

int put_all(struct stream *stream, const unsigned *words, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (!put(stream, words[i]))
            return 0;
    return 1;
}
