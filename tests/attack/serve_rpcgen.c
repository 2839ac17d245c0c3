/* SPDX-License-Identifier: MIT-0 */
/* The server under attack in rpcgen's style, over whittle's own link. In: settings. Out: a server. */
#define main generated_main
#include "attack_svc.c"
#undef main
#include "library.h"
#include "procedures.h"
#include <signal.h>

void *nothing_1_svc(void *argument, struct svc_req *request)
{
    static char empty;
    (void)argument, (void)request;
    procedure_served();
    return &empty;
}

blob *echo_1_svc(blob *argument, struct svc_req *request)
{
    static blob result;
    (void)request;
    procedure_served();
    free(result.blob_val);
    result.blob_val = (char *)malloc(argument->blob_len + 1);
    if (result.blob_val == NULL)
        return NULL;
    if (argument->blob_len > 0)
        memcpy(result.blob_val, argument->blob_val, argument->blob_len);
    result.blob_len = argument->blob_len;
    return &result;
}

word_list *words_1_svc(word_list *argument, struct svc_req *request)
{
    static word_list result;
    (void)request;
    procedure_served();
    free(result.word_list_val);
    result.word_list_val = (u_int *)malloc(4 * (size_t)argument->word_list_len + 4);
    if (result.word_list_val == NULL)
        return NULL;
    if (argument->word_list_len > 0)
        memcpy(result.word_list_val, argument->word_list_val, 4 * (size_t)argument->word_list_len);
    result.word_list_len = argument->word_list_len;
    return &result;
}

blob *large_1_svc(u_int *argument, struct svc_req *request)
{
    static blob result;
    const u_int size = *argument > LARGEST ? LARGEST : *argument;
    (void)request;
    procedure_served();
    free(result.blob_val);
    result.blob_val = (char *)malloc(size + 1);
    if (result.blob_val == NULL)
        return NULL;
    procedure_fill(result.blob_val, size);
    result.blob_len = size;
    return &result;
}

u_int *slow_1_svc(u_int *argument, struct svc_req *request)
{
    static u_int result;
    (void)request;
    procedure_served();
    result = procedure_slow(*argument);
    return &result;
}

u_int *titles_1_svc(title_list *argument, struct svc_req *request)
{
    static u_int result;
    (void)request;
    procedure_served();
    result = argument->title_list_len;
    return &result;
}

u_int *parts_1_svc(part_list *argument, struct svc_req *request)
{
    static u_int result;
    (void)request;
    procedure_served();
    result = argument->part_list_len;
    return &result;
}

static void stop(int number)
{
    (void)number;
    svc_exit();
}

int main(int argc, char **argv)
{
    const struct setting setting = setting_read(argc, argv);
    for (int index = 0; index < setting.link_count; index++) {
        char text[60];
        SVCXPRT *const transport = library_listen(setting.links[index], text);
        if (transport == NULL || !svc_register(transport, ATTACKED, ATTACKED_1, attacked_1, 0)) {
            fprintf(stderr, "server: cannot be set up\n");
            return 1;
        }
        setting_address(text);
    }
    signal(SIGTERM, stop);
    setting_ready();
    svc_run();
    setting_end();
    return 0;
}
