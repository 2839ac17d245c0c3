#include <ctype.h>
#include "find.h"

static void capture(struct found *found, int number, const char *subject, const char *from, const char *to)
{
    found->capture[number].at = from - subject;
    found->capture[number].length = to - from;
}

/* ^(%a+)%s*=%s*(%d+)$: the classes exclude each other, so there is nothing to try again. */
int find_setting(const char *subject, size_t length, struct found *found)
{
    const char *at = subject, *end = subject + length;
    while (at < end && isalpha((unsigned char)*at))
        at++;
    const char *name = at;
    if (name == subject)
        return 0;
    while (at < end && isspace((unsigned char)*at))
        at++;
    if (at == end || *at++ != '=')
        return 0;
    while (at < end && isspace((unsigned char)*at))
        at++;
    const char *number = at;
    while (at < end && isdigit((unsigned char)*at))
        at++;
    if (at == number || at != end)
        return 0;
    found->start = 0;
    found->end = end - subject;
    found->captures = 2;
    capture(found, 0, subject, subject, name);
    capture(found, 1, subject, number, end);
    return 1;
}

/* ([%w_]+)[-.](%d+)%.?(%d*): only the first run of letters can end in different places, and its end alone is followed by [-.]. */
int find_version(const char *subject, size_t length, struct found *found)
{
    const char *end = subject + length;
    for (const char *start = subject; start < end; start++) {
        const char *first = start, *at = start;
        while (at < end && (isalnum((unsigned char)*at) || *at == '_'))
            at++;
        const char *name = at;
        if (name == start)
            continue;
        start = name;       /* a later start in the same run fails in the same way */
        if (at == end || (*at != '-' && *at != '.'))
            continue;
        const char *major = ++at;
        while (at < end && isdigit((unsigned char)*at))
            at++;
        const char *major_end = at;
        if (major == major_end)
            continue;
        if (at < end && *at == '.')
            at++;
        const char *minor = at;
        while (at < end && isdigit((unsigned char)*at))
            at++;
        found->start = first - subject;
        found->end = at - subject;
        found->captures = 3;
        capture(found, 0, subject, first, name);
        capture(found, 1, subject, major, major_end);
        capture(found, 2, subject, minor, at);
        return 1;
    }
    return 0;
}
