/*
 * A root task of seL4 whose threads call each other through stubs generated for bank.idl, on arm of 64 bits: words in registers, a
 * hundred words, texts, exceptions, calls without replies, capabilities, and requests that no stub sends. Prints the instructions that a
 * call takes, beside a hand-written one, and PASS.
 */
#include <stdlib.h>
#include <string.h>
#include "bank.h"

extern int live;

/* Output, and the end. */
static void put(const char *text)
{
    while (*text != 0)
        seL4_DebugPutChar(*text++);
}
static void put_number(uint64_t number)
{
    char digits[21];
    int at = 20;
    digits[at] = 0;
    do
        digits[--at] = (char)('0' + number % 10);
    while ((number /= 10) != 0);
    put(digits + at);
}
static void finish(uint64_t code)
{
    /* Semihosting: SYS_EXIT with a code. */
    uint64_t block[2] = {0x20026, code};
    register uint64_t what __asm__("x0") = 0x18;
    register uint64_t *given __asm__("x1") = block;
    __asm__ volatile("hlt #0xf000" : "+r"(what) : "r"(given) : "memory");
    for (;;)
        ;
}
static void fail(const char *what, int line)
{
    put("FAIL line ");
    put_number((uint64_t)line);
    put(": ");
    put(what);
    put("\n");
    finish(1);
}
void __assert_fail(const char *what, const char *file, int line, const char *function)
{
    (void)file, (void)function;
    fail(what, line);
}
#define EXPECT(condition) ((condition) ? (void)0 : fail(#condition, __LINE__))

/* Instructions, as the emulator counts them. */
static uint64_t now(void)
{
    uint64_t value;
    __asm__ volatile("isb; mrs %0, pmccntr_el0" : "=r"(value));
    return value;
}
static void start_counting(void)
{
    const uint64_t none = 0, cycles = 1u << 31, enable = 1 | 4;
    __asm__ volatile("msr pmccfiltr_el0, %0; msr pmcntenset_el0, %1; msr pmcr_el0, %2; isb" ::"r"(none), "r"(cycles), "r"(enable));
}

/* Objects of the kernel. */
static seL4_BootInfo *boot;
static seL4_CPtr slot;

static seL4_CPtr make(seL4_Word type)
{
    for (seL4_Word i = 0; i < boot->untyped.end - boot->untyped.start; i++) {
        const seL4_UntypedDesc *const of = &boot->untypedList[i];
        if (!of->isDevice && of->sizeBits >= 14
            && seL4_Untyped_Retype(boot->untyped.start + i, type, 0, seL4_CapInitThreadCNode, 0, 0, slot, 1) == 0)
            return slot++;
    }
    fail("no memory for an object", __LINE__);
    return 0;
}

/* Threads. */
enum { STACK = 16384, THREADS = 4 };
struct thread {
    char stack[STACK] __attribute__((aligned(16)));
    char buffer[4096] __attribute__((aligned(4096)));
    char local[256] __attribute__((aligned(64)));      /* of libsel4: where its IPC buffer is */
    seL4_CPtr port, slot;
    void (*serve)(seL4_CPtr port);
};
static struct thread threads[THREADS];
static char root_local[256] __attribute__((aligned(64)));
char root_stack[STACK] __attribute__((aligned(16), used));
extern char __image_start[];

static void thread_begins(struct thread *thread)
{
    seL4_SetIPCBuffer((seL4_IPCBuffer *)thread->buffer);
    seL4_SetCapReceivePath(seL4_CapInitThreadCNode, thread->slot, seL4_WordBits);
    thread->serve(thread->port);
    fail("a server has ended", __LINE__);
}
static seL4_CPtr start(struct thread *thread, void (*serve)(seL4_CPtr port))
{
    const seL4_CPtr tcb = make(seL4_TCBObject), frame = boot->userImageFrames.start + ((seL4_Word)thread->buffer - (seL4_Word)__image_start) / 4096;
    seL4_UserContext registers;
    thread->port = make(seL4_EndpointObject);
    thread->slot = slot++;
    thread->serve = serve;
    EXPECT(seL4_TCB_Configure(tcb, 0, seL4_CapInitThreadCNode, 0, seL4_CapInitThreadVSpace, 0, (seL4_Word)thread->buffer, frame) == 0);
    EXPECT(seL4_TCB_SetPriority(tcb, seL4_CapInitThreadTCB, 255) == 0);
    EXPECT(seL4_TCB_SetTLSBase(tcb, (seL4_Word)thread->local) == 0);
    EXPECT(seL4_TCB_ReadRegisters(tcb, 0, 0, sizeof registers / sizeof(seL4_Word), &registers) == 0);
    registers.pc = (seL4_Word)thread_begins;
    registers.sp = (seL4_Word)thread->stack + STACK;
    registers.x0 = (seL4_Word)thread;
    EXPECT(seL4_TCB_WriteRegisters(tcb, 1, 0, sizeof registers / sizeof(seL4_Word), &registers) == 0);
    return thread->port;
}

