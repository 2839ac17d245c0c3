/*
 * As much of seL4's interface as the link uses, between threads of a process: one endpoint, one client at a time, no capabilities. For
 * tests of the loop that receives and replies where there is no emulator.
 */
#ifndef STAND_IN_SEL4_H
#define STAND_IN_SEL4_H
#include <pthread.h>
#include <stdint.h>
#include <string.h>

typedef uint64_t seL4_Word, seL4_CPtr;
typedef uint8_t seL4_Uint8;
typedef struct { seL4_Word words[1]; } seL4_MessageInfo_t;
typedef struct { seL4_Word msg[120], caps[3], receiveCNode, receiveIndex, receiveDepth; } seL4_IPCBuffer;
enum { seL4_CapNull = 0, seL4_MsgMaxLength = 120 };

static inline seL4_MessageInfo_t seL4_MessageInfo_new(seL4_Word label, seL4_Word unwrapped, seL4_Word extra, seL4_Word length)
{
    const seL4_MessageInfo_t tag = {{label << 12 | unwrapped << 9 | extra << 7 | length}};
    return tag;
}
static inline seL4_Word seL4_MessageInfo_get_label(seL4_MessageInfo_t tag) { return tag.words[0] >> 12; }
static inline seL4_Word seL4_MessageInfo_get_length(seL4_MessageInfo_t tag) { return tag.words[0] & 127; }
static inline seL4_Word seL4_MessageInfo_get_extraCaps(seL4_MessageInfo_t tag) { return tag.words[0] >> 7 & 3; }
static inline seL4_Word seL4_MessageInfo_get_capsUnwrapped(seL4_MessageInfo_t tag) { return tag.words[0] >> 9 & 7; }

/* The endpoint: who may go on, and the message. Defined once, by the test. */
struct stand_in {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    enum { NOBODY, WAITING, ASKED, ANSWERED } state;
    int is_call;
    seL4_MessageInfo_t tag;
    seL4_Word msg[120];
    pthread_mutex_t one;
};
extern struct stand_in stand_in;
extern __thread seL4_IPCBuffer stand_in_buffer;

static inline seL4_IPCBuffer *seL4_GetIPCBuffer(void) { return &stand_in_buffer; }
static inline void seL4_SetMR(int at, seL4_Word word) { stand_in_buffer.msg[at] = word; }
static inline seL4_Word seL4_GetMR(int at) { return stand_in_buffer.msg[at]; }
static inline void seL4_SetCap(int at, seL4_CPtr cap) { stand_in_buffer.caps[at] = cap; }
static inline int seL4_CNode_Delete(seL4_CPtr node, seL4_Word index, seL4_Uint8 depth) { return (void)node, (void)index, (void)depth, 0; }

static inline void stand_in_await(int state)
{
    while ((int)stand_in.state != state)
        pthread_cond_wait(&stand_in.changed, &stand_in.lock);
}
static inline void stand_in_put(int state, seL4_MessageInfo_t tag, const seL4_Word *first)
{
    memcpy(stand_in.msg, stand_in_buffer.msg, sizeof stand_in.msg);
    memcpy(stand_in.msg, first, 4 * sizeof *first);
    stand_in.tag = tag;
    stand_in.state = state;
    pthread_cond_broadcast(&stand_in.changed);
}
/* Of the registers only those of the length come. */
static inline seL4_MessageInfo_t stand_in_take(seL4_Word *a, seL4_Word *b, seL4_Word *c, seL4_Word *d)
{
    seL4_Word *const first[4] = {a, b, c, d};
    const seL4_Word length = seL4_MessageInfo_get_length(stand_in.tag);
    seL4_Word i;
    for (i = 0; i < 4; i++)
        *first[i] = i < length ? stand_in.msg[i] : 0xfeedfacefeedface;
    for (; i < length; i++)
        stand_in_buffer.msg[i] = stand_in.msg[i];
    return stand_in.tag;
}
static inline seL4_MessageInfo_t seL4_CallWithMRs(seL4_CPtr port, seL4_MessageInfo_t tag, seL4_Word *a, seL4_Word *b, seL4_Word *c, seL4_Word *d)
{
    const seL4_Word first[4] = {*a, *b, *c, *d};
    (void)port;
    pthread_mutex_lock(&stand_in.one);
    pthread_mutex_lock(&stand_in.lock);
    stand_in_await(WAITING);
    stand_in.is_call = 1;
    stand_in_put(ASKED, tag, first);
    stand_in_await(ANSWERED);
    tag = stand_in_take(a, b, c, d);
    stand_in.state = NOBODY;
    pthread_cond_broadcast(&stand_in.changed);
    pthread_mutex_unlock(&stand_in.lock);
    pthread_mutex_unlock(&stand_in.one);
    return tag;
}
static inline void seL4_SendWithMRs(seL4_CPtr port, seL4_MessageInfo_t tag, seL4_Word *a, seL4_Word *b, seL4_Word *c, seL4_Word *d)
{
    const seL4_Word first[4] = {*a, *b, *c, *d};
    (void)port;
    pthread_mutex_lock(&stand_in.one);
    pthread_mutex_lock(&stand_in.lock);
    stand_in_await(WAITING);
    stand_in.is_call = 0;
    stand_in_put(ASKED, tag, first);
    pthread_mutex_unlock(&stand_in.lock);
    pthread_mutex_unlock(&stand_in.one);
}
static inline seL4_MessageInfo_t seL4_RecvWithMRs(seL4_CPtr port, seL4_Word *badge, seL4_Word *a, seL4_Word *b, seL4_Word *c, seL4_Word *d)
{
    (void)port;
    pthread_mutex_lock(&stand_in.lock);
    stand_in_await(NOBODY);
    stand_in.state = WAITING;
    pthread_cond_broadcast(&stand_in.changed);
    stand_in_await(ASKED);
    const seL4_MessageInfo_t tag = stand_in_take(a, b, c, d);
    *badge = 0;
    pthread_mutex_unlock(&stand_in.lock);
    return tag;
}
static inline void seL4_ReplyWithMRs(seL4_MessageInfo_t tag, seL4_Word *a, seL4_Word *b, seL4_Word *c, seL4_Word *d)
{
    const seL4_Word first[4] = {*a, *b, *c, *d};
    pthread_mutex_lock(&stand_in.lock);
    stand_in_put(stand_in.is_call ? ANSWERED : NOBODY, tag, first);
    pthread_mutex_unlock(&stand_in.lock);
}
static inline seL4_MessageInfo_t seL4_ReplyRecvWithMRs(seL4_CPtr port, seL4_MessageInfo_t tag, seL4_Word *badge, seL4_Word *a, seL4_Word *b,
                                                       seL4_Word *c, seL4_Word *d)
{
    seL4_ReplyWithMRs(tag, a, b, c, d);
    return seL4_RecvWithMRs(port, badge, a, b, c, d);
}
#endif
