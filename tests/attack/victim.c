/* SPDX-License-Identifier: MIT-0 */
/*
 * A client among hostile servers. In: `victim MANNER SECONDS SEED LINK onc|giop`, or `victim list`. Out: `calls`, `late` (milliseconds
 * beyond the deadline, at worst), `descriptors` (at most), `memory` (megabytes more than at the start), and a line `lost …` for each
 * promise that was not kept: calls end within their deadline, do not succeed where the server lies, and one of the next two works.
 */
#define _GNU_SOURCE
#include "calls.h"
#include "hostile.h"
#include <dirent.h>
#include <dlfcn.h>
#include <net/if.h>
#include <netdb.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>

/* So late may the scheduler be, beside what is promised: a tenth of the deadline, or 20 ms. */
#ifdef SLOW_MACHINE
enum { SLACK = 5000 };
#else
enum { SLACK = 250 };
#endif
/* Over a library a message is made before the library's clock starts: so long may that take for 60 MB. */
#ifdef LINK_TIRPC
enum { MAKING = 1000 };
#else
enum { MAKING = 0 };
#endif
enum { THREADS = 8, DESCRIPTORS = 64 };

static const struct manner *manner;
static atomic_uint made, worst, losses;
static uint32_t deadline = TIMEOUT;

static void lose(const char *what, const char *detail, uint32_t number)
{
    if (atomic_fetch_add(&losses, 1) < 3)
        printf("lost %s (%s, %u)\n", what, detail, (unsigned)number), fflush(stdout);
}

/* A name server that does not answer: for 5 s. It is not asked for what is an address already. */
int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **result)
{
    typedef int real(const char *, const char *, const struct addrinfo *, struct addrinfo **);
    const bool asks = hints == NULL || (hints->ai_flags & AI_NUMERICHOST) == 0;
    if (asks && node != NULL && strstr(node, "silent.invalid") != NULL) {
        pause_for(5000);
        return EAI_AGAIN;
    }
    return ((real *)dlsym(RTLD_NEXT, "getaddrinfo"))(node, service, hints, result);
}

static int descriptors(void)
{
    int count = -3;
    DIR *const folder = opendir("/proc/self/fd");
    while (folder != NULL && readdir(folder) != NULL)
        count++;
    if (folder != NULL)
        closedir(folder);
    return count;
}

static uint32_t memory(void)
{
    char line[200];
    unsigned kilobytes = 0;
    FILE *const file = fopen("/proc/self/status", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "VmHWM: %u", &kilobytes) == 1)
            break;
    if (file != NULL)
        fclose(file);
    return kilobytes;
}

/* One call of those that the manner asks for; its time is judged, and its result. */
static void call(struct calls *calls, uint32_t turn, bool sends)
{
    const uint64_t begin = now();
    int status;
    const char *what = "nothing";
    if (sends)
        status = calls_echo(calls, SENT), what = "60 MB sent";
    else if (manner->deeds == GET_MUCH)
        status = calls_large(calls, GOT), what = "16 MB fetched";
    else if (turn % 3 == 1)
        status = calls_echo(calls, 300), what = "echo";
    else if (turn % 3 == 2 && manner->lies && (status = calls_is_a(calls)) != CALLS_ABSENT)
        what = "is_a";
    else
        status = calls_nothing(calls);
    const uint32_t took = (uint32_t)((now() - begin) / 1000), late = took > deadline ? took - deadline : 0;
    if (late > atomic_load(&worst))
        atomic_store(&worst, late);
    atomic_fetch_add(&made, 1);
    if (late > deadline / 10 + 20 + SLACK + (manner->deeds == SEND_MUCH ? MAKING : 0))
        lose("the call outlived its deadline by so many milliseconds", what, late);
    if (status == CALLS_WRONG && (manner->lies || manner->works))
        lose("the call gave what the server never sent", what, 0);
    else if (manner->lies && (status == 0 || status == 1))
        lose("the call succeeded though the server lied", what, 0);
    else if (manner->works && status != 0)
        lose("an honest call failed", calls_text(status), took);
}

struct together {
    struct calls *calls;
    uint32_t index;
    uint64_t until;
};

static void *one_of_many(void *given)
{
    struct together *const together = (struct together *)given;
    for (uint32_t turn = 0; turn == 0 || now() < together->until; turn++)
        call(together->calls, together->index == 0 ? 0 : 3 * turn, together->index == 0);
    return NULL;
}