/* The counter's server. */
static int32_t count;
static int add(void *context, int32_t by, int32_t *result) { return (void)context, *result = count += by, 0; }
static int reset(void *context) { return (void)context, count = 0, 0; }
static const struct Counter_operations counter = {add, reset};
static void serve_counter(seL4_CPtr port)
{
    struct whittle_fluke_server server = {port};
    Counter_serve(&server, &counter, NULL);
}

/* The bank's. */
static seL4_CPtr counter_port;
static char *copied(const char *text)
{
    char *const copy = malloc(strlen(text) + 1);
    return copy == NULL ? NULL : memcpy(copy, text, strlen(text) + 1);
}
static int get_title(void *context, char **result) { return (void)context, *result = copied("a bank"), 0; }
static int four(void *context, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t *e, uint64_t *f, uint64_t *g, uint64_t *h)
{
    const uint64_t sum = a + b + c + d;
    *e = a ^ sum, *f = b ^ sum, *g = c ^ sum, *h = d ^ sum;
    return (void)context, 0;
}
static int hundred(void *context, const Bank_Long_list given, Bank_Long_list changed)
{
    for (uint64_t i = 0; i < 100; i++)
        changed[i] = given[i] * 3 + i;
    return (void)context, 0;
}
static int mixed(void *context, const char *text, int16_t number, char **copy, bool *is_long, int32_t *result)
{
    (void)context;
    *copy = copied(text);
    *is_long = strlen(text) > 10;
    *result = number * 2;
    return 0;
}
static int many(void *context, const struct Bank_Words *given, struct Bank_Words *result)
{
    (void)context;
    result->items = calloc(given->length + 1, sizeof *result->items);
    if (result->items == NULL)
        return -1;
    result->length = given->length;
    for (uint32_t i = 0; i < given->length; i++)
        result->items[i] = ~given->items[i];
    return 0;
}
static int opened(void *context, const char *name, whittle_fluke_object *result, union Bank_open_exceptions *exceptions)
{
    (void)context;
    if (strcmp(name, "counter") == 0)
        return *result = counter_port, 0;
    exceptions->Bank_Unknown.name = copied(name);
    exceptions->Bank_Unknown.code = -7;
    return Bank_open_raises_Bank_Unknown;
}
static int use(void *context, whittle_fluke_object which, int32_t by, int32_t *result)
{
    struct whittle_fluke_client client = {which};
    return (void)context, Counter_add(&client, by, result);
}
static int same(void *context, whittle_fluke_object which, whittle_fluke_object *result) { return (void)context, *result = which, 0; }
static const struct Bank_operations bank = {
    .get_title = get_title, .four = four, .hundred = hundred, .mixed = mixed, .many = many, .open = opened, .use = use, .same = same,
};
static void serve_bank(seL4_CPtr port)
{
    struct whittle_fluke_server server = {port};
    Bank_serve(&server, &bank, NULL);
}

/* Four words each way, and nothing else. */
static int change(void *context, const struct Quick_Four *given, struct Quick_Four *result)
{
    const uint64_t sum = given->a + given->b + given->c + given->d;
    result->a = given->a ^ sum;
    result->b = given->b ^ sum;
    result->c = given->c ^ sum;
    result->d = given->d ^ sum;
    return (void)context, 0;
}
static const struct Quick_operations quick = {change};
static void serve_quick(seL4_CPtr port)
{
    struct whittle_fluke_server server = {port};
    Quick_serve(&server, &quick, NULL);
}

