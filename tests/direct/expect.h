/* What has to hold: what does not is printed with its line, and counted. */
#ifndef EXPECT_H
#define EXPECT_H
#include <stdio.h>

static int failures;
#define EXPECT(condition)                                                                                                                    \
    do {                                                                                                                                     \
        if (!(condition))                                                                                                                    \
            failures++, fprintf(stderr, "line %d: %s\n", __LINE__, #condition);                                                              \
    } while (0)
#endif
