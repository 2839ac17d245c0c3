/*
 * Calls every routine of exchange.defs and prints what passes: each message byte by byte, what the server gets, and what
 * the user gets back. `mach_msg` hands a request to the server's stubs at once. Data beside messages has a fixed place,
 * so that any two pairs of stubs print the same.
 *
 * With an argument: requests are changed at random, as often as it says, and the server's stubs must refuse or serve
 * each without touching what is not theirs.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "exchange.h"
#include "every_types.h"
#include <mach/mig_errors.h>

boolean_t exchange_server(mach_msg_header_t *request, mach_msg_header_t *reply);

enum { ROOM = 16384 };
static char *far;
static int is_quiet;
static long mutations;
static unsigned long long state = 88172645463325252ull;

static unsigned int any(unsigned int limit)
{
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (unsigned int)(state >> 11) % limit;
}

__attribute__((format(printf, 1, 2))) static void say(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    if (!is_quiet)
        vprintf(format, list);
    va_end(list);
}

static void show(const char *what, const void *message, unsigned int size)
{
    const unsigned char *bytes = message;
    say("%s, %u bytes", what, size);
    for (unsigned int i = 0; i < size; i++)
        say("%s%02x", i % 32 == 0 ? "\n  " : i % 8 == 0 ? " " : "", bytes[i]);
    say("\n");
}

static void numbers(const char *what, const int *list, unsigned int count)
{
    say("  %s:", what);
    for (unsigned int i = 0; i < count && i < 12; i++)
        say(" %d", list[i]);
    say(count > 12 ? " … of %u\n" : "\n", count);
}

/* A request as an enemy sends it, in memory of just its size. */
static void attack(const mach_msg_header_t *message, unsigned int size)
{
    unsigned int room = any(4) ? size : any(size + 64);
    if (room < sizeof *message)
        room = sizeof *message;
    unsigned char *copy = malloc(room);
    memset(copy, 0x5a, room);
    memcpy(copy, message, room < size ? room : size);
    unsigned int body = room - sizeof *message;
    for (unsigned int i = any(6); i > 0; i--) {
        unsigned int at = body > 0 && any(4) > 0 ? sizeof *message + any(body) : any(room);
        copy[at] ^= (unsigned char)(any(3) ? 1u << any(8) : any(256));
    }
    mach_msg_header_t *request = (mach_msg_header_t *)copy;
    request->msgh_size = room;
    char *answer = aligned_alloc(16, ROOM);
    exchange_server(request, (mach_msg_header_t *)answer);
    mach_msg_header_t *reply = (mach_msg_header_t *)answer;
    if (reply->msgh_size > ROOM)
        abort();
    free(answer);
    free(copy);
}

mach_msg_return_t mach_msg(mach_msg_header_t *message, int options, unsigned int size, unsigned int room, mach_port_t port,
    unsigned int timeout, mach_port_t notify)
{
    static char answer[ROOM] __attribute__((aligned(16)));
    say("options %d, room %u, port %u, timeout %u, notify %u\n", options, room ? 1 : 0, port, timeout, notify);
    show("request", message, size);
    /* What arrives has its ports in the other members, and rights as what they arrive as. */
    static char arrived[ROOM] __attribute__((aligned(16)));
    memcpy(arrived, message, size);
    mach_msg_header_t *request = (mach_msg_header_t *)arrived;
    request->msgh_local_port = message->msgh_remote_port;
    request->msgh_remote_port = message->msgh_local_port;
    request->msgh_seqno = 77;
    for (unsigned int at = sizeof *request; at + 8 <= size; at += 4) {
        mach_msg_type_t *type = (mach_msg_type_t *)(arrived + at);
        int is_right = type->msgt_name >= MACH_MSG_TYPE_COPY_SEND && type->msgt_name <= MACH_MSG_TYPE_MAKE_SEND;
        if (is_right && (type->msgt_size == 64 || type->msgt_size == 32) && type->msgt_unused == 0)
            type->msgt_name = MACH_MSG_TYPE_PORT_SEND;
    }
    int was_quiet = is_quiet;
    if (mutations) {
        is_quiet = 1;
        for (long i = 0; i < mutations; i++)
            attack(request, size);
    }
    memset(answer, 0, sizeof answer);
    mach_msg_header_t *reply = (mach_msg_header_t *)answer;
    boolean_t is_known = exchange_server(request, reply);
    is_quiet = was_quiet;
    say("known %d\n", is_known);
    if (room == 0)
        return MACH_MSG_SUCCESS;
    show("reply", answer, reply->msgh_size);
    for (unsigned int at = sizeof *reply; at + 8 <= reply->msgh_size; at += 4) {
        mach_msg_type_t *type = (mach_msg_type_t *)(answer + at);
        int is_right = type->msgt_name >= MACH_MSG_TYPE_COPY_SEND && type->msgt_name <= MACH_MSG_TYPE_MAKE_SEND;
        if (is_right && (type->msgt_size == 64 || type->msgt_size == 32) && type->msgt_unused == 0)
            type->msgt_name = MACH_MSG_TYPE_PORT_SEND;
    }
    memcpy(message, answer, reply->msgh_size);
    return MACH_MSG_SUCCESS;
}

