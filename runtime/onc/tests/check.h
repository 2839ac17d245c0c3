/* SPDX-License-Identifier: MIT-0 */
/* What the run time's tests have in common. */
#ifndef CHECK_H
#define CHECK_H
#include "sample.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(what) \
    do { \
        if (!(what)) { \
            fprintf(stderr, "%s:%d: `%s` does not hold\n", __FILE__, __LINE__, #what); \
            exit(99); \
        } \
    } while (0)
#define IS(call, wanted) \
    do { \
        const int status_ = (call); \
        if (status_ != (wanted)) { \
            fprintf(stderr, "%s:%d: `%s` is %d, \"%s\", not %d\n", __FILE__, __LINE__, #call, status_, whittle_onc_text(status_), (int)(wanted)); \
            exit(99); \
        } \
    } while (0)
#define GOOD(call) IS(call, WHITTLE_ONC_OK)

/* A server in a thread of this process. */
struct running {
    struct whittle_onc_server *server;
    struct sample_servant servant;
    pthread_t thread;
};
void running_open(struct running *running, const struct whittle_onc_server_options *options, const char *const *addresses);
void running_close(struct running *running);
/* Its address that begins so. */
const char *running_at(const struct running *running, const char *transport);
struct whittle_onc_client *client_of(const char *address, const struct whittle_onc_client_options *options);
#endif
