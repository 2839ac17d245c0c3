#include <rpc/rpc.h>
enum { LEVELS = 6, MOST = 20, SIZE = 400 };
struct sample {
    u_int time;
    int level[LEVELS];
};
struct record {
    int station;
    bool_t calibrated;
    double factor;
    struct sample sample[4];
    struct { u_int count; int *value; } values;
};
bool_t xdr_record(XDR *stream, struct record *record);
bool_t encode(char *buffer, struct record *record);
bool_t decode(char *buffer, struct record *record);