mach_port_t mig_get_reply_port(void) { return 4711; }
void mig_put_reply_port(mach_port_t port) { say("put %u\n", port); }
void mig_dealloc_reply_port(mach_port_t port) { say("dealloc %u\n", port); }
void mig_allocate(vm_address_t *address, vm_size_t size)
{
    say("allocate %lu\n", (unsigned long)size);
    *address = (vm_address_t)(far + 0x80000);
}
void mig_deallocate(vm_address_t address, vm_size_t size)
{
    /* What an enemy's message points to is the kernel's to check. */
    say("deallocate %lx %lu\n", (unsigned long)(address - (vm_address_t)far), (unsigned long)size);
}
vm_size_t mig_strncpy(char *to, const char *from, vm_size_t size)
{
    vm_size_t length = strnlen(from, size - 1);
    memcpy(to, from, length);
    memset(to + length, 0, size - length);
    return length;
}

kelvin_t kelvin_of(int celsius) { return (kelvin_t){ celsius + 273.0 }; }
int celsius_of(kelvin_t kelvin) { return (int)(kelvin.degrees - 273.0); }
void kelvin_done(kelvin_t kelvin) { say("  done %g\n", kelvin.degrees); }

kern_return_t s_fixed(mach_port_t p, const five_t a, five_t b, five_t c, three_t d, three_t *e)
{
    say("  port %u\n", p);
    numbers("a", a, 5);
    numbers("c", c, 5);
    numbers("d", d.of, 3);
    for (int i = 0; i < 5; i++)
        b[i] = a[4 - i], c[i] *= 2;
    *e = (three_t){ { d.of[2], d.of[1], d.of[0] } };
    return KERN_SUCCESS;
}

kern_return_t s_texts(mach_port_t p, const_label_t a, const_words_t b, int c, label_t d, words_t e, old_label_t f)
{
    say("  port %u, `%s`, `%s`, %d\n", p, a, b, c);
    strcpy(d, "label");
    strcpy(e, "a line of text");
    memset(f, 0, sizeof(old_label_t));
    strcpy(f, "an old label");
    return KERN_SUCCESS;
}

kern_return_t s_structures(mach_port_t p, pair_t a, pair_t *b, mixed_t *c, wide_t d, wide_t *e)
{
    say("  port %u, %d %d, %d %d %d, %lld %d\n", p, a.a, a.b, c->a, c->b, c->c, d.seconds, d.parts);
    *b = (pair_t){ a.b, a.a };
    c->b = -c->b;
    memset(e, 0, sizeof *e);
    e->seconds = d.seconds * 2, e->parts = d.parts + 1;
    return KERN_SUCCESS;
}

kern_return_t s_rows(mach_port_t p, const row_t a, mach_msg_type_number_t aCnt, int x, const many_t b,
    mach_msg_type_number_t bCnt, int y, row_t c, mach_msg_type_number_t *cCnt, int *z)
{
    say("  port %u, room for %u\n", p, *cCnt);
    numbers("a", a, aCnt);
    say("  %d, %u bytes, %d\n", x, bCnt, y);
    unsigned int sum = 0;
    for (unsigned int i = 0; i < bCnt; i++)
        sum += (unsigned char)b[i];
    *cCnt = aCnt < *cCnt ? aCnt : *cCnt;
    for (unsigned int i = 0; i < *cCnt; i++)
        c[i] = a[i] + 1;
    *z = (int)sum;
    return KERN_SUCCESS;
}

kern_return_t s_bytes(mach_port_t p, const many_t a, mach_msg_type_number_t aCnt, many_t b, mach_msg_type_number_t *bCnt)
{
    say("  port %u, %u bytes, room for %u\n", p, aCnt, *bCnt);
    *bCnt = aCnt / 2;
    memcpy(b, a, *bCnt);
    return KERN_SUCCESS;
}

