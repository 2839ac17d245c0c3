/* SPDX-License-Identifier: MIT-0 */
/* Rpcgen's routines read the bytes of a file as a value, and write the same. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "values.h"

#define CHECK(condition) \
    ((condition) ? (void)0 : (fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition), abort()))

int main(int argc, char **argv)
{
    static char bytes[4096], back[4096];
    everything v;
    XDR xdr;
    FILE *const file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    CHECK(file != NULL);
    const u_int size = (u_int)fread(bytes, 1, sizeof bytes, file);
    CHECK(fclose(file) == 0);
    memset(&v, 0, sizeof v);
    xdrmem_create(&xdr, bytes, size, XDR_DECODE);
    CHECK(xdr_everything(&xdr, &v) && xdr_getpos(&xdr) == size);
    xdrmem_create(&xdr, back, sizeof back, XDR_ENCODE);
    CHECK(xdr_everything(&xdr, &v) && xdr_getpos(&xdr) == size && memcmp(bytes, back, size) == 0);
    CHECK(v.tint == GREEN && v.list->next->next->value == 3 && strcmp(v.root->right->key, "word") == 0);
    CHECK(v.shapes.shapes_len == 2 && v.form.kind == GREEN && v.opt.maybe_u.number == 1234567890123);
    xdr_free((xdrproc_t)xdr_everything, (char *)&v);
    return 0;
}
