/* SPDX-License-Identifier: MIT-0 */
/* Stubs for sample.x, as they are generated for other interfaces. */
#ifndef SAMPLE_H
#define SAMPLE_H
#include "onc.h"
#include "stubs.h"

enum { SAMPLE_PROGRAM = 0x20005678, SAMPLE_ONE = 1 };
enum { SAMPLE_NOTHING, SAMPLE_ADD, SAMPLE_UPLOAD, SAMPLE_DOWNLOAD, SAMPLE_REST, SAMPLE_NOTE, SAMPLE_NOTED, SAMPLE_FAIL, SAMPLE_ECHO, SAMPLE_WHO };

int sample_nothing(struct whittle_onc_client *client);
int sample_add(struct whittle_onc_client *client, int32_t left, int32_t right, int32_t *sum);
int sample_upload(struct whittle_onc_client *client, const void *bytes, uint32_t size, uint32_t *count);
int sample_download(struct whittle_onc_client *client, uint32_t size, char **bytes, uint32_t *count);
int sample_rest(struct whittle_onc_client *client, uint32_t milliseconds);
int sample_note(struct whittle_onc_client *client, int32_t number);
int sample_noted(struct whittle_onc_client *client, uint32_t *sum);
int sample_fail(struct whittle_onc_client *client, int32_t status);
int sample_echo(struct whittle_onc_client *client, const char *text, char **echoed);
int sample_who(struct whittle_onc_client *client, uint32_t *user);
/* A pipelined call, in two. */
int sample_add_begin(struct whittle_onc_call *call, struct whittle_onc_client *client, int32_t left, int32_t right);
int sample_add_end(struct whittle_onc_call *call, int32_t *sum);
int sample_upload_begin(struct whittle_onc_call *call, struct whittle_onc_client *client, const void *bytes, uint32_t size);
int sample_upload_end(struct whittle_onc_call *call, uint32_t *count);

struct sample_operations {
    int (*add)(void *context, int32_t left, int32_t right, int32_t *sum);
    int (*upload)(void *context, const char *bytes, uint32_t size, uint32_t *count);
    int (*download)(void *context, uint32_t size, const char **bytes);
    int (*rest)(void *context, uint32_t milliseconds);
    void (*note)(void *context, int32_t number);
    int (*noted)(void *context, uint32_t *sum);
    int (*fail)(void *context, int32_t status);
    int (*who)(void *context, uint32_t *user);
};
int sample_serve(struct whittle_onc_server *server, const struct sample_operations *operations, void *context);

/* sample_servant.c: what the tests' servers do. */
struct sample_servant {
    uint32_t sum, calls;
};
extern const struct sample_operations sample_servant_operations;
#endif