kern_return_t s_counted(mach_port_t p, const pairs_t a, mach_msg_type_number_t aCnt, pairs_t b, mach_msg_type_number_t *bCnt)
{
    say("  port %u, %u pairs, room for %u\n", p, aCnt, *bCnt);
    *bCnt = aCnt < *bCnt ? aCnt : *bCnt;
    for (unsigned int i = 0; i < *bCnt; i++)
        b[i] = (pair_t){ a[i].b, a[i].a };
    return KERN_SUCCESS;
}

kern_return_t s_any_rows(mach_port_t p, const_any_row_t a, mach_msg_type_number_t aCnt, int x, any_row_t *b,
    mach_msg_type_number_t *bCnt)
{
    say("  port %u, %d, room for %u\n", p, x, *bCnt);
    if (!mutations)
        numbers("a", a, aCnt);
    if (x > 512) {
        *b = (int *)(void *)(far + 0x40000);
        for (int i = 0; i < 600; i++)
            (*b)[i] = i;
        *bCnt = 600;
        return KERN_SUCCESS;
    }
    *bCnt = (unsigned int)x & 511;
    for (unsigned int i = 0; i < *bCnt; i++)
        (*b)[i] = (int)i * 3;
    return KERN_SUCCESS;
}

kern_return_t s_far_rows(mach_port_t p, far_row_t a, mach_msg_type_number_t aCnt, far_row_t *b, mach_msg_type_number_t *bCnt,
    far_row_t *c, mach_msg_type_number_t *cCnt, far_row_t d, mach_msg_type_number_t dCnt, far_row_t e,
    mach_msg_type_number_t eCnt, far_row_t *f, mach_msg_type_number_t *fCnt)
{
    if (!mutations) {
        numbers("a", a, aCnt);
        numbers("c", *c, *cCnt);
        numbers("d", d, dCnt);
        numbers("e", e, eCnt);
    }
    *b = (int *)(void *)(far + 0x50000), *bCnt = 4;
    *f = (int *)(void *)(far + 0x60000), *fCnt = p;
    *cCnt += 1;
    return KERN_SUCCESS;
}

kern_return_t s_rights(mach_port_t p, mach_port_t a, mach_port_t b, mach_port_t c, mach_msg_type_name_t cPoly, far_rights_t d,
    mach_msg_type_number_t dCnt, mach_port_t *e, mach_port_t *f, mach_msg_type_name_t *fPoly, mach_port_t *g,
    mach_msg_type_name_t *gPoly)
{
    say("  port %u, %u, %u, %u (%u), %u (%u)\n", p, a, b, c, cPoly, *g, *gPoly);
    if (!mutations)
        numbers("d", (const int *)(const void *)d, dCnt);
    *e = a + 1, *f = b + 1, *fPoly = MACH_MSG_TYPE_MOVE_SEND, *g += 1, *gPoly = MACH_MSG_TYPE_MOVE_SEND_ONCE;
    return KERN_SUCCESS;
}

kern_return_t s_translated(mach_port_t p, kelvin_t a, kelvin_t *b, kelvin_t *c)
{
    say("  port %u, %g, %g\n", p, a.degrees, c->degrees);
    b->degrees = a.degrees + 1, c->degrees += 2;
    return KERN_SUCCESS;
}

kern_return_t s_told(mach_port_t p, int a, const row_t b, mach_msg_type_number_t bCnt, const five_t c)
{
    say("  port %u, %d\n", p, a);
    numbers("b", b, bCnt);
    numbers("c", c, 5);
    return KERN_SUCCESS;
}

kern_return_t s_failing(mach_port_t p, int a, int *b)
{
    say("  port %u, %d\n", p, a);
    *b = 0;
    return a;
}

kern_return_t s_replied(mach_port_t p, int s, int *a)
{
    say("  port %u, number %d\n", p, s);
    *a = s;
    return KERN_SUCCESS;
}

static void result(const char *what, kern_return_t code)
{
    say("%s returns %d\n", what, code);
}

