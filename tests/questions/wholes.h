/* Names that exist, and of which nothing is looked at under that name. */
#include <whittle/specialize.h>

#define LIMIT 4
enum kind { PLAIN = 1 };
struct settings { int kind; int sizes[LIMIT]; };
static struct settings settings_of_all;
static int never_used;

static void put(int at, int size) { settings_of_all.sizes[at % LIMIT] = size; }
static int never_called(int argument) { return argument; }

WHITTLE_SPECIALIZE int root(int size)
{
    put(1, size);
    put(2, 3);
    return settings_of_all.sizes[1] + PLAIN;
}
