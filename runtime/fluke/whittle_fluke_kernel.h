/* SPDX-License-Identifier: MIT-0 */
/*
 * What the link fluke needs of a kernel: messages whose first words travel in registers. A port to a kernel is one header, named by
 * -DWHITTLE_FLUKE_KERNEL='"FILE"'. It defines what stands here first, includes this file, and then defines the functions that this file
 * declares, as WHITTLE_FLUKE_INLINE ones. Idea: Flick (PLDI'97), section 3.2 ("Specialized Transports": Fluke).
 *
 *     #define WHITTLE_FLUKE_REGISTERS  words of a message that travel in registers, at least 1
 *     #define WHITTLE_FLUKE_LONGEST    words of the longest message, those among them; a longer one is refused before it is sent
 *     #define WHITTLE_FLUKE_OBJECTS    references to objects that one message carries at most, at least 1
 *     whittle_fluke_object             a type: what calls go to, and what messages carry as an object reference: a capability
 *     whittle_fluke_port               a type: where a server receives
 *
 * A word has 64 bits, in the machine's own byte order: both sides are on one machine.
 */
#ifndef WHITTLE_FLUKE_KERNEL_H
#define WHITTLE_FLUKE_KERNEL_H
#include <stddef.h>
#include <stdint.h>

/* A port's functions are inlined wherever they are called: words do not go through memory then. */
#define WHITTLE_FLUKE_INLINE static __inline__ __attribute__((always_inline, unused))

/* What becomes of a call; below 0, since numbers above it are those of exceptions. */
enum whittle_fluke_status {
    WHITTLE_FLUKE_OK = 0,
    WHITTLE_FLUKE_NO_MEMORY = -1,
    WHITTLE_FLUKE_CANNOT_MARSHAL = -2,          /* a pointer is NULL, a string or array is longer than its bound, or there are too many references */
    WHITTLE_FLUKE_TOO_LARGE = -3,               /* the message is longer than WHITTLE_FLUKE_LONGEST */
    WHITTLE_FLUKE_GONE = -4,                    /* there is no such object, or its server has ended */
    WHITTLE_FLUKE_SERVED = -5,                  /* by another: one port has one interface */
    WHITTLE_FLUKE_BAD_REPLY = -13,              /* the reply is none that a server of this link gives */
    WHITTLE_FLUKE_CANNOT_UNMARSHAL = -14,       /* the results cannot be decoded */
    /* The server reports: */
    WHITTLE_FLUKE_UNKNOWN_OPERATION = -23,
    WHITTLE_FLUKE_BAD_ARGUMENTS = -24,
    WHITTLE_FLUKE_SYSTEM_ERROR = -25
};

/* A message of one direction. */
struct whittle_fluke_message {
    uint64_t code;      /* of a request: the operation. Of a reply: 0, or the server's status without its sign. At most 32 bits; no word */
    size_t count;       /* words; of what is sent never fewer than WHITTLE_FLUKE_REGISTERS */
    uint64_t first[WHITTLE_FLUKE_REGISTERS];    /* those in registers; all are set, whatever the count */
    uint64_t *words;    /* the rest is from words[WHITTLE_FLUKE_REGISTERS] on, and travels in the kernel's buffer */
    size_t room;        /* words that `words` has room for, while the message is received */
    size_t most;        /* words that are wanted at most: room, or more where the kernel gives storage for them in `owned` */
    void *owned;        /* what to free() when the message is done with; NULL: nothing */
    uint32_t object_count, kept;                /* of `objects`; a bit for each of them that is the receiver's to keep */
    whittle_fluke_object objects[WHITTLE_FLUKE_OBJECTS];
};

/*
 * Sends a request and waits for its reply. The sender's references stay its own; those that come are the receiver's.
 * 0, and the reply's code, words and objects are there. Else a status: GONE; BAD_REPLY, where there are more words than `most`, or fewer than registers;
 * NO_MEMORY. Then there is nothing in the reply.
 */
WHITTLE_FLUKE_INLINE int whittle_fluke_kernel_call(whittle_fluke_object object, struct whittle_fluke_message *request,
                                            struct whittle_fluke_message *reply);

/* Sends a request that has no reply: 0, or GONE. It may wait until the server takes it. */
WHITTLE_FLUKE_INLINE int whittle_fluke_kernel_send(whittle_fluke_object object, struct whittle_fluke_message *request);

/*
 * Releases the references that a message brought, and of which no bit of `kept` is set. Who kept one releases it by the kernel's own
 * means. Called where object_count is not 0, before the thread calls again.
 */
WHITTLE_FLUKE_INLINE void whittle_fluke_kernel_drop(struct whittle_fluke_message *message);

/*
 * The server's side, one of two. A kernel whose servers receive defines WHITTLE_FLUKE_RECEIVES, and these. A request whose words are
 * more than `room` comes with a count of 0: it is refused as one with too few.
 */
#ifdef WHITTLE_FLUKE_RECEIVES
/* Waits for a request. 0, or GONE: none will come. */
WHITTLE_FLUKE_INLINE int whittle_fluke_kernel_receive(whittle_fluke_port port, struct whittle_fluke_message *request);
/*
 * Replies to the last request, whose sender may wait for none, releases that request's references, which are in `request` still, and
 * waits for the next. `request` and `reply` share no storage.
 */
WHITTLE_FLUKE_INLINE int whittle_fluke_kernel_reply_and_receive(whittle_fluke_port port, struct whittle_fluke_message *reply,
                                                         struct whittle_fluke_message *request);
#else
/*
 * A kernel that runs the server in the client's thread: `enter` is called for each request with its first words, and fills the reply,
 * whose words are copied, or taken over with `owned`, before it is done with. Serves until the port is closed: 0, or SERVED.
 */
typedef void (*whittle_fluke_enter)(const void *served, const struct whittle_fluke_message *request, struct whittle_fluke_message *reply,
                                    uint64_t first, uint64_t second, uint64_t third, uint64_t fourth);
WHITTLE_FLUKE_INLINE int whittle_fluke_kernel_serve(whittle_fluke_port port, whittle_fluke_enter enter, const void *served);
#endif

/* Words beyond the first that are on a thread's stack for a message; a longer one has storage of malloc's, if the kernel has any. */
#if WHITTLE_FLUKE_LONGEST < 128
#define WHITTLE_FLUKE_ROOM WHITTLE_FLUKE_LONGEST
#else
#define WHITTLE_FLUKE_ROOM 128
#endif
#endif
