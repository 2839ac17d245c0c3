/* A structure with arrays as rpcgen would have it written. */
#include "record.h"

static bool_t xdr_sample(XDR *stream, struct sample *sample)
{
    return xdr_u_int(stream, &sample->time)
        && xdr_vector(stream, (char *)sample->level, LEVELS, sizeof(int), (xdrproc_t)xdr_int);
}

bool_t xdr_record(XDR *stream, struct record *record)
{
    return xdr_int(stream, &record->station)
        && xdr_bool(stream, &record->calibrated)
        && xdr_double(stream, &record->factor)
        && xdr_vector(stream, (char *)record->sample, 4, sizeof(struct sample), (xdrproc_t)xdr_sample)
        && xdr_array(stream, (char **)&record->values.value, &record->values.count, MOST, sizeof(int), (xdrproc_t)xdr_int);
}
