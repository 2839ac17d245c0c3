/*
 * Conditions that come as data: ones that make sense are asked, others are refused with a reason, and no bytes whatever make the check or
 * what follows it read what is not there. Seeded: filter_test [SEED].
 */
#include "../internal.h"
#include "common.h"
#include <stdlib.h>
#include <string.h>

struct inner { int16_t x; uint8_t bytes[3]; };
struct packet { uint32_t number; double warmth; float narrow; bool is_open; char place[8]; const char *name; struct inner at[4]; uint64_t big; int8_t small; };
#define AT(path) offsetof(struct packet, path), sizeof(((struct packet *)0)->path)
#define FIELD(path, sort, count, ...) {AT(path), WHITTLE_FLOW_##sort, count, __VA_ARGS__, #path, 0, NULL, 0}
static const struct whittle_flow_field fields[] = {
    FIELD(number, UNSIGNED, 0, {{0, 0}}),
    FIELD(warmth, FLOAT, 0, {{0, 0}}),
    FIELD(narrow, FLOAT, 0, {{0, 0}}),
    FIELD(is_open, TRUTH, 0, {{0, 0}}),
    FIELD(place, TEXT, 0, {{0, 0}}),
    FIELD(name, POINTED_TEXT, 0, {{0, 0}}),
    FIELD(at[0].x, SIGNED, 1, {{4, sizeof(struct inner)}}),
    FIELD(at[0].bytes[0], UNSIGNED, 2, {{4, sizeof(struct inner)}, {3, 1}}),
    FIELD(big, UNSIGNED, 0, {{0, 0}}),
    FIELD(small, SIGNED, 0, {{0, 0}}),
};
enum { FIELDS = sizeof fields / sizeof *fields };

/* In memory of its own size, so that a byte too far is seen. */
static const char *fault(const void *code, size_t bytes)
{
    uint8_t *const copy = malloc(bytes > 0 ? bytes : 1);
    memcpy(copy, code, bytes);
    const enum whittle_flow_refusal why = whittle_flow_filter_fault(fields, FIELDS, copy, bytes);
    free(copy);
    return why != WHITTLE_FLOW_NOT_REFUSED ? whittle_flow_refusal_text(why) : NULL;
}

static bool holds(const void *code, size_t bytes, const struct packet *packet)
{
    CHECK(fault(code, bytes) == NULL, "refused: %s", fault(code, bytes));
    return whittle_flow_filter_holds(fields, FIELDS, code, bytes, packet);
}

static void packets_are_asked(void)
{
    const struct packet packet = {.number = 7, .warmth = 1.5, .narrow = 0.1f, .place = "full 8.", .name = "sea", .at[2] = {-3, {1, 2, 200}}, .big = UINT64_MAX, .small = -1};
    /* number == 7; at[2].x < 0 and big > 5; place == "full 8." or is_open; at[2].bytes[2] == 200; small < big; name == "sea" */
    static const uint8_t equal[] = {7, 0, 0, 0, 1, 7, 0, 0, 0, 0, 0, 0, 0, 16};
    static const uint8_t both[] = {7, 6, 0, 1, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 18, 7, 8, 0, 0, 1, 5, 0, 0, 0, 0, 0, 0, 0, 20, 9};
    static const uint8_t text[] = {7, 4, 0, 0, 4, 7, 0, 'f', 'u', 'l', 'l', ' ', '8', '.', 16, 7, 3, 0, 0, 10};
    static const uint8_t element[] = {7, 7, 0, 2, 2, 0, 0, 0, 2, 0, 0, 0, 1, 200, 0, 0, 0, 0, 0, 0, 0, 16};
    static const uint8_t less[] = {7, 9, 0, 0, 7, 8, 0, 0, 18};
    static const uint8_t name[] = {7, 5, 0, 0, 4, 3, 0, 's', 'e', 'a', 17, 8};
    CHECK(holds(equal, sizeof equal, &packet) && holds(both, sizeof both, &packet) && holds(text, sizeof text, &packet), "these hold");
    CHECK(holds(element, sizeof element, &packet) && holds(less, sizeof less, &packet) && holds(name, sizeof name, &packet), "these hold, too");
}

