/* SPDX-License-Identifier: MIT-0 */
/*
 * The file with the key, which net/keys.c reads. In goes its name; where a flow is on one machine and names none, it is
 * `key` in the flow's directory, and the first process that looks for it makes it: written beside under a name of its own
 * and then linked, so that it is there whole or not.
 */
#include "key.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

static bool whittle_flow_key_complain(const struct whittle_flow_event_loop *loop, const char *name, const char *why)
{
    whittle_flow_log_process(loop->process, "the key %s%s%s cannot be used: %s", loop->key_file != NULL ? "" : loop->directory,
        loop->key_file != NULL ? "" : "/", name, why);
    return false;
}

/* Makes the key of the directory, unless another process has just done so. */
static bool whittle_flow_key_make(struct whittle_flow_event_loop *loop, const char *name)
{
    uint8_t key[WHITTLE_NET_KEY];
    char text[WHITTLE_NET_KEY_DIGITS + 2], own[48];
    if (getrandom(key, sizeof key, 0) != sizeof key)
        return whittle_flow_key_complain(loop, name, "the system gives no random numbers");
    for (int n = 0; n < WHITTLE_NET_KEY; n++)
        snprintf(text + 2 * n, 3, "%02x", key[n]);
    text[WHITTLE_NET_KEY_DIGITS] = '\n';
    snprintf(own, sizeof own, "%s.%ld", name, (long)getpid());
    unlinkat(loop->directory_fd, own, 0);
    const int file = openat(loop->directory_fd, own, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    bool done = file >= 0 && write(file, text, WHITTLE_NET_KEY_DIGITS + 1) == WHITTLE_NET_KEY_DIGITS + 1 && fsync(file) == 0;
    done = done && (linkat(loop->directory_fd, own, loop->directory_fd, name, 0) == 0 || errno == EEXIST);
    const int problem = errno;
    if (file >= 0) {
        close(file);
        unlinkat(loop->directory_fd, own, 0);
    }
    whittle_net_key_forget(key, sizeof key);
    whittle_net_key_forget(text, sizeof text);
    return done || whittle_flow_key_complain(loop, name, strerror(problem));
}

bool whittle_flow_key_open(struct whittle_flow_event_loop *loop)
{
    const bool is_own = loop->key_file == NULL;
    const char *const name = is_own ? "key" : loop->key_file;
    const int folder = is_own ? loop->directory_fd : AT_FDCWD;
    for (size_t n = 0; n < loop->link_count && is_own && !loop->here; n++)
        if (!loop->links[n].edge->one_clock) {
            whittle_flow_log_process(loop->process, "a flow on several machines needs a key: make one with `whittle pipe key FILE`, copy it to "
                "each of them, and name it with --key FILE or WHITTLE_KEY");
            return false;
        }
    struct whittle_net_key *const key = malloc(sizeof *key);
    const char *why = key == NULL ? "no memory" : whittle_net_key_read(folder, name, key);
    if (key != NULL && why != NULL && errno == ENOENT && is_own) {
        if (!whittle_flow_key_make(loop, name)) {
            free(key);
            return false;
        }
        why = whittle_net_key_read(folder, name, key);
    }
    if (why != NULL) {
        free(key);
        return whittle_flow_key_complain(loop, name, why);
    }
    loop->key = key;
    return true;
}

void whittle_flow_key_close(struct whittle_flow_event_loop *loop)
{
    whittle_net_key_forget(loop->key, sizeof *loop->key);
    free(loop->key);
    loop->key = NULL;
}
