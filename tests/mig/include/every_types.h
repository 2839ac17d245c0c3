/* The types of `good/everything.defs` and `exchange.defs`. */
#ifndef EVERY_TYPES
#define EVERY_TYPES
#include <mach/mach_types.h>

typedef long long long_t;
typedef int five_t[5];
typedef struct { int of[3]; } three_t;
typedef struct { int a; int b; } pair_t;
typedef struct { short a; int b; char c; } mixed_t;
typedef struct { long_t seconds; int parts; } wide_t;
typedef char label_t[8];
typedef const char *const_label_t;
typedef char line_t[100];
typedef const char *const_line_t;
typedef char words_t[96];
typedef const char *const_words_t;
typedef char old_label_t[128];
typedef const char *const_old_label_t;
typedef int row_t[10];
typedef pair_t pairs_t[6];
typedef char many_t[5000];
typedef int *any_row_t;
typedef const int *const_any_row_t;
typedef char *any_bytes_t;
typedef const char *const_any_bytes_t;
typedef int *far_row_t;
typedef mach_port_t rights_t[4];
typedef mach_port_t *any_rights_t;
typedef const mach_port_t *const_any_rights_t;
typedef mach_port_t *far_rights_t;
typedef mach_port_t any_t;

/* Of the server alone. */
typedef struct { double degrees; } kelvin_t;
kelvin_t kelvin_of(int celsius);
int celsius_of(kelvin_t kelvin);
void kelvin_done(kelvin_t kelvin);
typedef int celsius_t;
typedef int sides_t;
typedef int user_int_t;
typedef int server_int_t;
#endif
