/* SPDX-License-Identifier: MIT-0 */
/* Messages and references with random faults in them: the server goes on serving, and nothing leaks. [ROUNDS [SEED]] */
#include "victim.h"

static struct victim victim;
static uint64_t seed = 1;

static uint32_t chance(uint32_t below)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(seed >> 33) % below;
}

static void some_request(struct bytes *message)
{
    static const char *const operations[] = {"nothing", "add", "bytes", "greet", "_is_a", "_non_existent", "pass", "back", "wide", "series"};
    const uint32_t number = chance(3);
    const int version = (int)chance(3);
    if (chance(10) == 0) {
        message_begin(message, version, WHITTLE_LOCATE_REQUEST, WHITTLE_HOST_FLAG);
        message_word(message, chance(5), false);
        if (version == 2)
            message_word(message, 0, false);
        message_octets(message, victim.key, victim.key_length, false);
        message_close(message, false);
    } else {
        message_request(message, version, chance(5), chance(5) != 0, victim.key, victim.key_length, operations[chance(10)], &number, chance(2) != 0);
    }
}

static void spoil(struct bytes *message)
{
    static const uint32_t odd[] = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffff0, 65536, 12, 0xffff};
    for (uint32_t count = chance(4); count > 0; count--) {
        const size_t at = chance(3) == 0 ? 4 + chance(20) : chance((uint32_t)message->size);
        if (chance(2) == 0)
            message->at[at % message->size] ^= (char)(1 << chance(8));
        else if (at + 4 <= message->size)
            whittle_poke32(message->at + at, odd[chance(9)]);
    }
    if (chance(6) == 0)
        message->size = chance((uint32_t)message->size + 1);
    if (chance(6) == 0)
        message->at[WHITTLE_FLAGS_AT] |= WHITTLE_FLAG_MORE;
}

/* Parts of a request, perhaps of several, perhaps in the wrong order. */
static void some_fragments(int fd)
{
    struct bytes message, part;
    some_request(&message);
    message.at[WHITTLE_FLAGS_AT] |= WHITTLE_FLAG_MORE;
    if (chance(8) != 0)
        peer_write(fd, message.at, message.size);
    for (uint32_t count = chance(6); count > 0; count--) {
        message_begin(&part, chance(8) == 0 ? (int)chance(3) : message.at[5], WHITTLE_FRAGMENT, message.at[WHITTLE_FLAGS_AT] & ~(chance(3) == 0 ? 2 : 0));
        if (message.at[5] == 2)
            memcpy(part.at + WHITTLE_HEADER, message.at + WHITTLE_HEADER, 4);
        part.size += 4 + chance(100);
        memset(part.at + WHITTLE_HEADER + 4, (int)chance(256), part.size - WHITTLE_HEADER - 4);
        message_close(&part, whittle_is_swapped(part.at));
        if (chance(10) == 0)
            spoil(&part);
        peer_write(fd, part.at, part.size);
    }
}

static void spoiled_messages(int rounds, CORBA_Environment *ev)
{
    struct bytes message;
    for (int round = 0; round < rounds; round++) {
        const int fd = peer_connect(victim.port);
        for (uint32_t count = 1 + chance(5); count > 0; count--) {
            if (chance(4) == 0) {
                some_fragments(fd);
                continue;
            }
            some_request(&message);
            spoil(&message);
            peer_write(fd, message.at, message.size);
        }
        shutdown(fd, SHUT_WR);
        until_the_end(fd, ev);
        close(fd);
        if (round % 100 == 0)
            still_serves(&victim, ev);
    }
}

/* References as people and programs would never write them. */
static void spoiled_references(int rounds, CORBA_Environment *ev)
{
    static const char *const forms[] = {"corbaloc:iiop:1.2@127.0.0.1:1,:[::1]:2/a%20key", "corbaname::127.0.0.1:1#a.b/c\\.d/e", "corbaloc:rir:/RootPOA"};
    char text[4096];
    CORBA_char *const ior = CORBA_ORB_object_to_string(victim.orb, victim.object, ev);
    for (int round = 0; round < rounds; round++) {
        const uint32_t which = chance(20);
        strcpy(text, which < 3 ? forms[which] : ior);
        const uint32_t size = (uint32_t)strlen(text), from = which == 1 ? 23 : 9;
        for (uint32_t count = 1 + chance(4); count > 0; count--)
            text[which < 3 ? from + chance(size - from) : 4 + chance(size - 4)] = "0123456789abcdef:/,%@.[]"[chance(which < 3 ? 24 : 16)];
        if (chance(10) == 0)
            text[chance(size)] = 0;
        CORBA_Object const made = CORBA_ORB_string_to_object(victim.orb, text, ev);
        CORBA_exception_free(ev);
        CORBA_free(CORBA_ORB_object_to_string(victim.orb, made, ev));
        CORBA_exception_free(ev);
        CORBA_Object_release(made, ev);
    }
    CORBA_free(ior);
}

int main(int argc, char **argv)
{
    CORBA_Environment environment, *const ev = &environment;
    CORBA_exception_init(ev);
    const int rounds = argc > 1 ? atoi(argv[1]) : 3000;
    seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    victim_open(&victim, ev);
    spoiled_messages(rounds, ev);
    spoiled_references(rounds * 10, ev);
    victim_close(&victim, ev);
    return 0;
}