/* The same call by hand. */
static void serve_by_hand(seL4_CPtr port)
{
    seL4_Word badge, m[4];
    seL4_MessageInfo_t tag = seL4_RecvWithMRs(port, &badge, &m[0], &m[1], &m[2], &m[3]);
    for (;;) {
        seL4_Word length = 0;
        if (seL4_MessageInfo_get_label(tag) == 1 && seL4_MessageInfo_get_length(tag) == 4) {
            const seL4_Word sum = m[0] + m[1] + m[2] + m[3];
            for (int i = 0; i < 4; i++)
                m[i] ^= sum;
            length = 4;
        }
        tag = seL4_ReplyRecvWithMRs(port, seL4_MessageInfo_new(0, 0, 0, length), &badge, &m[0], &m[1], &m[2], &m[3]);
    }
}

/* The client's. */
static struct whittle_fluke_client client, quick_client;
static seL4_CPtr hand_port;

static void call_by_hand(void)
{
    seL4_Word a = 11, b = 22, c = 33, d = 44;
    const seL4_MessageInfo_t tag = seL4_CallWithMRs(hand_port, seL4_MessageInfo_new(1, 0, 0, 4), &a, &b, &c, &d);
    EXPECT(seL4_MessageInfo_get_length(tag) == 4 && a == (11 ^ 110) && b == (22 ^ 110) && c == (33 ^ 110) && d == (44 ^ 110));
}
static void call_quick(void)
{
    static const struct Quick_Four given = {11, 22, 33, 44};
    struct Quick_Four got;
    EXPECT(Quick_change(&quick_client, &given, &got) == 0);
    EXPECT(got.a == (11 ^ 110) && got.b == (22 ^ 110) && got.c == (33 ^ 110) && got.d == (44 ^ 110));
}
static void call_four(void)
{
    uint64_t a, b, c, d;
    EXPECT(Bank_four(&client, 11, 22, 33, 44, &a, &b, &c, &d) == 0);
    EXPECT(a == (11 ^ 110) && b == (22 ^ 110) && c == (33 ^ 110) && d == (44 ^ 110));
}
static void call_hundred(void)
{
    Bank_Long_list given, changed;
    for (uint64_t i = 0; i < 100; i++)
        given[i] = 1000 + i;
    EXPECT(Bank_hundred(&client, given, changed) == 0);
    for (uint64_t i = 0; i < 100; i++)
        EXPECT(changed[i] == (1000 + i) * 3 + i);
}
static void call_use(void)
{
    int32_t value;
    EXPECT(Bank_use(&client, counter_port, 1, &value) == 0);
}
static uint64_t measured(const char *name, void (*call)(void))
{
    enum { ROUNDS = 1000 };
    call();
    call();
    const uint64_t begun = now();
    for (int i = 0; i < ROUNDS; i++)
        call();
    const uint64_t each = (now() - begun) / ROUNDS;
    put("BENCH ");
    put(name);
    put(": instructions/call ");
    put_number(each);
    put("\n");
    return each;
}

static void try_values(void)
{
    char *text = NULL;
    bool is_long = false;
    int32_t number = 0;
    EXPECT(Bank_get_title(&client, &text) == 0 && strcmp(text, "a bank") == 0);
    free(text);
    EXPECT(Named_get_title(&client, &text) == 0 && strcmp(text, "a bank") == 0);
    free(text);
    EXPECT(Bank_mixed(&client, "a text of more bytes than registers hold", 7, &text, &is_long, &number) == 0);
    EXPECT(strcmp(text, "a text of more bytes than registers hold") == 0 && is_long && number == 14);
    free(text);
    uint64_t items[120] = {0};
    struct Bank_Words words = {119, items}, result;
    EXPECT(Bank_many(&client, &words, &result) == 0 && result.length == 119 && result.items[118] == ~(uint64_t)0);
    Bank_Words_free(&result);
    words.length = 120;
    EXPECT(Bank_many(&client, &words, &result) == WHITTLE_FLUKE_TOO_LARGE && result.items == NULL);
    EXPECT(Bank_wait_a_little(&client) == WHITTLE_FLUKE_UNKNOWN_OPERATION);
}

