#include <whittle/specialize.h>
#include "record.h"

WHITTLE_SPECIALIZE
bool_t encode(char *buffer, struct record *record)
{
    XDR stream;
    WHITTLE_FACT(((unsigned long)buffer & 3) == 0);
    xdrmem_create(&stream, buffer, SIZE, XDR_ENCODE);
    return xdr_record(&stream, record);
}

WHITTLE_SPECIALIZE
bool_t decode(char *buffer, struct record *record)
{
    XDR stream;
    WHITTLE_FACT(((unsigned long)buffer & 3) == 0);
    xdrmem_create(&stream, buffer, SIZE, XDR_DECODE);
    return xdr_record(&stream, record);
}
