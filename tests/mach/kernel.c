/*
 * Mach's ports and messages as far as the run time needs them, in one process: queues, sets, rights to send and to send once, memory beside
 * messages, timeouts, notifications. Whoever gives back what is not his is told at once. Source: the behaviour of GNU Mach, by its headers.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include "mach.h"

enum { NAMES = 256 };
struct queued {
    struct queued *next;
    mach_msg_header_t header[];
};
struct name {
    int is_port, is_set, is_once, is_dead;
    unsigned sends;                 /* rights to send to the port of this name, which may have ended */
    unsigned member_of;             /* the set */
    unsigned port;                  /* is_once: to where */
    struct queued *first, **last;
};
static struct name names[NAMES];
static unsigned newest, regions;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
void (*mach_transit)(mach_msg_header_t *header);

static void must(int is_so, const char *what, unsigned name)
{
    if (is_so)
        return;
    fprintf(stderr, "the kernel: %s: %u\n", what, name);
    abort();
}

static int is_used(const struct name *name) { return name->is_port || name->is_set || name->is_once || name->is_dead || name->sends; }

/* Each in turn, so that a name that was released stays nobody's for long. */
static unsigned name_new(void)
{
    for (int i = 0; i < NAMES; i++) {
        newest = newest % (NAMES - 1) + 1;
        if (!is_used(&names[newest]) && newest != 1) {
            memset(&names[newest], 0, sizeof names[newest]);
            names[newest].last = &names[newest].first;
            return newest;
        }
    }
    must(0, "there are no more names", 0);
    return 0;
}

static void queue(unsigned port, struct queued *message)
{
    message->next = NULL;
    *names[port].last = message;
    names[port].last = &message->next;
    pthread_cond_broadcast(&changed);
}

static void once_ends(unsigned name)
{
    const unsigned port = names[name].port;
    memset(&names[name], 0, sizeof names[name]);
    if (!names[port].is_port)
        return;
    struct queued *const note = calloc(1, sizeof *note + sizeof(mach_msg_header_t));
    note->header->msgh_size = sizeof(mach_msg_header_t);
    note->header->msgh_id = MACH_NOTIFY_SEND_ONCE;
    queue(port, note);
}

static void right_ends(unsigned name)
{
    must(name < NAMES && (names[name].sends || names[name].is_once || names[name].is_dead), "a right that nobody has is released", name);
    if (names[name].is_once)
        once_ends(name);
    else if (--names[name].sends == 0 && names[name].is_dead)
        memset(&names[name], 0, sizeof names[name]);
}

struct item {
    unsigned kind, is_inline, is_long;
    size_t length, count, each, at, next;
};

static int item_at(const char *message, size_t size, size_t at, struct item *item)
{
    mach_msg_type_long_t type = {0};
    if (at + sizeof(mach_msg_type_t) > size)
        return 0;
    memcpy(&type, message + at, sizeof(mach_msg_type_t));
    const size_t head = type.msgtl_header.msgt_longform ? sizeof type : sizeof(mach_msg_type_t);
    if (at + head > size)
        return 0;
    memcpy(&type, message + at, head);
    const int is_long = item->is_long = type.msgtl_header.msgt_longform;
    item->kind = is_long ? type.msgtl_name : type.msgtl_header.msgt_name;
    item->each = is_long ? type.msgtl_size : type.msgtl_header.msgt_size;
    item->count = is_long ? type.msgtl_number : type.msgtl_header.msgt_number;
    item->is_inline = type.msgtl_header.msgt_inline;
    item->length = (item->each * item->count + 7) / 8;
    item->at = at + head;
    const size_t here = item->is_inline ? item->length : sizeof(void *);
    item->next = (item->at + here + sizeof(void *) - 1) / sizeof(void *) * sizeof(void *);
    return item->at + here <= size;
}

