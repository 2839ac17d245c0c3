/* SPDX-License-Identifier: MIT-0 */
/*
 * The file with the key: one line of 64 hexadecimal digits, the user's own, readable by nobody else, and no link. In goes
 * its name; where a flow is on one machine and names none, it is `key` in the flow's directory, and the first process
 * that looks for it makes it: written beside under a name of its own and then linked, so that it is there whole or not.
 */
#include "key.h"
#include <errno.h>
#include <fcntl.h>
#include <openssl/crypto.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WHITTLE_FLOW_KEY_DIGITS = 2 * WHITTLE_FLOW_KEY_BYTES };

static bool whittle_flow_key_complain(const struct whittle_flow_carrier *carrier, const char *name, const char *why)
{
    whittle_flow_complain(carrier->process, "the key %s%s%s cannot be used: %s", carrier->key_file != NULL ? "" : carrier->directory,
        carrier->key_file != NULL ? "" : "/", name, why);
    return false;
}

static int whittle_flow_key_digit(char digit)
{
    return digit >= '0' && digit <= '9' ? digit - '0' : digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

static bool whittle_flow_key_parse(const char *text, uint8_t *key)
{
    for (int n = 0; n < WHITTLE_FLOW_KEY_BYTES; n++) {
        const int high = whittle_flow_key_digit(text[2 * n]), low = high < 0 ? -1 : whittle_flow_key_digit(text[2 * n + 1]);
        if (low < 0)
            return false;
        key[n] = (uint8_t)(high << 4 | low);
    }
    return text[WHITTLE_FLOW_KEY_DIGITS] == '\n';
}

/* NULL, or why the file that is open is no key. */
static const char *whittle_flow_key_judge(int file, struct whittle_flow_key *key)
{
    struct stat found;
    char text[WHITTLE_FLOW_KEY_DIGITS + 2];
    if (fstat(file, &found) != 0)
        return strerror(errno);
    if (!S_ISREG(found.st_mode))
        return "it is no ordinary file";
    if (found.st_uid != geteuid())
        return "it belongs to another user: make one of your own with `whittle pipe key FILE`";
    if ((found.st_mode & 077) != 0)
        return "others may read or write it: chmod 600";
    const ssize_t came = read(file, text, sizeof text);
    const bool sound = came == WHITTLE_FLOW_KEY_DIGITS + 1 && whittle_flow_key_parse(text, key->bytes);
    OPENSSL_cleanse(text, sizeof text);
    return sound ? NULL : "it holds no key: `whittle pipe key FILE` makes one";
}

/* Makes the key of the directory, unless another process has just done so. */
static bool whittle_flow_key_make(struct whittle_flow_carrier *carrier, const char *name)
{
    uint8_t key[WHITTLE_FLOW_KEY_BYTES];
    char text[WHITTLE_FLOW_KEY_DIGITS + 2], own[48];
    if (getrandom(key, sizeof key, 0) != sizeof key)
        return whittle_flow_key_complain(carrier, name, "the system gives no random numbers");
    for (int n = 0; n < WHITTLE_FLOW_KEY_BYTES; n++)
        snprintf(text + 2 * n, 3, "%02x", key[n]);
    text[WHITTLE_FLOW_KEY_DIGITS] = '\n';
    snprintf(own, sizeof own, "%s.%ld", name, (long)getpid());
    unlinkat(carrier->directory_fd, own, 0);
    const int file = openat(carrier->directory_fd, own, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    bool done = file >= 0 && write(file, text, WHITTLE_FLOW_KEY_DIGITS + 1) == WHITTLE_FLOW_KEY_DIGITS + 1 && fsync(file) == 0;
    done = done && (linkat(carrier->directory_fd, own, carrier->directory_fd, name, 0) == 0 || errno == EEXIST);
    const int problem = errno;
    if (file >= 0) {
        close(file);
        unlinkat(carrier->directory_fd, own, 0);
    }
    OPENSSL_cleanse(key, sizeof key);
    OPENSSL_cleanse(text, sizeof text);
    return done || whittle_flow_key_complain(carrier, name, strerror(problem));
}

bool whittle_flow_key_open(struct whittle_flow_carrier *carrier)
{
    const bool is_own = carrier->key_file == NULL;
    const char *const name = is_own ? "key" : carrier->key_file;
    const int how = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, folder = is_own ? carrier->directory_fd : AT_FDCWD;
    for (size_t n = 0; n < carrier->link_count && is_own && !carrier->here; n++)
        if (!carrier->links[n].edge->one_clock) {
            whittle_flow_complain(carrier->process, "a flow on several machines needs a key: make one with `whittle pipe key FILE`, copy it to "
                "each of them, and name it with --key FILE or WHITTLE_KEY");
            return false;
        }
    int file = openat(folder, name, how);
    if (file < 0 && errno == ENOENT && is_own) {
        if (!whittle_flow_key_make(carrier, name))
            return false;
        file = openat(folder, name, how);
    }
    if (file < 0)
        return whittle_flow_key_complain(carrier, name, errno == ELOOP ? "it is a link, which is not followed" : strerror(errno));
    struct whittle_flow_key *const key = malloc(sizeof *key);
    const char *const why = key == NULL ? "no memory" : whittle_flow_key_judge(file, key);
    close(file);
    if (why != NULL) {
        free(key);
        return whittle_flow_key_complain(carrier, name, why);
    }
    carrier->key = key;
    return true;
}

void whittle_flow_key_close(struct whittle_flow_carrier *carrier)
{
    OPENSSL_cleanse(carrier->key, sizeof *carrier->key);
    free(carrier->key);
    carrier->key = NULL;
}
