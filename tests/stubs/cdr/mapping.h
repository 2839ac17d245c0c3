/* Types as CORBA's C mapping has them, by hand. */
#ifndef MAPPING_H
#define MAPPING_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
typedef int32_t CORBA_long;
typedef uint32_t CORBA_unsigned_long;
typedef double CORBA_double;
typedef char CORBA_char;
typedef unsigned char CORBA_octet, CORBA_boolean;
typedef struct object *CORBA_Object;

#define SEQUENCE(T)                                                                                                    \
    struct {                                                                                                           \
        CORBA_unsigned_long _maximum, _length;                                                                         \
        T *_buffer;                                                                                                    \
        CORBA_boolean _release;                                                                                        \
    }
typedef SEQUENCE(CORBA_char *) names;
typedef SEQUENCE(CORBA_octet) octets;
typedef SEQUENCE(CORBA_double) doubles;
typedef struct person {
    CORBA_char *name;
    names others;
    CORBA_Object friend;
    CORBA_long age;
} person;
typedef SEQUENCE(person) people;
typedef SEQUENCE(names) groups;
typedef struct request {
    people *all;            /* a result: allocated */
    CORBA_long *count;      /* the caller's room */
    groups sorted;
    octets raw;
    doubles weights;
    CORBA_char small;
    void *number;           /* tagged by 7 and 2 */
} request;

struct whittle_cdr_in;
struct whittle_cdr_out;
char *whittle_cdr_out_object(struct whittle_cdr_out *out, char *at, const CORBA_Object *value);
const char *whittle_cdr_in_object(struct whittle_cdr_in *in, const char *at, CORBA_Object *value, bool swapped);
void whittle_release_object(CORBA_Object *value);
char *whittle_cdr_out_tagged(struct whittle_cdr_out *out, char *at, void *const *value, unsigned digits, unsigned scale);
const char *whittle_cdr_in_tagged(struct whittle_cdr_in *in, const char *at, void **value, unsigned digits, unsigned scale,
                                 bool swapped);
void whittle_release_tagged(void **value);
void CORBA_free(void *storage);
#endif