/* Takes rights and memory of a message into the kernel. 0: its descriptors are wrong. */
static int copied_in(char *message, size_t size)
{
    struct item item;
    for (size_t at = sizeof(mach_msg_header_t); at < size; at = item.next) {
        if (!item_at(message, size, at, &item))
            return 0;
        if (!item.is_inline) {
            char *from, *to = NULL;
            memcpy(&from, message + item.at, sizeof from);
            if (item.length > 0) {
                to = mmap(NULL, item.length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
                memcpy(to, from, item.length);
                regions++;
            }
            mach_msg_type_t type;
            memcpy(&type, message + at, sizeof type);
            if (type.msgt_deallocate && item.length > 0)
                munmap(from, item.length), regions--;
            memcpy(message + item.at, &to, sizeof to);
        }
        char *list = message + item.at;
        if (!item.is_inline)
            memcpy(&list, message + item.at, sizeof list);
        for (size_t i = 0; MACH_MSG_TYPE_PORT_ANY(item.kind) && i < item.count; i++) {
            mach_port_t port;
            memcpy(&port, list + i * (item.each / 8), sizeof port);
            if (port == MACH_PORT_NULL || port == MACH_PORT_DEAD)
                continue;
            must(port < NAMES && is_used(&names[port]), "a right in a message is none", port);
            if (item.kind == MACH_MSG_TYPE_COPY_SEND || item.kind == MACH_MSG_TYPE_MAKE_SEND) {
                must(item.kind == MACH_MSG_TYPE_COPY_SEND ? names[port].sends > 0 : names[port].is_port, "no such right", port);
                names[port].sends++;
            }
        }
        if (MACH_MSG_TYPE_PORT_ANY(item.kind)) {
            mach_msg_type_long_t type;
            memcpy(&type, message + at, item.at - at);
            if (item.is_long)
                type.msgtl_name = MACH_MSG_TYPE_PORT_SEND;
            else
                type.msgtl_header.msgt_name = MACH_MSG_TYPE_PORT_SEND;
            memcpy(message + at, &type, item.at - at);
        }
    }
    return 1;
}

/* A message that nobody receives. */
static void destroy(struct queued *message)
{
    mach_msg_header_t *const header = message->header;
    struct item item;
    if (header->msgh_remote_port != MACH_PORT_NULL)
        right_ends(header->msgh_remote_port);
    const int is_complex = (header->msgh_bits & MACH_MSGH_BITS_COMPLEX) != 0;
    for (size_t at = sizeof *header; is_complex && at < header->msgh_size && item_at((char *)header, header->msgh_size, at, &item); at = item.next) {
        char *list = (char *)header + item.at;
        if (!item.is_inline)
            memcpy(&list, (char *)header + item.at, sizeof list);
        for (size_t i = 0; MACH_MSG_TYPE_PORT_ANY(item.kind) && i < item.count; i++) {
            mach_port_t port;
            memcpy(&port, list + i * (item.each / 8), sizeof port);
            if (port != MACH_PORT_NULL && port != MACH_PORT_DEAD)
                right_ends(port);
        }
        if (!item.is_inline && item.length > 0) {
            munmap(list, item.length);
            regions--;
        }
    }
    free(message);
}

static mach_msg_return_t sent(mach_msg_header_t *given, unsigned size)
{
    const unsigned to = given->msgh_remote_port, reply = given->msgh_local_port;
    const unsigned how = MACH_MSGH_BITS_REMOTE(given->msgh_bits), back = MACH_MSGH_BITS_LOCAL(given->msgh_bits);
    if (size < sizeof *given || size % sizeof(void *) != 0)
        return MACH_SEND_MSG_TOO_SMALL;
    if (to >= NAMES || names[to].is_dead || !is_used(&names[to]))
        return MACH_SEND_INVALID_DEST;
    const int is_right = how == MACH_MSG_TYPE_COPY_SEND ? names[to].sends > 0
        : how == MACH_MSG_TYPE_MOVE_SEND_ONCE           ? names[to].is_once
                                                        : how == MACH_MSG_TYPE_MAKE_SEND && names[to].is_port;
    if (!is_right || (!names[to].is_port && !names[to].is_once))
        return MACH_SEND_INVALID_DEST;
    const unsigned port = names[to].is_once ? names[to].port : to;
    struct queued *const message = malloc(sizeof *message + size);
    memcpy(message->header, given, size);
    message->header->msgh_size = size;
    if ((given->msgh_bits & MACH_MSGH_BITS_COMPLEX) && !copied_in((char *)message->header, size)) {
        free(message);
        return MACH_SEND_INVALID_DATA;
    }
    unsigned right = MACH_PORT_NULL;
    if (reply != MACH_PORT_NULL && back == MACH_MSG_TYPE_MAKE_SEND_ONCE) {
        must(names[reply].is_port, "a reply port is none", reply);
        right = name_new();
        names[right].is_once = 1;
        names[right].port = reply;
    } else if (reply != MACH_PORT_NULL) {
        must(names[reply].is_port, "a reply port is none", reply);
        names[reply].sends++;
        right = reply;
    }
    message->header->msgh_remote_port = right;
    message->header->msgh_local_port = port;
    const unsigned arrives = right == MACH_PORT_NULL ? 0 : right == reply ? MACH_MSG_TYPE_PORT_SEND : MACH_MSG_TYPE_PORT_SEND_ONCE;
    message->header->msgh_bits = MACH_MSGH_BITS(arrives, MACH_MSG_TYPE_PORT_SEND) | (given->msgh_bits & MACH_MSGH_BITS_COMPLEX);
    if (names[to].is_once)
        memset(&names[to], 0, sizeof names[to]);
    if (mach_transit != NULL)
        mach_transit(message->header);
    if (names[port].is_port)
        queue(port, message);
    else
        destroy(message);
    return MACH_MSG_SUCCESS;
}

/* As many as wait at a port of Mach's. */
enum { LIMIT = 5 };
static int is_full(unsigned to)
{
    unsigned count = 0;
    if (to >= NAMES || !names[to].is_port)
        return 0;
    for (const struct queued *message = names[to].first; message != NULL; message = message->next)
        count++;
    return count >= LIMIT;
}

/* Gives back what could not be sent in time: what it had copied of rights and memory is the sender's now. */
static void gives_back(mach_msg_header_t *message, unsigned size)
{
    const unsigned to = message->msgh_remote_port, reply = message->msgh_local_port;
    if (message->msgh_bits & MACH_MSGH_BITS_COMPLEX)
        must(copied_in((char *)message, size), "a message is wrong", to);
    names[to].sends++;
    unsigned kind = 0;
    if (reply != MACH_PORT_NULL) {
        message->msgh_local_port = name_new();
        names[message->msgh_local_port].is_once = 1;
        names[message->msgh_local_port].port = reply;
        kind = MACH_MSG_TYPE_PORT_SEND_ONCE;
    }
    message->msgh_bits = MACH_MSGH_BITS(MACH_MSG_TYPE_PORT_SEND, kind) | (message->msgh_bits & MACH_MSGH_BITS_COMPLEX);
}

static struct timespec after(unsigned timeout)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += timeout / 1000;
    until.tv_nsec += timeout % 1000 * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    return until;
}

