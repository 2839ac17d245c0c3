/* Types whose routines come from elsewhere, with names that generated C might use itself. */
#ifndef OTHERS_H
#define OTHERS_H
typedef struct { int number; } item;
typedef item v;
typedef item at;
typedef item in;
extern bool_t xdr_item(XDR *, item *);
#define xdr_v xdr_item
#define xdr_at xdr_item
#define xdr_in xdr_item
#endif