static void plain(void)
{
    five_t a = { 1, 2, 3, 4, 5 }, b, c = { 10, 20, 30, 40, 50 };
    three_t d = { { 6, 7, 8 } }, e;
    result("fixed", u_fixed(1, a, b, c, d, &e));
    numbers("b", b, 5);
    numbers("c", c, 5);
    numbers("e", e.of, 3);
    label_t label;
    words_t line;
    old_label_t old;
    result("texts", u_texts(2, "too long for it", "some words", 9, label, line, old));
    say("  `%s`, `%s`, `%s`\n", label, line, old);
    result("texts", u_texts(2, "", "", 9, label, line, old));
    pair_t pair;
    mixed_t mixed;
    wide_t wide, twice;
    memset(&mixed, 0, sizeof mixed);
    memset(&wide, 0, sizeof wide);
    mixed.a = 1, mixed.b = 2, mixed.c = 3;
    wide.seconds = 5000000000ll, wide.parts = 6;
    result("structures", u_structures(3, (pair_t){ 4, 5 }, &pair, &mixed, wide, &twice));
    say("  %d %d, %d, %lld %d\n", pair.a, pair.b, mixed.b, twice.seconds, twice.parts);
}

static void rows(void)
{
    static many_t many, less;
    row_t row = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 }, back;
    memset(many, 'm', sizeof many);
    for (unsigned int count = 0; count < 12; count += 3) {
        unsigned int backs = count == 9 ? 4 : 10, lesses = 5000;
        int z = 0;
        result("rows", u_rows(4, row, count, 5, many, count * 37, 6, back, &backs, &z));
        say("  %u, %d\n", backs, z);
        numbers("c", back, backs < 10 ? backs : 0);
        result("bytes", u_bytes(4, many, count * 37, less, &lesses));
        say("  %u\n", lesses);
    }
    unsigned int backs = 10;
    int z = 0;
    result("rows", u_rows(4, row, 11, 5, many, 0, 6, back, &backs, &z));
    pairs_t pairs = { { 1, 2 }, { 3, 4 }, { 5, 6 } }, swapped;
    for (unsigned int room = 2; room < 9; room += 5) {
        unsigned int count = room;
        result("counted", u_counted(5, pairs, 3, swapped, &count));
        say("  %u, %d %d\n", count, swapped[0].a, swapped[1].b);
    }
    static int long_row[700];
    for (int i = 0; i < 700; i++)
        long_row[i] = i;
    int *own = (int *)(void *)(far + 0x10000);
    memcpy(own, long_row, sizeof long_row);
    static int room[64];
    for (int x = 5; x < 700; x += 55) {
        int *given = room;
        unsigned int count = 64;
        result("any_rows", u_any_rows(6, own, (unsigned int)x, x, &given, &count));
        numbers(given == room ? "b, in place" : "b, elsewhere", given, count);
    }
}

static void beside(void)
{
    int *own = (int *)(void *)(far + 0x20000), *b, *c = own + 4, *f;
    for (int i = 0; i < 16; i++)
        own[i] = i;
    unsigned int bs, cs = 2, fs;
    result("far_rows", u_far_rows(7, own, 3, &b, &bs, &c, &cs, own + 1, 2, own + 2, 2, TRUE, &f, &fs));
    say("  %lx %u, %lx %u, %lx %u\n", (unsigned long)((char *)b - far), bs, (unsigned long)((char *)c - far), cs,
        (unsigned long)((char *)f - far), fs);
    mach_port_t e, g = 20, other;
    mach_msg_type_name_t kind, kind_g = MACH_MSG_TYPE_MOVE_SEND;
    mach_port_t *rights = (mach_port_t *)(void *)own;
    result("rights", u_rights(8, 9, 10, 11, MACH_MSG_TYPE_MOVE_SEND, rights, 3, &e, &other, &kind, &g, &kind_g));
    say("  %u, %u (%u), %u (%u)\n", e, other, kind, g, kind_g);
    int warm, warmer = 30;
    result("translated", u_translated(9, 20, &warm, &warmer));
    say("  %d, %d\n", warm, warmer);
    row_t row = { 1, 2, 3 };
    five_t five = { 5, 4, 3, 2, 1 };
    result("told", u_told(10, 11, row, 3, five));
    int value = 0;
    result("failing", u_failing(11, 0, &value));
    result("failing", u_failing(11, -7, &value));
    result("replied", u_replied(12, 13, &value));
    say("  %d\n", value);
}

int main(int count, char **arguments)
{
    far = mmap((void *)0x10000000, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (far != (void *)0x10000000)
        return 2;
    mutations = count > 1 ? atol(arguments[1]) : 0;
    plain();
    rows();
    beside();
    return 0;
}
