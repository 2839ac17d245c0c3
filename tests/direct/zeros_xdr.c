/* What zeros.x describes in rpcgen's style, to memory and to a file: what is beside arrays of no items, and behind items of no bytes, is what it was. */
#include <stdio.h>
#include <string.h>
#include "zeros.h"
#include "expect.h"

static void codes(XDR *xdrs, enum xdr_op op, FILE *file, char *bytes, u_int size)
{
    if (file == NULL)
        xdrmem_create(xdrs, bytes, size, op);
    else
        xdrstdio_create(xdrs, file, op);
}

/* To memory, or to a file. */
static void try(FILE *file, u_int things)
{
    static nothing thing;
    static none some_bytes[4];
    static no_words some_words[1];
    gap gaps[2] = {{.before = 1, .after = -2}, {.before = 3, .after = 4}};
    many sent = {{2, gaps}, {things, &thing}, {4, some_bytes}, {1, some_words}, 5}, received;
    bounds bound = {.text = (char *)"", .thing = &thing, .choices = {0, NULL}}, unbound;
    char bytes[200];
    XDR xdrs;
    memset(&received, 0, sizeof received);
    memset(&unbound, 0, sizeof unbound);
    codes(&xdrs, XDR_ENCODE, file, bytes, sizeof bytes);
    EXPECT(xdr_many(&xdrs, &sent) && xdr_bounds(&xdrs, &bound) && xdr_getpos(&xdrs) == 4 + 2 * 12 + 4 * 4 + 5 * 4);
    xdr_destroy(&xdrs);
    if (file != NULL)
        rewind(file);
    codes(&xdrs, XDR_DECODE, file, bytes, sizeof bytes);
    if (things <= 10000) {
        EXPECT(xdr_many(&xdrs, &received) && received.gaps.gaps_len == 2 && received.things.things_len == things);
        EXPECT(received.things.things_val != NULL && received.bytes.bytes_len == 4 && received.words.words_len == 1 && received.ends == 5);
        EXPECT(received.gaps.gaps_val[0].before == 1 && received.gaps.gaps_val[0].after == -2);
        EXPECT(received.gaps.gaps_val[1].before == 3 && received.gaps.gaps_val[1].after == 4);
        EXPECT(xdr_bounds(&xdrs, &unbound) && unbound.thing != NULL && strcmp(unbound.text, "") == 0);
    } else {
        /* They take nothing of a message: without an end there could be any number. */
        EXPECT(!xdr_many(&xdrs, &received) && received.gaps.gaps_val == NULL);
    }
    xdr_destroy(&xdrs);
    xdr_free((xdrproc_t)xdr_many, (char *)&received);
    xdr_free((xdrproc_t)xdr_bounds, (char *)&unbound);
}

int main(void)
{
    static const u_int things[] = {1, 10000, 40000};
    for (int i = 0; i < 3; i++) {
        FILE *const file = tmpfile();
        if (file == NULL)
            return 1;
        try(NULL, things[i]);
        try(file, things[i]);
        fclose(file);
    }
    return failures == 0 ? 0 : 1;
}
