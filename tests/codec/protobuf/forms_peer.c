/* SPDX-License-Identifier: MIT-0 */
/* protobuf-c reads what forms.c writes, says what it is in the same lines, and writes the same bytes. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "forms.pb-c.h"

static void show(const Forms *value)
{
    size_t i;
    printf("%" PRId32 " %" PRId64 " %" PRId32 " %" PRId64 " %" PRIu32 " %" PRIu64 " %d %u\n", value->a, value->b, value->c, value->d, value->e,
           value->f, value->g, value->h);
    for (i = 0; i < value->n_i; i++)
        printf(" %" PRId32, value->i[i]);
    for (i = 0; i < value->n_j; i++)
        printf(" %" PRIu64, value->j[i]);
    for (i = 0; i < value->n_k; i++)
        printf(" %d", value->k[i]);
    for (i = 0; i < value->n_l; i++)
        printf(" %" PRId64, value->l[i]);
    printf(" %" PRId32 " %" PRId32 " %" PRId32 "\n", value->maybe_case == FORMS__MAYBE_M ? value->m : -12345, value->n, value->o);
    if (value->p->u_case == PICK__U_WIDE)
        printf("wide %" PRIu64 "\n", value->p->wide);
    else if (value->p->u_case == PICK__U_FAR)
        printf("far %" PRId64 "\n", value->p->far);
    else
        printf("plain %" PRId32 "\n", value->p->plain);
}

int main(int argc, char **argv)
{
    static uint8_t bytes[512], again[512];
    unsigned char head[2];
    FILE *const file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (file == NULL)
        return 1;
    while (fread(head, 1, 2, file) == 2) {
        const size_t size = head[0] | (size_t)head[1] << 8;
        if (fread(bytes, 1, size, file) != size)
            return 1;
        Forms *const message = forms__unpack(NULL, size, bytes);
        if (message == NULL || forms__get_packed_size(message) != size || forms__pack(message, again) != size || memcmp(bytes, again, size) != 0) {
            fprintf(stderr, "protobuf-c reads another message, or writes other bytes\n");
            return 1;
        }
        show(message);
        forms__free_unpacked(message, NULL);
    }
    return 0;
}