static void faults_are_said(void)
{
    static const struct { const char *why; uint8_t bytes, code[24]; } all[] = {
        {"it does not come to one truth value", 0, {0}},
        {"it does not come to one truth value", 2, {5, 6}},
        {"it does not come to one truth value", 4, {7, 0, 0, 0}},
        {"it has an operation that is not known", 1, {11}},
        {"it has an operation that is not known", 1, {0}},
        {"it has an operation that is not known", 1, {22}},
        {"an operation has too little before it", 1, {8}},
        {"an operation has too little before it", 2, {5, 9}},
        {"it joins what is no truth value", 6, {7, 0, 0, 0, 5, 9}},
        {"it compares what cannot be compared so", 3, {5, 6, 18}},
        {"it compares what cannot be compared so", 7, {7, 4, 0, 0, 5, 16, 0}},
        {"it compares what cannot be compared so", 9, {7, 4, 0, 0, 7, 5, 0, 0, 20}},
        {"it names a field that packets have not", 4, {7, FIELDS, 0, 0}},
        {"it ends within a field", 3, {7, 0, 0}},
        {"it ends within a field", 6, {7, 6, 0, 1, 0, 0}},
        {"it does not say which element of an array it means", 4, {7, 6, 0, 0}},
        {"it names an element behind the end of an array", 8, {7, 6, 0, 1, 4, 0, 0, 0}},
        {"it ends within a number", 8, {1, 0, 0, 0, 0, 0, 0, 0}},
        {"it ends within a text", 2, {4, 9}},
        {"it ends within a text", 5, {4, 9, 0, 'a', 'b'}},
        {"it compares with what is no number", 9, {3, 0, 0, 0, 0, 0, 0, 0xf8, 0x7f}},
    };
    uint8_t deep[WHITTLE_FLOW_FILTER_MOST + 1];
    for (size_t n = 0; n < sizeof all / sizeof *all; n++) {
        const char *const why = fault(all[n].code, all[n].bytes);
        CHECK(why != NULL && strcmp(why, all[n].why) == 0, "%d: %s", (int)n, why != NULL ? why : "taken");
    }
    memset(deep, 5, sizeof deep);
    CHECK(strcmp(fault(deep, 100), "its conditions stand too deep in each other") == 0, "depth has a bound");
    CHECK(strcmp(fault(deep, sizeof deep), "it is too long") == 0, "length has a bound");
}

/* Bytes that are often operations; a packet of any bytes whose texts end. What is taken can be asked. */
static void any_bytes_do_no_harm(void)
{
    unsigned taken = 0;
    for (unsigned turn = 0; turn < 300000; turn++) {
        uint8_t code[WHITTLE_FLOW_FILTER_MOST + 8];
        struct packet packet;
        size_t bytes = 0;
        const unsigned steps = any(9);
        for (unsigned step = 0; step < steps; step++) {
            static const uint8_t operations[] = {1, 2, 3, 4, 5, 6, 7, 7, 7, 7, 8, 9, 10, 16, 17, 18, 19, 20, 21, 0};
            code[bytes++] = any(20) != 0 ? operations[any(sizeof operations)] : (uint8_t)any(256);
            if (code[bytes - 1] == 7) {
                const uint32_t field = any(FIELDS + 1), dimensions = any(30) != 0 && field < FIELDS ? fields[field].dimensions : any(4);
                code[bytes++] = (uint8_t)field;
                code[bytes++] = 0;
                code[bytes++] = (uint8_t)dimensions;
                for (uint32_t n = 0; n < dimensions; n++, bytes += 4) {
                    const uint32_t element = any(40) != 0 ? any(4) : any(UINT32_MAX);
                    memcpy(&code[bytes], &element, sizeof element);
                }
            } else if (code[bytes - 1] <= 4)
                for (unsigned more = any(10) != 0 ? 8 : any(12); more > 0; more--)
                    code[bytes++] = any(3) == 0 ? (uint8_t)any(256) : 0;
        }
        for (size_t n = 0; n < sizeof packet; n++)
            ((unsigned char *)&packet)[n] = (unsigned char)any(256);
        packet.is_open = any(2);
        packet.place[any(8)] = '\0';
        packet.name = any(3) == 0 ? NULL : "a";
        if (fault(code, bytes) != NULL)
            continue;
        taken++;
        (void)holds(code, bytes, &packet);
    }
    CHECK(taken > 1000, "of 300,000 only %u made sense", taken);
}

int main(int argc, char **argv)
{
    seed_numbers(argc > 1 ? strtoull(argv[1], NULL, 0) : 20261128u);
    packets_are_asked();
    faults_are_said();
    any_bytes_do_no_harm();
    return 0;
}
