/* What a differential harness does: it makes up arguments, calls the original functions with them, one after the other in
 * one process, and the residual ones in another, and compares results, written memory, global variables, errno and output
 * after each call. MIT-0. */
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    WHITTLE_HARNESS_DEPTH = 5,           /* of structures that point to each other */
    WHITTLE_HARNESS_BUFFER = 4096,       /* bytes behind a `char *` or a `void *` */
    WHITTLE_HARNESS_ELEMENTS = 64,       /* numbers behind a pointer to a number */
    WHITTLE_HARNESS_ARENA = 1 << 20,     /* bytes for all arguments */
    WHITTLE_HARNESS_BUFFERS = 256,
    WHITTLE_HARNESS_CALLS = 6,           /* in one sequence */
    WHITTLE_HARNESS_PARAMETERS = 64,
    WHITTLE_HARNESS_SECONDS = 5,         /* for one call */
    WHITTLE_HARNESS_UNFIT = 77           /* how a run ends whose arguments break an assumption */
};

enum whittle_harness_kind {
    WHITTLE_HARNESS_TRUTH,
    WHITTLE_HARNESS_NUMBER,
    WHITTLE_HARNESS_FLOAT,
    WHITTLE_HARNESS_DOUBLE,
    WHITTLE_HARNESS_BYTES,               /* a pointer to bytes, or to a text */
    WHITTLE_HARNESS_POINTER,             /* a pointer to a known type */
    WHITTLE_HARNESS_FUNCTION,            /* a pointer to a function */
    WHITTLE_HARNESS_RECORD,
    WHITTLE_HARNESS_TEXT_OR_NUMBER,      /* a union with a pointer to bytes */
    WHITTLE_HARNESS_BITS                 /* a bit-field; its `shape` is the first bit and eight times the width */
};

/* A part of an argument: `count` of them, each of `size` bytes. */
struct whittle_harness_part {
    const char *name;
    enum whittle_harness_kind kind;
    size_t offset, size, count;
    size_t shape;
};

/* What pointers point to. */
struct whittle_harness_shape {
    size_t size;
    size_t count;
    const struct whittle_harness_part *parts;
};

struct whittle_harness_function {
    const char *name;
    void (*call)(int residual, void **arguments, void *result);
    size_t count;
    const struct whittle_harness_part *arguments;
    /* No parts where nothing is returned. */
    struct whittle_harness_shape result;
};

/* A global variable: the original's and the residual code's, which are one where the general code defines it. */
struct whittle_harness_global {
    const char *original, *residual;
    const struct whittle_harness_part *part;
};

/* All that the tables of a scenario say. */
struct whittle_harness_program {
    const struct whittle_harness_function *functions;
    size_t count;
    const struct whittle_harness_shape *shapes;
    const struct whittle_harness_global *globals;
    size_t global_count;
    /* What pointers to functions point to, by their types; two for each. */
    void (*const *stubs)(void);
};

/* One call of a sequence. */
struct whittle_harness_step {
    const struct whittle_harness_function *function;
    void *arguments[WHITTLE_HARNESS_PARAMETERS];
};

static const struct whittle_harness_program *whittle_harness_tested;
static char whittle_harness_arena[WHITTLE_HARNESS_ARENA] __attribute__((aligned(64)));
static size_t whittle_harness_used;
static char *whittle_harness_buffers[WHITTLE_HARNESS_BUFFERS];
static size_t whittle_harness_buffer_count;
static uint64_t whittle_harness_state;

__attribute__((unused)) static void whittle_harness_unfit(void)
{
    _exit(WHITTLE_HARNESS_UNFIT);
}

/* Numbers: Vigna's splitmix64. */
static uint64_t whittle_harness_word(void)
{
    uint64_t word = whittle_harness_state += 0x9e3779b97f4a7c15u;

    word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9u;
    word = (word ^ (word >> 27)) * 0x94d049bb133111ebu;
    return word ^ (word >> 31);
}

static size_t whittle_harness_below(size_t limit)
{
    return whittle_harness_word() % limit;
}

static void *whittle_harness_room(size_t size)
{
    size_t at = (whittle_harness_used + 63) & ~(size_t)63;

    if (size > sizeof whittle_harness_arena - at)
        return NULL;
    whittle_harness_used = at + size;
    return whittle_harness_arena + at;
}

