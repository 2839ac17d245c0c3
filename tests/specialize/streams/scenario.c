/* Streams that belong to the caller, and that other code sees only when it is handed them. Compiled as it stands it is the
 * original. */
#include <whittle/specialize.h>

#include "stream.h"

enum { ROOM = 400 };

/* Nobody looks in between: only what is left in the end is stored. */
WHITTLE_SPECIALIZE int put_fifty(struct stream *stream, const unsigned *words, unsigned count)
{
    WHITTLE_PRIVATE(stream);
    WHITTLE_FACT(stream->left == ROOM);
    return put_all(stream, words, 50);
}

/* The loop goes as often as run time says; its end may be reached at any word. */
WHITTLE_SPECIALIZE int put_some(struct stream *stream, const unsigned *words, unsigned count)
{
    WHITTLE_PRIVATE(stream);
    WHITTLE_FACT(stream->left == ROOM);
    stream->count = count;
    return put_all(stream, words, count);
}

/* So may this one's, and before it nothing of the stream is touched: there may be none. */
WHITTLE_SPECIALIZE int put_plainly(struct stream *stream, const unsigned *words, unsigned count)
{
    WHITTLE_PRIVATE(stream);
    return put_all(count == 0 ? (struct stream *)0 : stream, words, count);
}

/* Who is handed the stream sees every word put. */
WHITTLE_SPECIALIZE int put_and_tell(struct stream *stream, const unsigned *words, unsigned count)
{
    WHITTLE_PRIVATE(stream);
    WHITTLE_FACT(stream->left == ROOM);
    for (unsigned i = 0; i < 12; i++) {
        put(stream, words[i]);
        if (i % 3 == 2)
            tell(stream);
    }
    for (unsigned i = 0; i < count; i++) {
        put(stream, words[i]);
        tell(stream);
    }
    return 1;
}

/* Who got at its address earlier does, too. */
WHITTLE_SPECIALIZE int put_and_keep(struct stream *stream, const unsigned *words, unsigned count)
{
    WHITTLE_PRIVATE(stream);
    WHITTLE_FACT(stream->left == ROOM);
    put_all(stream, words, 9);
    kept = stream;
    for (unsigned i = 0; i < count; i++) {
        put(stream, words[i]);
        look();
    }
    return put_all(stream, words, count);
}

/* A call may never come back, and what is there then is what was stored before. */
WHITTLE_SPECIALIZE int put_and_leave(struct stream *stream, const unsigned *words, unsigned count)
{
    WHITTLE_PRIVATE(stream);
    WHITTLE_FACT(stream->left == ROOM);
    for (unsigned i = 0; i < 10; i++) {
        put(stream, words[i]);
        leave(i);
    }
    for (unsigned i = 0; i < count; i++) {
        put(stream, words[i]);
        leave(i + 10);
    }
    return 1;
}

/* A stream of the function's own, read back in the middle. */
WHITTLE_SPECIALIZE int put_twice(struct stream *stream, const unsigned *words, unsigned count)
{
    struct stream own = *stream;
    WHITTLE_PRIVATE(stream);
    for (unsigned i = 0; i < count; i++) {
        put(&own, words[i]);
        if (own.left < 100)
            tell(&own);
        for (unsigned j = i; j < count; j++)
            put(stream, words[j]);
    }
    stream->count += own.left;
    return own.errors;
}
