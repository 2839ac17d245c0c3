/* SPDX-License-Identifier: MIT-0 */
/*
 * Attacks a server. In: `attacker NAME SECONDS SEED ADDRESS`, where the address is tcp://127.0.0.1:PORT, udp://…, unix:PATH or IOR:…;
 * or `attacker list`. Out: connections made, calls sent, replies seen, connections and calls refused; or the attacks, one a line:
 * name, where it fits, flags, what it is.
 */
#include "attacker.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/un.h>

struct aim aim;
static const struct attack *const all[] = {attacks_of_memory, attacks_of_time, attacks_of_text, attacks_of_giop, attacks_of_values, attacks_of_crowds, attacks_of_datagrams, attacks_of_flows};
enum { KINDS = sizeof all / sizeof all[0], THREADS = 10 };

static void list(void)
{
    for (int kind = 0; kind < KINDS; kind++)
        for (const struct attack *attack = all[kind]; attack->name != NULL; attack++)
            printf("%s\t%s\t%s\t%s\n", attack->name, attack->where, attack->flags, attack->about);
}

static const struct attack *find(const char *name)
{
    for (int kind = 0; kind < KINDS; kind++)
        for (const struct attack *attack = all[kind]; attack->name != NULL; attack++)
            if (strcmp(attack->name, name) == 0)
                return attack;
    return NULL;
}

static uint32_t word_at(const uint8_t *bytes, size_t at, bool little)
{
    const uint8_t *const four = bytes + at;
    return little ? (uint32_t)four[3] << 24 | (uint32_t)four[2] << 16 | (uint32_t)four[1] << 8 | four[0]
                  : (uint32_t)four[0] << 24 | (uint32_t)four[1] << 16 | (uint32_t)four[2] << 8 | four[3];
}

/* A reference of a server on this machine: port and key of its first IIOP profile. */
static bool aim_at_reference(const char *text)
{
    static uint8_t bytes[4096];
    size_t size = 0;
    unsigned byte;
    for (text += 4; size < sizeof bytes && sscanf(text, "%2x", &byte) == 1; text += 2)
        bytes[size++] = (uint8_t)byte;
    const bool little = bytes[0] == 1;
    size_t at = 8 + (word_at(bytes, 4, little) + 3) / 4 * 4 + 4;    /* the type's name, the number of profiles */
    if (word_at(bytes, at, little) != 0)
        return false;
    const uint8_t *const profile = bytes + at + 8;
    const bool inner = profile[0] == 1;
    at = 8 + word_at(profile, 4, inner);
    at = (at + 1) / 2 * 2;
    const uint16_t port = inner ? (uint16_t)(profile[at] | profile[at + 1] << 8) : (uint16_t)(profile[at] << 8 | profile[at + 1]);
    at = (at + 2 + 3) / 4 * 4;
    aim.key_size = word_at(profile, at, inner);
    if (aim.key_size > sizeof aim.key)
        return false;
    memcpy(aim.key, profile + at + 4, aim.key_size);
    struct sockaddr_in *const to = (struct sockaddr_in *)&aim.address;
    *to = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    aim.address_size = sizeof *to;
    aim.giop = true;
    return true;
}

static bool aim_at(const char *text)
{
    if (strncmp(text, "IOR:", 4) == 0)
        return aim_at_reference(text);
    if (strncmp(text, "unix:", 5) == 0) {
        struct sockaddr_un *const to = (struct sockaddr_un *)&aim.address;
        to->sun_family = AF_UNIX;
        strncpy(to->sun_path, text + 5, sizeof to->sun_path - 1);
        aim.address_size = sizeof *to;
        return true;
    }
    struct sockaddr_in *const to = (struct sockaddr_in *)&aim.address;
    const char *const colon = strrchr(text, ':');
    *to = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    to->sin_port = htons((uint16_t)atoi(colon == NULL ? "0" : colon + 1));
    aim.address_size = sizeof *to;
    aim.datagrams = strncmp(text, "udp:", 4) == 0;
    return to->sin_port != 0;
}

struct running {
    const struct attack *attack;
    struct attacker attacker;
};

static void *run(void *given)
{
    struct running *const running = (struct running *)given;
    running->attack->run(&running->attacker);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    struct running each[THREADS];
    struct rlimit limit;
    if (argc == 2 && strcmp(argv[1], "list") == 0) {
        list();
        return 0;
    }
    const struct attack *const attack = argc == 5 ? find(argv[1]) : NULL;
    if (attack == NULL || !aim_at(argv[4])) {
        fprintf(stderr, "usage: attacker NAME SECONDS SEED ADDRESS, or: attacker list\n");
        return 2;
    }
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    signal(SIGPIPE, SIG_IGN);
    aim.seed = strtoull(argv[3], NULL, 10);
    aim.until = now() + (uint64_t)(atof(argv[2]) * 1e6);
    for (uint32_t index = 0; index < attack->threads; index++) {
        each[index] = (struct running){attack, {index, (aim.seed + 1) * 0x9e3779b97f4a7c15ull + index * 0xd1b54a32d192ed03ull + 1}};
        if (pthread_create(&threads[index], NULL, run, &each[index]) != 0)
            return 1;
    }
    for (uint32_t index = 0; index < attack->threads; index++)
        pthread_join(threads[index], NULL);
    printf("connections %llu calls %llu replies %llu refused %llu\n", atomic_load(&aim.connections), atomic_load(&aim.calls),
        atomic_load(&aim.replies), atomic_load(&aim.refused));
    return 0;
}
