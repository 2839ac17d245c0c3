/* Values there and back by each version of `pairs.x`: what travels, and what arrives. */
#include <stdio.h>
#include <string.h>

#include "pairs_xdr.c"

static void show(const char *version, bool_t (*routine)(XDR *, pairs *))
{
    static char buffer[1024];
    u_int numbers[2] = { 5, 6 };
    pair many[2] = { { { 1, (char *)"one" }, 10, 11, { 2, numbers } }, { { 2, (char *)"two" }, 20, 21, { 0, NULL } } };
    pairs value = { many[0], { 2, many } }, back;
    XDR xdrs;
    u_int at, length;
    memset(&back, 0, sizeof back);
    xdrmem_create(&xdrs, buffer, sizeof buffer, XDR_ENCODE);
    printf("%s: %d ", version, routine(&xdrs, &value));
    length = xdr_getpos(&xdrs);
    for (at = 0; at < length; at++)
        printf("%02x", (unsigned char)buffer[at]);
    xdrmem_create(&xdrs, buffer, length, XDR_DECODE);
    printf(" %d", routine(&xdrs, &back));
    for (at = 0; at < back.many.many_len; at++)
        printf(" %s %d %d %u", back.many.many_val[at].who.name, back.many.many_val[at].a, back.many.many_val[at].b,
            back.many.many_val[at].more.words_len);
    xdr_free((xdrproc_t)routine, (char *)&back);
    printf(" then %p\n", (void *)back.many.many_val);
}

int main(void)
{
    show("1.0", xdr_pairs_1_0);
    show("1.1", xdr_pairs_1_1);
    show("latest", xdr_pairs);
    return 0;
}
