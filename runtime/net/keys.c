/* SPDX-License-Identifier: MIT-0 */
/* The file with a key: keys.h. `whittle pipe key FILE` makes one. */
#include "keys.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

void whittle_net_key_forget(void *secret, size_t size)
{
    explicit_bzero(secret, size);
}

static int whittle_net_key_digit(char digit)
{
    return digit >= '0' && digit <= '9' ? digit - '0' : digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

static bool whittle_net_key_parse(const char *text, struct whittle_net_key *key)
{
    for (int at = 0; at < WHITTLE_NET_KEY; at++) {
        const int high = whittle_net_key_digit(text[2 * at]), low = high < 0 ? -1 : whittle_net_key_digit(text[2 * at + 1]);
        if (low < 0)
            return false;
        key->bytes[at] = (uint8_t)(high << 4 | low);
    }
    return text[WHITTLE_NET_KEY_DIGITS] == '\n';
}

/* NULL, or why the file that is open is no key. */
static const char *whittle_net_key_check(int file, struct whittle_net_key *key)
{
    struct stat found;
    char text[WHITTLE_NET_KEY_DIGITS + 2];
    if (fstat(file, &found) != 0)
        return strerror(errno);
    if (!S_ISREG(found.st_mode))
        return "it is no ordinary file";
    if (found.st_uid != geteuid())
        return "it belongs to another user: make one of your own with `whittle pipe key FILE`";
    if ((found.st_mode & 077) != 0)
        return "others may read or write it: chmod 600";
    const ssize_t came = read(file, text, sizeof text);
    const bool sound = came == WHITTLE_NET_KEY_DIGITS + 1 && whittle_net_key_parse(text, key);
    whittle_net_key_forget(text, sizeof text);
    return sound ? NULL : "it holds no key: `whittle pipe key FILE` makes one";
}

const char *whittle_net_key_read(int folder, const char *name, struct whittle_net_key *key)
{
    const int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    const int problem = file < 0 ? errno : 0;
    const char *const why = file >= 0 ? whittle_net_key_check(file, key)
        : problem == ELOOP ? "it is a link, which is not followed" : strerror(problem);
    if (file >= 0)
        close(file);
    errno = problem == ENOENT ? ENOENT : 0;
    return why;
}