static void many(struct calls *calls, uint64_t until)
{
    pthread_t threads[THREADS];
    struct together all[THREADS];
    for (uint32_t index = 0; index < THREADS; index++) {
        all[index] = (struct together){calls, index, until};
        pthread_create(&threads[index], NULL, one_of_many, &all[index]);
        if (index == 0)
            pause_for(100);
    }
    for (uint32_t index = 0; index < THREADS; index++)
        pthread_join(threads[index], NULL);
}

/* Honest times: within two calls all is well. */
static void afterwards(struct calls *calls)
{
    atomic_store(&shared->honest, true);
    pause_for(100);
    const int first = calls_nothing(calls), second = calls_nothing(calls), third = calls_echo(calls, 200);
    if (second != 0 || third != 0)
        lose("calls fail in honest times", calls_text(second != 0 ? second : third), (uint32_t)(first != 0));
}

/* A network of one's own, where port 111 is free; false: the system does not allow it. */
static bool network_of_its_own(void)
{
    struct ifreq loopback = {.ifr_name = "lo"};
    if (unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0)
        return false;
    const int fd = socket(AF_INET, SOCK_DGRAM, 0);
    bool up = ioctl(fd, SIOCGIFFLAGS, &loopback) == 0;
    loopback.ifr_flags |= IFF_UP;
    up = up && ioctl(fd, SIOCSIFFLAGS, &loopback) == 0;
    close(fd);
    return up;
}

static const struct manner *find(const char *name)
{
    for (const struct manner *each = manners_of_all; each->name != NULL; each++)
        if (strcmp(each->name, name) == 0)
            return each;
    for (const struct manner *each = manners_of_giop; each->name != NULL; each++)
        if (strcmp(each->name, name) == 0)
            return each;
    return NULL;
}

static void list(const struct manner *manners)
{
    for (const struct manner *each = manners; each->name != NULL; each++)
        printf("%s\t%s\t-\t%s\n", each->name, each->where, each->about);
}

static void attack(struct calls *calls, const char *address, uint64_t until)
{
    const int before = descriptors();
    int most = before;
    if (manner->deeds == TOGETHER)
        many(calls, until);
    for (uint32_t turn = 0; manner->deeds != TOGETHER && (turn == 0 || now() < until); turn++) {
        call(calls, turn, manner->deeds == SEND_MUCH);
        const int count = descriptors();
        most = count > most ? count : most;
    }
    if (manner->deeds != NAMED_HOST && manner->deeds != NO_PORT)
        afterwards(calls);
    if (most - before > DESCRIPTORS)
        lose("so many descriptors more than at the start", address, (uint32_t)(most - before));
    printf("descriptors %d\n", most - before);
}

int main(int argc, char **argv)
{
    char address[200];
    signal(SIGPIPE, SIG_IGN);
    if (argc == 2 && strcmp(argv[1], "list") == 0) {
        list(manners_of_all);
        list(manners_of_giop);
        return 0;
    }
    manner = argc == 6 ? find(argv[1]) : NULL;
    if (manner == NULL) {
        fprintf(stderr, "usage: victim MANNER SECONDS SEED LINK onc|giop, or: victim list\n");
        return 2;
    }
    aim.giop = strcmp(argv[5], "giop") == 0;
    if (manner->deeds == NO_PORT && !network_of_its_own()) {
        puts("calls 0");
        return 0;
    }
    hostile_start(manner, argv[4], strtoull(argv[3], NULL, 10), address, sizeof address);
    if (manner->deeds == NO_PORT)
        snprintf(address, sizeof address, "%s://127.0.0.1", argv[4]);
    if (manner->deeds == NAMED_HOST)
        snprintf(address, sizeof address, aim.giop ? "corbaloc:iiop:1.2@silent.invalid:1/attacked" : "%s://silent.invalid:1", argv[4]);
    if (manner->deeds == GET_MUCH)
        deadline = 5000;
    struct calls *const calls = calls_open(address, deadline);
    if (calls == NULL) {
        lose("the client cannot be opened", address, 0);
    } else {
        const uint32_t before = memory();
        attack(calls, address, now() + (uint64_t)(atof(argv[2]) * 1e6));
        printf("memory %.1f\n", (memory() - before) / 1024.0);
        calls_close(calls);
    }
    hostile_end();
    printf("calls %u\nlate %u\n", (unsigned)atomic_load(&made), (unsigned)atomic_load(&worst));
    return atomic_load(&losses) != 0;
}
