/* client ADDRESS: reports two temperatures, and asks where it is above freezing. */
#include "station.h"
#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: client ADDRESS\n");
        return 2;
    }
    int status;
    struct whittle_onc_client *client = whittle_onc_client_open(argv[1], NULL, &status);
    struct reading readings[] = {{.place = "harbour", .tenths = 42}, {.place = "summit", .tenths = -137}};
    for (size_t i = 0; i < 2 && status == 0; i++)
        status = station_report(client, &readings[i]);
    struct readings found = {0};
    if (status == 0)
        status = station_warmer(client, 0, &found);
    for (uint32_t i = 0; i < found.length; i++)
        printf("%s: %.1f\n", found.items[i].place, found.items[i].tenths / 10.0);
    if (status != 0)
        fprintf(stderr, "%s: %s\n", argv[1], whittle_onc_text(status));
    readings_free(&found);
    whittle_onc_client_close(client);
    return status != 0;
}
