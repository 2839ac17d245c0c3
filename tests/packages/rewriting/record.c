/* A value of `record.x` there and back. */
#include <config.h>
#include <stdio.h>
#include <string.h>

#include "record.h"

static void show(record *value, record *back)
{
    static char buffer[4096];
    XDR xdrs;
    u_int at, length;
    xdrmem_create(&xdrs, buffer, sizeof buffer, XDR_ENCODE);
    printf("%d ", xdr_record(&xdrs, value));
    length = xdr_getpos(&xdrs);
    for (at = 0; at < length; at++)
        printf("%02x", (unsigned char)buffer[at]);
    puts("");
    if (back != NULL) {
        xdrmem_create(&xdrs, buffer, length, XDR_DECODE);
        printf("%d\n", xdr_record(&xdrs, back));
    }
}

int main(void)
{
    char name[] = "names", bytes[] = "bytes";
    item items[2];
    int64_t sizes[3] = { 1, -2, 3 };
    record value, next, back;
    memset(items, 0, sizeof items);
    memset(&value, 0, sizeof value);
    memset(&back, 0, sizeof back);
    items[0].size = -1;
    items[0].id = 0x0123456789abcdefu;
    items[0].counts[3] = 77;
    items[0].a = -5;
    items[0].b = 6;
    items[0].c = -7;
    items[0].d = TRUE;
    value.first = items[0];
    value.items.items_len = 2;
    value.items.items_val = items;
    value.sizes.sizes_len = 3;
    value.sizes.sizes_val = sizes;
    value.bytes.bytes_len = 5;
    value.bytes.bytes_val = bytes;
    value.names = name;
    next = value;
    value.next = &next;
    show(&value, &back);
    show(&back, NULL);
    xdr_free((xdrproc_t)xdr_record, (char *)&back);
    return 0;
}