/* Arguments. */

static void whittle_harness_fill(const struct whittle_harness_part *part, char *at, int depth);

static void whittle_harness_number(char *at, size_t size)
{
    uint64_t value;

    switch (whittle_harness_below(6)) {
    case 0:
        value = 0;
        break;
    case 1:
        value = (uint64_t)0 - 1 - whittle_harness_below(3);
        break;
    case 2:
        value = (uint64_t)1 << whittle_harness_below(64);
        break;
    case 3:
        value = whittle_harness_word();
        break;
    default:
        value = whittle_harness_below(9);
        break;
    }
    memset(at, (int64_t)value < 0 ? 0xff : 0, size);
    memcpy(at, &value, size < sizeof value ? size : sizeof value);
}

/* Bytes as messages have them, small numbers in both byte orders, or a text. */
static void *whittle_harness_bytes(void)
{
    size_t aside = whittle_harness_below(8) == 0 ? 1 + whittle_harness_below(7) : 0;
    char *room = whittle_harness_room(WHITTLE_HARNESS_BUFFER + 8);
    size_t i, length = whittle_harness_below(40);
    int is_text = whittle_harness_below(2) == 0;

    if (room == NULL || whittle_harness_buffer_count == WHITTLE_HARNESS_BUFFERS)
        return NULL;
    whittle_harness_buffers[whittle_harness_buffer_count++] = room;
    for (i = 0; i < WHITTLE_HARNESS_BUFFER; i += 4) {
        uint64_t word = whittle_harness_word();
        size_t small = 1 + whittle_harness_below(3);
        memset(room + i, 0, 4);
        if (whittle_harness_below(4) == 0)
            memcpy(room + i, &word, 4);
        else if (word % 4 != 0)
            room[i + (word % 4 == 1 ? 0 : 3)] = (char)small;
    }
    for (i = 0; is_text && i < length; i++)
        room[aside + i] = (char)(' ' + 1 + whittle_harness_below(94));
    if (is_text)
        room[aside + length] = '\0';
    return room + aside;
}

static void whittle_harness_fill_all(const struct whittle_harness_shape *shape, char *at, size_t count, int depth)
{
    size_t i, part;

    for (i = 0; i < count; i++)
        for (part = 0; part < shape->count; part++)
            whittle_harness_fill(&shape->parts[part], at + i * shape->size, depth);
}

static void *whittle_harness_object(const struct whittle_harness_part *part, int depth)
{
    const struct whittle_harness_shape *shape = &whittle_harness_tested->shapes[part->shape];
    int is_number = shape->count == 1 && shape->parts[0].kind <= WHITTLE_HARNESS_DOUBLE && shape->parts[0].count == 1;
    size_t count = is_number ? WHITTLE_HARNESS_ELEMENTS : depth < 2 ? 4 : 1;
    char *room = whittle_harness_room(shape->size * count);

    if (room != NULL)
        whittle_harness_fill_all(shape, room, count, depth + 1);
    return room;
}

static void whittle_harness_fill(const struct whittle_harness_part *part, char *at, int depth)
{
    size_t i;

    for (i = 0; i < part->count; i++) {
        char *here = at + part->offset + i * part->size;
        void *pointer = NULL;
        int is_null = depth >= WHITTLE_HARNESS_DEPTH || whittle_harness_below(depth == 0 ? 16 : 4) == 0;
        float small = (float)((double)whittle_harness_below(2000) / 16.0 - 40.0);
        double large = small * (double)(1 + whittle_harness_below(1000));
        switch (part->kind) {
        case WHITTLE_HARNESS_TRUTH:
            *here = (char)whittle_harness_below(2);
            break;
        case WHITTLE_HARNESS_BITS:
        case WHITTLE_HARNESS_NUMBER:
            whittle_harness_number(here, part->size);
            break;
        case WHITTLE_HARNESS_FLOAT:
            memcpy(here, &small, sizeof small);
            break;
        case WHITTLE_HARNESS_DOUBLE:
            memcpy(here, &large, sizeof large);
            break;
        case WHITTLE_HARNESS_FUNCTION:
            memset(here, 0, part->size);
            if (!is_null)
                memcpy(here, &whittle_harness_tested->stubs[2 * part->shape + whittle_harness_below(2)], part->size);
            break;
        case WHITTLE_HARNESS_RECORD:
            whittle_harness_fill_all(&whittle_harness_tested->shapes[part->shape], here, 1, depth);
            break;
        case WHITTLE_HARNESS_TEXT_OR_NUMBER:
            memset(here, 0, part->size);
            /* fall through */
        case WHITTLE_HARNESS_BYTES:
            pointer = is_null ? NULL : whittle_harness_bytes();
            memcpy(here, &pointer, sizeof pointer);
            break;
        case WHITTLE_HARNESS_POINTER:
            pointer = is_null ? NULL : whittle_harness_object(part, depth);
            memcpy(here, &pointer, sizeof pointer);
            break;
        }
    }
}

