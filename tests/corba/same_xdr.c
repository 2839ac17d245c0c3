/* A directory as routines from directory.x (argument `x`) or directory.idl marshal it, on standard output. */
#include "directory.h"
#include <stdio.h>
#include <string.h>

int main(void)
{
    static char buffer[4096];
    Entry entries[2];
    memset(entries, 0, sizeof entries);
    entries[0].name = (char *)"one";
    entries[1].name = (char *)"another";
    entries[1].info.fields[29] = 7;
    entries[1].info.tag[3] = 'x';
    Found found;
    memset(&found, 0, sizeof found);
    found.DISCRIMINANT = FOLDER_KIND;
    found.Found_u.all.LENGTH = 2;
    found.Found_u.all.VALUE = entries;
    XDR xdrs;
    xdrmem_create(&xdrs, buffer, sizeof buffer, XDR_ENCODE);
    if (!xdr_Found(&xdrs, &found))
        return 1;
    fwrite(buffer, 1, xdr_getpos(&xdrs), stdout);
    return 0;
}
