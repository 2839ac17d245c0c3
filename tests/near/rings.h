/* Clients' memory that a process shares, counted where the system lists what it has mapped. Who includes this has CHECK. */
#ifndef RINGS_H
#define RINGS_H
#include <stdio.h>
#include <string.h>
#include <sys/types.h>

static int rings_of(pid_t process)
{
    char path[64], line[512];
    int count = 0;
    snprintf(path, sizeof path, "/proc/%d/maps", (int)process);
    FILE *const maps = fopen(path, "r");
    CHECK(maps != NULL);
    while (fgets(line, sizeof line, maps) != NULL)
        count += strstr(line, "memfd:whittle") != NULL;
    fclose(maps);
    return count;
}
#endif