/* What is there after a call, a line for each part. */

static void whittle_harness_show(const char *name, const struct whittle_harness_part *part, const char *at, int depth);

static void whittle_harness_raw(const char *at, size_t size)
{
    while (size-- > 0)
        printf("%02x", (unsigned char)*at++);
}

static int whittle_harness_is_own(const char *pointer)
{
    return pointer >= whittle_harness_arena && pointer <= whittle_harness_arena + sizeof whittle_harness_arena;
}

/* An argument's address by its place; bytes that the function made itself, as far as a text goes. */
static void whittle_harness_place(const char *name, const char *pointer, int is_bytes)
{
    if (pointer == NULL)
        printf("%s: null", name);
    else if (whittle_harness_is_own(pointer))
        printf("%s: argument %ld", name, (long)(pointer - whittle_harness_arena));
    else if (is_bytes)
        printf("%s: \"%.64s\"", name, pointer);
    else
        printf("%s: new", name);
}

/* A pointer to a function: which of the harness's own, or another one. */
static void whittle_harness_code(const char *name, const char *at, const struct whittle_harness_part *part)
{
    static const char zeros[sizeof(void (*)(void))];
    size_t i;

    if (memcmp(at, zeros, part->size) == 0) {
        printf("%s: null", name);
        return;
    }
    for (i = 0; i < 2; i++)
        if (memcmp(at, &whittle_harness_tested->stubs[2 * part->shape + i], part->size) == 0)
            printf("%s: function %lu", name, (unsigned long)i);
}

/* What functions behind pointers do: they say that they were called, and with what, and give the next number. */
__attribute__((unused)) static void whittle_harness_called(const char *name)
{
    printf("called: %s\n", name);
}

__attribute__((unused)) static void whittle_harness_given_number(long long value)
{
    printf("given: %lld\n", value);
}

__attribute__((unused)) static void whittle_harness_given_real(double value)
{
    printf("given: %a\n", value);
}

__attribute__((unused)) static void whittle_harness_given_pointer(const void *value)
{
    whittle_harness_place("given", value, 0);
    printf("\n");
}

__attribute__((unused)) static long long whittle_harness_answer(void)
{
    return (long long)whittle_harness_below(5) - 1;
}

static void whittle_harness_show_all(const char *name, const struct whittle_harness_shape *shape, const char *at, int depth)
{
    char whole[400];
    size_t part;

    for (part = 0; part < shape->count; part++) {
        const char *own = shape->parts[part].name;
        snprintf(whole, sizeof whole, "%s%s%s", name, *own == '\0' || *own == '[' ? "" : ".", own);
        whittle_harness_show(whole, &shape->parts[part], at, depth);
    }
}

/* A bit-field without the bits around it, which may be nobody's. */
static const char *whittle_harness_own_bits(const struct whittle_harness_part *part, const char *at, char bits[16])
{
    size_t i, first = part->shape % 8, end = first + part->shape / 8;

    for (i = first; i < end && i < 8 * part->size; i++)
        bits[i / 8] = (char)(bits[i / 8] | (at[i / 8] & 1 << i % 8));
    return bits;
}

