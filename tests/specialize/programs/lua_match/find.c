/* Lua's matcher, on texts instead of values of Lua: as str_find_aux in lstrlib.c. */
#include "lstrlib.c"
#include "find.h"

int find(const char *subject, size_t length, const char *pattern, size_t pattern_length, struct found *found)
{
    MatchState state;
    const char *at = subject;
    const int anchor = *pattern == '^';
    if (anchor) {
        pattern++;
        pattern_length--;
    }
    prepstate(&state, NULL, subject, length, pattern, pattern_length);
    do {
        reprepstate(&state);
        const char *end = match(&state, at, pattern);
        if (end != NULL) {
            found->start = at - subject;
            found->end = end - subject;
            found->captures = state.level;
            for (int i = 0; i < state.level; i++) {
                const char *text;
                found->capture[i].length = (ptrdiff_t)get_onecapture(&state, i, at, end, &text);
                found->capture[i].at = text - subject;
            }
            return 1;
        }
    } while (at++ < state.src_end && !anchor);
    return 0;
}
