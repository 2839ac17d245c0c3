/*
 * What differs between the packets of two ends, as each end says it: a range, a bound, a unit, a field that is missing, in nested types,
 * too; of what was not sent whole, or is the same, the fingerprints. No text whatever makes the reader read behind its end.
 * Seeded: schema_test [SEED].
 */
#include "../internal.h"
#include "common.h"
#include <stdlib.h>
#include <string.h>

static const char *const verbs[2] = {"it sends", "this one takes"};

static const char *differs(const char *own, const char *other)
{
    static char why[640];
    const struct whittle_flow_type type = {.name = "P", .fingerprint = 10, .schema = own};
    char sent[WHITTLE_FLOW_SCHEMA_MOST];
    whittle_flow_schema_write(&(struct whittle_flow_type){.schema = other}, sent);
    whittle_flow_schema_differs(&type, 11, "Q", sent, (const char *[]){verbs[0], verbs[1]}, why, sizeof why);
    return why;
}

static void shows(const char *own, const char *other, const char *own_shown, const char *other_shown)
{
    char expected[640];
    snprintf(expected, sizeof expected, "it sends `Q` with `%s`, this one takes `P` with `%s`: build both from one flow", other_shown, own_shown);
    CHECK(strcmp(differs(own, other), expected) == 0, "%s", differs(own, other));
}

static void known(void)
{
    static char long_one[3000], long_other[3000];
    const char *const fingerprints = "it sends `Q` of fingerprint 000000000000000b, this one takes `P` of 000000000000000a, which field differs is not known: build both from one flow";
    shows("native\n(struct (n uint8 (range 1 30)) (m int8))\n", "native\n(struct\n  (n uint8 (range 1 20))\n  (m int8))\n", "(n uint8 (range 1 30))",
        "(n uint8 (range 1 20))");
    shows("native\n(struct (n uint8 (range 1 30)))\n", "native\n(struct (n uint8))\n", "(n uint8 (range 1 30))", "(n uint8)");
    shows("native\n(struct (n uint8))\n", "native\n(struct (n uint8) (m (array 3 @A)))\n", "no such field", "(m (array 3 @A))");
    shows("native\n(struct (n uint8 (unit \"a b)\")))\n", "native\n(struct (n uint8 (unit \"a c\\\"\")))\n", "(n uint8 (unit \"a b)\"))", "(n uint8 (unit \"a c\\\"\"))");
    shows("native\n(struct (p @A))\n(type A (struct (x int8) (y int8)))\n", "native\n(struct (p @A))\n(type A (struct (x int8) (y int9)))\n", "(y int8)", "(y int9)");
    shows("xdr\n(struct (n uint8))\n", "cdr\n(struct (n uint8))\n", "xdr", "cdr");
    CHECK(strcmp(differs("native\n(struct (n uint8))\n", "native\n(struct (n uint8))\n"), fingerprints) == 0, "the same");
    CHECK(strcmp(differs(NULL, "native\n(struct (n uint8))\n"), fingerprints) == 0, "none");
    CHECK(strcmp(differs("native\n(struct (n uint8))\n", ""), fingerprints) == 0, "none there");
    strcpy(long_one, "native\n(struct");
    for (int n = 0; n < 200; n++)
        sprintf(long_one + strlen(long_one), " (n%03d int8)", n);
    strcpy(long_other, long_one);
    memcpy(strstr(long_other, "(n150"), "(m150", 5);
    CHECK(strcmp(differs(long_one, long_other), fingerprints) == 0, "what differs was not sent: %s", differs(long_one, long_other));
    memcpy(strstr(long_other, "(n020"), "(m020", 5);
    shows(long_one, long_other, "(n020 int8)", "(m020 int8)");
}

static void any_text(unsigned count)
{
    static const char pieces[] = "()() \n\"\\ab1(struct (union (n (";
    for (unsigned turn = 0; turn < count; turn++) {
        char *const own = malloc(WHITTLE_FLOW_SCHEMA_MOST), *const other = malloc(WHITTLE_FLOW_SCHEMA_MOST);
        const uint32_t length = any(WHITTLE_FLOW_SCHEMA_MOST), same = length > 0 ? any(length) : 0;
        char why[640];
        for (uint32_t n = 0; n < WHITTLE_FLOW_SCHEMA_MOST; n++) {
            other[n] = any(50) == 0 ? (char)any(256) : pieces[any(sizeof pieces - 1)];
            own[n] = n < same ? other[n] : pieces[any(sizeof pieces - 1)];
        }
        own[length] = '\0';
        const struct whittle_flow_type type = {.name = "P", .schema = own};
        whittle_flow_schema_differs(&type, 11, other, other, (const char *[]){verbs[0], verbs[1]}, why, sizeof why);
        CHECK(strlen(why) < sizeof why - 1 && strstr(why, "build both from one flow") != NULL, "%s", why);
        free(own);
        free(other);
    }
}

int main(int argc, char **argv)
{
    seed_numbers(argc > 1 ? strtoull(argv[1], NULL, 10) : 1);
    known();
    any_text(20000);
    return 0;
}