static void whittle_harness_show(const char *name, const struct whittle_harness_part *part, const char *at, int depth)
{
    char whole[400];
    size_t i;

    for (i = 0; i < part->count; i++) {
        const char *here = at + part->offset + i * part->size;
        const char *pointer = NULL;
        if (part->count > 1)
            snprintf(whole, sizeof whole, "%s[%lu]", name, (unsigned long)i);
        else
            snprintf(whole, sizeof whole, "%s", name);
        if (part->kind == WHITTLE_HARNESS_RECORD) {
            whittle_harness_show_all(whole, &whittle_harness_tested->shapes[part->shape], here, depth);
            continue;
        }
        if (part->kind == WHITTLE_HARNESS_FUNCTION) {
            whittle_harness_code(whole, here, part);
        } else if (part->kind == WHITTLE_HARNESS_BYTES || part->kind == WHITTLE_HARNESS_POINTER) {
            memcpy(&pointer, here, sizeof pointer);
            whittle_harness_place(whole, pointer, part->kind == WHITTLE_HARNESS_BYTES);
        } else {
            char bits[16] = {0};
            printf("%s: ", whole);
            if (part->kind == WHITTLE_HARNESS_BITS)
                here = whittle_harness_own_bits(part, here, bits);
            whittle_harness_raw(here, part->size);
        }
        printf("\n");
        if (part->kind == WHITTLE_HARNESS_POINTER && pointer != NULL && depth < 2 * WHITTLE_HARNESS_DEPTH) {
            const struct whittle_harness_shape *shape = &whittle_harness_tested->shapes[part->shape];
            int is_array = whittle_harness_is_own(pointer) && shape->count == 1 &&
                           shape->parts[0].kind <= WHITTLE_HARNESS_DOUBLE;
            size_t element, count = is_array ? WHITTLE_HARNESS_ELEMENTS : 1;
            for (element = 0; element < count; element++)
                whittle_harness_show_all(whole, shape, pointer + element * shape->size, depth + 1);
        }
    }
}

static void whittle_harness_show_buffers(void)
{
    size_t i;

    for (i = 0; i < whittle_harness_buffer_count; i++) {
        printf("bytes %lu: ", (unsigned long)(whittle_harness_buffers[i] - whittle_harness_arena));
        whittle_harness_raw(whittle_harness_buffers[i], WHITTLE_HARNESS_BUFFER + 8);
        printf("\n");
    }
}

/* Runs. */

struct whittle_harness_outcome {
    char *text;
    size_t length;
    int status;
};

static void whittle_harness_show_globals(int residual)
{
    size_t i;

    for (i = 0; i < whittle_harness_tested->global_count; i++) {
        const struct whittle_harness_global *global = &whittle_harness_tested->globals[i];
        whittle_harness_show(global->part->name, global->part, residual ? global->residual : global->original, 1);
    }
}

static void whittle_harness_call(const struct whittle_harness_step *step, int residual)
{
    const struct whittle_harness_function *function = step->function;
    void **arguments = (void **)step->arguments;
    void *result = whittle_harness_room(function->result.size + 64);
    size_t i;

    if (result == NULL)
        whittle_harness_unfit();
    printf("%s\n", function->name);
    errno = 0;
    function->call(residual, arguments, result);
    printf("errno: %d\n", errno);
    whittle_harness_show_all("result", &function->result, result, 1);
    for (i = 0; i < function->count; i++) {
        const struct whittle_harness_part *part = &function->arguments[i];
        if (part->kind == WHITTLE_HARNESS_POINTER)
            whittle_harness_show(part->name, part, arguments[i], 1);
    }
    whittle_harness_show_globals(residual);
}

/* Does all calls of a sequence, and ends the process. */
static void whittle_harness_calls(const struct whittle_harness_step *steps, size_t count, int residual)
{
    size_t i;

    alarm(WHITTLE_HARNESS_SECONDS);
    for (i = 0; i < count; i++)
        whittle_harness_call(&steps[i], residual);
    whittle_harness_show_buffers();
    fflush(stdout);
    _exit(0);
}

static void whittle_harness_fail(const char *what)
{
    perror(what);
    exit(2);
}

static struct whittle_harness_outcome whittle_harness_run(const struct whittle_harness_step *steps, size_t count, int residual)
{
    struct whittle_harness_outcome outcome = {NULL, 0, 0};
    int ends[2];
    pid_t child;

