/*
 * Figure 7 of the paper, by instructions: calls between two tasks whose argument is an array, through MIG's stubs and through ours. The
 * server looks at a word of each page, so that memory which was only mapped has arrived. Each line has integers that stay the same from call
 * to call (MIG's inline, MIG's out of line, ours), integers of which the client changes one in each page before each call (the same
 * three), then our rectangles and entries.
 */
#include "support.h"
#include "whittle_mach.c"
#include "figure7_types.c"
#include "figure7_client.c"
#include "figure7_server.c"
/* One port for all replies of a thread, as the C library keeps it; the kernel's test library makes one for each call. */
static mach_port_t mig_reply;
static mach_port_t reply_port(void) { return mig_reply != MACH_PORT_NULL ? mig_reply : (mig_reply = mach_reply_port()); }
#define mig_get_reply_port reply_port
/* No functions in place of those below. */
#undef MIG_EOPNOTSUPP
#include "figure7User.c"
#include "figure7Server.c"

enum { MOST = 65536, ROUNDS = 200, STACK = 1 << 20 };
static volatile int seen;

static void look(const void *data, size_t size)
{
    for (size_t at = 0; at < size; at += 4096)
        seen += *(const volatile int *)((const char *)data + at);
}

kern_return_t do_mig_inline(mach_port_t server, ints_array list, mach_msg_type_number_t count)
{
    (void)server;
    look(list, count * sizeof *list);
    return KERN_SUCCESS;
}
kern_return_t do_mig_out_of_line(mach_port_t server, ints_array list, mach_msg_type_number_t count)
{
    (void)server;
    look(list, count * sizeof *list);
    /* Without a message to the kernel. */
    return syscall_vm_deallocate(mach_task_self(), (vm_address_t)list, count * sizeof *list);
}

static int take_ints(void *context, const struct ints *list) { return (void)context, look(list->items, list->length * sizeof *list->items), 0; }
static int take_rects(void *context, const struct rects *list) { return (void)context, look(list->items, list->length * sizeof *list->items), 0; }
static int take_entries(void *context, const struct entries *list)
{
    (void)context;
    for (uint32_t i = 0; i < list->length; i++)
        seen += list->items[i].name[0];
    return 0;
}
static const struct figure7_operations operations = {take_ints, take_rects, take_entries};

static void mig_serves(void *port)
{
    mach_msg_server(figure7_server, MOST + 4096, (mach_port_t)(uintptr_t)port, 0);
}
static void ours_serves(void *port)
{
    struct whittle_mach_server *const server = whittle_mach_server_new(NULL);
    whittle_mach_server_use(server, (mach_port_t)(uintptr_t)port);
    if (figure7_serve(server, &operations, NULL) == 0)
        whittle_mach_server_run(server);
    FAILURE("the server ends");
}
static void mig_task(void *port) { on_stack(STACK, mig_serves, port); }
static void ours_task(void *port) { on_stack(STACK, ours_serves, port); }

static mach_port_t mig_port, ours_port;
static struct whittle_mach_client *client;
static int words[MOST / 4];
static struct entry entries[MOST / 256];
static char name[101];

static int call_inline(uint32_t size) { return mig_inline(mig_port, words, size / 4); }
static int call_out_of_line(uint32_t size) { return mig_out_of_line(mig_port, words, size / 4); }
static int ours_ints(uint32_t size) { return figure7_send_ints(client, &(struct ints){size / 4, words}); }
static int ours_rects(uint32_t size) { return figure7_send_rects(client, &(struct rects){size / 16, (struct rect *)words}); }
static int ours_entries(uint32_t size) { return figure7_send_entries(client, &(struct entries){size / 256, entries}); }

static unsigned each(int (*call)(uint32_t), uint32_t size, bool is_new)
{
    for (int i = 0; i < 3; i++)
        ASSERT_RET(call(size), "a call before measuring");
    uint64_t const before = instructions();
    for (int i = 0; i < ROUNDS; i++) {
        for (uint32_t at = 0; is_new && at < size; at += 4096)
            words[at / 4] = i;
        ASSERT_RET(call(size), "a call");
    }
    return (unsigned)((instructions() - before) / ROUNDS);
}

static void measure(void *unused)
{
    (void)unused;
    static const uint32_t sizes[] = {64, 256, 1024, 4096, 8192, 16384, 32768, 49152, 65536};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        uint32_t const size = sizes[i];
        printf("figure7 %u", size);
        for (int is_new = 0; is_new < 2; is_new++)
            printf(" %u %u %u", each(call_inline, size, is_new), each(call_out_of_line, size, is_new), each(ours_ints, size, is_new));
        printf(" %u %u\n", each(ours_rects, size, false), size < 256 ? 0 : each(ours_entries, size, false));
    }
}

int main(int argc, char **argv, int envc, char **envp)
{
    (void)argc, (void)argv, (void)envc, (void)envp;
    memset(name, 'n', 100);
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
        entries[i].name = name;
    start_task(mig_task, &mig_port);
    start_task(ours_task, &ours_port);
    client = whittle_mach_client_open(ours_port, NULL, NULL);
    on_stack(STACK, measure, NULL);
    return 0;
}