static mach_msg_return_t has_room(mach_msg_header_t *message, unsigned size, int options, unsigned timeout)
{
    const struct timespec until = after(timeout);
    while (is_full(message->msgh_remote_port)) {
        if (!(options & MACH_SEND_TIMEOUT)) {
            pthread_cond_wait(&changed, &lock);
        } else if (pthread_cond_timedwait(&changed, &lock, &until) == ETIMEDOUT) {
            gives_back(message, size);
            return MACH_SEND_TIMED_OUT;
        }
    }
    return MACH_MSG_SUCCESS;
}

static unsigned ready(unsigned from)
{
    if (names[from].is_port)
        return names[from].first != NULL ? from : 0;
    for (unsigned i = 1; i < NAMES; i++)
        if (names[i].is_port && names[i].member_of == from && names[i].first != NULL)
            return i;
    return 0;
}

static mach_msg_return_t received(mach_msg_header_t *into, unsigned room, unsigned from, int options, unsigned timeout)
{
    const struct timespec until = after(timeout);
    must(from < NAMES && (names[from].is_port || names[from].is_set), "there is no right to receive", from);
    unsigned port;
    while ((port = ready(from)) == 0) {
        if (!(options & MACH_RCV_TIMEOUT))
            pthread_cond_wait(&changed, &lock);
        else if (pthread_cond_timedwait(&changed, &lock, &until) == ETIMEDOUT)
            return MACH_RCV_TIMED_OUT;
        if (!names[from].is_port && !names[from].is_set)
            return MACH_RCV_PORT_DIED;
    }
    struct queued *const message = names[port].first;
    names[port].first = message->next;
    if (names[port].first == NULL)
        names[port].last = &names[port].first;
    pthread_cond_broadcast(&changed);
    if (message->header->msgh_size > room) {
        destroy(message);
        return MACH_RCV_TOO_LARGE;
    }
    memcpy(into, message->header, message->header->msgh_size);
    free(message);
    return MACH_MSG_SUCCESS;
}

mach_msg_return_t mach_msg(mach_msg_header_t *message, int options, unsigned size, unsigned room, mach_port_t port, unsigned timeout,
                           mach_port_t notify)
{
    mach_msg_return_t result = MACH_MSG_SUCCESS;
    (void)notify;
    pthread_mutex_lock(&lock);
    if (options & MACH_SEND_MSG)
        result = has_room(message, size, options, timeout);
    if (result == MACH_MSG_SUCCESS && (options & MACH_SEND_MSG))
        result = sent(message, size);
    if (result == MACH_MSG_SUCCESS && (options & MACH_RCV_MSG))
        result = received(message, room, port, options, timeout);
    pthread_mutex_unlock(&lock);
    return result;
}

