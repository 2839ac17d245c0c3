/* whittle: --statistics --effects nowhere.effects */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <whittle/specialize.h>

int limit;

WHITTLE_SPECIALIZE int root(int file, char *data)
{
    limit = 3;
    int left = (int)strlen("four");
    if (write(file, data, 4) < 0)
        exit(1);
    return left + limit;
}