    fflush(stdout);
    if (pipe(ends) != 0)
        whittle_harness_fail("pipe");
    child = fork();
    if (child < 0)
        whittle_harness_fail("fork");
    if (child == 0) {
        dup2(ends[1], 1);
        close(ends[0]);
        close(ends[1]);
        if (!residual && freopen("/dev/null", "w", stderr) == NULL)
            _exit(2);
        whittle_harness_calls(steps, count, residual);
    }
    close(ends[1]);
    for (;;) {
        ssize_t got;
        outcome.text = realloc(outcome.text, outcome.length + 65536);
        if (outcome.text == NULL)
            whittle_harness_fail("realloc");
        got = read(ends[0], outcome.text + outcome.length, 65535);
        if (got <= 0)
            break;
        outcome.length += (size_t)got;
    }
    outcome.text[outcome.length] = '\0';
    close(ends[0]);
    waitpid(child, &outcome.status, 0);
    return outcome;
}

/* Says where two outcomes part. */
static int whittle_harness_differ(const struct whittle_harness_outcome *one, const struct whittle_harness_outcome *other)
{
    size_t at = 0, line = 0;

    if (one->status == other->status && one->length == other->length && memcmp(one->text, other->text, one->length) == 0)
        return 0;
    while (at < one->length && at < other->length && one->text[at] == other->text[at]) {
        line = one->text[at] == '\n' ? at + 1 : line;
        at++;
    }
    printf("  original: %.200s\n", strtok(one->text + line, "\n"));
    printf("  residual: %.200s\n", other->status != 0 ? "does not end well" : strtok(other->text + line, "\n"));
    return 1;
}

/* A call with random arguments; false where there is no room for them. */
static int whittle_harness_prepare(struct whittle_harness_step *step, const struct whittle_harness_function *function)
{
    size_t i;

    step->function = function;
    for (i = 0; i < function->count; i++) {
        step->arguments[i] = whittle_harness_room(function->arguments[i].size + 64);
        if (step->arguments[i] == NULL)
            return 0;
        whittle_harness_fill(&function->arguments[i], step->arguments[i], 0);
    }
    return 1;
}

/* One run, a call of a function, in every other run after calls of others: -1 where the original can do nothing with the
 * arguments, else whether there is a difference. */
static int whittle_harness_try(const struct whittle_harness_function *function, uint64_t seed)
{
    const struct whittle_harness_program *tested = whittle_harness_tested;
    struct whittle_harness_outcome original, residual;
    struct whittle_harness_step steps[WHITTLE_HARNESS_CALLS];
    size_t i, count;
    int differ = -1;

    whittle_harness_state = seed;
    whittle_harness_used = 0;
    whittle_harness_buffer_count = 0;
    memset(whittle_harness_arena, 0, sizeof whittle_harness_arena);
    count = seed % 2 == 0 ? 1 : 2 + whittle_harness_below(WHITTLE_HARNESS_CALLS - 1);
    for (i = 0; i < count; i++) {
        const struct whittle_harness_function *other = &tested->functions[whittle_harness_below(tested->count)];
        if (!whittle_harness_prepare(&steps[i], i + 1 == count ? function : other))
            return -1;
    }
    original = whittle_harness_run(steps, count, 0);
    if (original.status == 0) {
        residual = whittle_harness_run(steps, count, 1);
        differ = whittle_harness_differ(&original, &residual);
        free(residual.text);
    }
    free(original.text);
    return differ;
}

static int whittle_harness_main(int argc, char **argv, const struct whittle_harness_program *tested)
{
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    unsigned long rounds = argc > 2 ? strtoul(argv[2], NULL, 10) : 200;
    int failed = 0;
    size_t i;

    whittle_harness_tested = tested;
    for (i = 0; i < tested->count; i++) {
        const char *name = tested->functions[i].name;
        unsigned long round, compared = 0;
        int differ = 0;
        for (round = 0; round < rounds && !differ; round++) {
            int outcome = whittle_harness_try(&tested->functions[i], seed * 1000003 + round);
            differ = outcome == 1;
            compared += outcome >= 0;
        }
        if (differ)
            printf("%s: they differ (seed %llu, run %lu)\n", name, (unsigned long long)seed, round);
        else if (compared == 0)
            printf("%s: the original does not end well on any arguments\n", name);
        else
            printf("%s: the same in %lu of %lu runs, the original does not end well in the others\n", name, compared, rounds);
        failed |= differ || compared == 0;
    }
    return failed;
}