mach_port_t mach_task_self(void) { return 1; }

kern_return_t mach_port_allocate(mach_port_t task, unsigned right, mach_port_t *name)
{
    must(task == 1, "another task's", task);
    pthread_mutex_lock(&lock);
    *name = name_new();
    names[*name].is_port = right == MACH_PORT_RIGHT_RECEIVE;
    names[*name].is_set = right == MACH_PORT_RIGHT_PORT_SET;
    pthread_mutex_unlock(&lock);
    return KERN_SUCCESS;
}

mach_port_t mach_reply_port(void)
{
    mach_port_t name;
    mach_port_allocate(1, MACH_PORT_RIGHT_RECEIVE, &name);
    return name;
}

kern_return_t mach_port_deallocate(mach_port_t task, mach_port_t name)
{
    must(task == 1, "another task's", task);
    pthread_mutex_lock(&lock);
    right_ends(name);
    pthread_mutex_unlock(&lock);
    return KERN_SUCCESS;
}

kern_return_t mach_port_mod_refs(mach_port_t task, mach_port_t name, unsigned right, int delta)
{
    must(task == 1 && delta == (right == MACH_PORT_RIGHT_SEND ? 1 : -1), "another task's", task);
    pthread_mutex_lock(&lock);
    if (right == MACH_PORT_RIGHT_SEND) {
        must(name < NAMES && names[name].sends > 0, "no such right", name);
        const int is_dead = names[name].is_dead;
        names[name].sends += !is_dead;
        pthread_mutex_unlock(&lock);
        return is_dead ? KERN_INVALID_RIGHT : KERN_SUCCESS;
    }
    must(name < NAMES && (right == MACH_PORT_RIGHT_RECEIVE ? names[name].is_port : names[name].is_set), "no such right", name);
    while (names[name].first != NULL) {
        struct queued *const message = names[name].first;
        names[name].first = message->next;
        destroy(message);
    }
    for (unsigned i = 1; i < NAMES; i++) {
        if (names[i].is_once && names[i].port == name)
            names[i].is_once = 0, names[i].is_dead = 1, names[i].sends = 1;
        if (right == MACH_PORT_RIGHT_PORT_SET && names[i].member_of == name)
            names[i].member_of = 0;
    }
    const unsigned sends = names[name].sends;
    memset(&names[name], 0, sizeof names[name]);
    names[name].is_dead = sends > 0;
    names[name].sends = sends;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return KERN_SUCCESS;
}

kern_return_t mach_port_insert_right(mach_port_t task, mach_port_t name, mach_port_t port, unsigned kind)
{
    pthread_mutex_lock(&lock);
    must(task == 1 && name == port && names[name].is_port && kind == MACH_MSG_TYPE_MAKE_SEND, "no such right", name);
    names[name].sends++;
    pthread_mutex_unlock(&lock);
    return KERN_SUCCESS;
}

kern_return_t mach_port_move_member(mach_port_t task, mach_port_t member, mach_port_t set)
{
    pthread_mutex_lock(&lock);
    must(task == 1 && names[member].is_port && (set == MACH_PORT_NULL || names[set].is_set), "no such member", member);
    names[member].member_of = set;
    pthread_mutex_unlock(&lock);
    return KERN_SUCCESS;
}

kern_return_t vm_allocate(mach_port_t task, vm_address_t *address, vm_size_t size, boolean_t anywhere)
{
    must(task == 1 && anywhere, "another task's", task);
    void *const place = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (place == MAP_FAILED)
        return KERN_NO_SPACE;
    *address = (vm_address_t)place;
    __atomic_add_fetch(&regions, 1, __ATOMIC_RELAXED);
    return KERN_SUCCESS;
}

kern_return_t vm_deallocate(mach_port_t task, vm_address_t address, vm_size_t size)
{
    must(task == 1 && munmap((void *)address, size) == 0, "no such memory", 0);
    __atomic_sub_fetch(&regions, 1, __ATOMIC_RELAXED);
    return KERN_SUCCESS;
}

unsigned mach_left(void)
{
    unsigned count = regions;
    for (unsigned i = 1; i < NAMES; i++)
        count += (unsigned)(names[i].is_port + names[i].is_set + names[i].is_once) + names[i].sends;
    return count;
}