static void try_capabilities(void)
{
    union Bank_open_exceptions raised;
    struct whittle_fluke_client got = {0};
    int32_t value = 0;
    whittle_fluke_object object;
    const seL4_CPtr root_slot = slot++;
    seL4_SetCapReceivePath(seL4_CapInitThreadCNode, root_slot, seL4_WordBits);
    EXPECT(Bank_open(&client, "none", &got.object, &raised) == Bank_open_raises_Bank_Unknown && got.object == 0);
    EXPECT(strcmp(raised.Bank_Unknown.name, "none") == 0 && raised.Bank_Unknown.code == -7);
    Bank_Unknown_free(&raised.Bank_Unknown);
    EXPECT(Bank_open(&client, "counter", &got.object, &raised) == 0 && got.object == root_slot);
    EXPECT(Counter_reset(&got) == 0 && Counter_add(&got, 5, &value) == 0 && value == 5);
    /* The server calls what it was given; what it was given before is gone by then. */
    for (int i = 1; i <= 3; i++)
        EXPECT(Bank_use(&client, got.object, 10, &value) == 0 && value == 5 + 10 * i);
    EXPECT(seL4_CNode_Delete(seL4_CapInitThreadCNode, root_slot, seL4_WordBits) == 0);
    /* There and back. */
    EXPECT(Bank_same(&client, counter_port, &object) == 0 && object == root_slot);
    got.object = object;
    EXPECT(Counter_add(&got, 1, &value) == 0 && value == 36);
    EXPECT(seL4_CNode_Delete(seL4_CapInitThreadCNode, root_slot, seL4_WordBits) == 0);
    EXPECT(Bank_same(&client, 0, &object) == 0 && object == 0);
    EXPECT(Bank_use(&client, 0, 1, &value) == WHITTLE_FLUKE_SYSTEM_ERROR);
    EXPECT(Bank_either(&client, counter_port, counter_port, false, &object) == WHITTLE_FLUKE_CANNOT_MARSHAL);
}

/* What no stub sends: each label, length and capability, of every kind of word. */
static void try_hostile(void)
{
    static const char *const names[] = {"_get_title", "four", "hundred", "mixed", "many", "open", "use", "same", "either", "all", "else"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        uint32_t hash = 0x811c9dc5;
        for (const char *c = names[i]; *c != 0; c++)
            hash = (hash ^ (uint8_t)*c) * 0x01000193;
        for (seL4_Word length = 0; length <= seL4_MsgMaxLength; length++)
            for (int byte = 0; byte < 256; byte += 51) {
                seL4_Word word;
                memset(&word, byte, sizeof word);
                for (seL4_Word at = 0; at < length; at++)
                    seL4_SetMR((int)at, word);
                const seL4_Word with = byte == 51;
                seL4_SetCap(0, counter_port);
                const seL4_MessageInfo_t tag = seL4_Call(client.object, seL4_MessageInfo_new(hash, 0, with, length));
                const seL4_Word label = seL4_MessageInfo_get_label(tag);
                if (i == 1)
                    EXPECT(label == (length == 4 ? 0 : -WHITTLE_FLUKE_BAD_ARGUMENTS));
                if (i == 10)
                    EXPECT(label == -WHITTLE_FLUKE_UNKNOWN_OPERATION);
            }
    }
    call_four();
}

__attribute__((used)) void begin(seL4_BootInfo *info)
{
    boot = info;
    slot = info->empty.start;
    __asm__ volatile("msr tpidr_el0, %0" ::"r"(root_local));
    seL4_SetIPCBuffer(info->ipcBuffer);
    start_counting();
    counter_port = start(&threads[0], serve_counter);
    client.object = start(&threads[1], serve_bank);
    hand_port = start(&threads[2], serve_by_hand);
    quick_client.object = start(&threads[3], serve_quick);
    call_by_hand();
    call_four();
    call_hundred();
    try_values();
    try_capabilities();
    try_hostile();
    EXPECT(live == 0);
    const uint64_t by_hand = measured("four words, by hand", call_by_hand), generated = measured("four words", call_quick);
    measured("four words, one parameter each", call_four);
    measured("a hundred words", call_hundred);
    measured("a capability, and a call through it", call_use);
    /* At most 5 % more. */
    EXPECT(generated * 100 <= by_hand * 105);
    put("PASS\n");
    finish(0);
}
__asm__(".globl _start\n_start:\n adrp x1, root_stack\n add x1, x1, :lo12:root_stack\n add sp, x1, #16384\n mov x29, xzr\n mov x30, xzr\n b begin\n");
