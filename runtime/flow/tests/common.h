/*
 * What the flow tests share: an edge described as the compiler would, types of packets of each kind, processes forked
 * and reaped, pages of the ledger read as anybody may read them.
 */
#ifndef COMMON_H
#define COMMON_H
#include "../flow.h"
#include "../ledger.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct number { uint32_t value; };
struct mixed { char name[100]; float part[10]; int32_t x, y, z; };
struct list { uint32_t used; uint32_t item[3072]; };
struct text { char *words; };   /* encoded; owns its storage when decoded */

extern const struct whittle_flow_type number_type, mixed_type, list_type, text_type;
void write_packet(const struct whittle_flow_type *type, void *room, uint32_t n);
uint32_t read_packet(const struct whittle_flow_type *type, const void *packet);  /* its number */

/* An edge with the defaults of the language: reliable over tcp, a queue of 64 that blocks. */
struct whittle_flow_edge an_edge(const struct whittle_flow_type *type, enum whittle_flow_transport transport);
/* Numbered from the first on; they share the first one's socket. */
void edges_to_one_socket(struct whittle_flow_edge *edges, unsigned count, unsigned first, enum whittle_flow_transport transport);

void seed_numbers(uint64_t seed);
uint64_t random_number(void);
uint32_t any(uint32_t below);

/* One process with one sender or one receiver; ends the test where it cannot begin. */
struct end {
    struct whittle_flow_sender sender, *senders[1];
    struct whittle_flow_receiver receiver, *receivers[1];
    struct whittle_flow_process process;
};
void begin_sender(struct end *end, const struct whittle_flow_edge *edge);
void begin_receiver(struct end *end, const struct whittle_flow_edge *edge);

/* The directory of this test, new and empty; the first port is one of its own, too. */
void new_place(const char *test);

/* Forks; the child runs `body` and exits with what it returns. */
pid_t spawn(int (*body)(const void *), const void *argument);
int reap(pid_t child);          /* its exit status; 128 and more: the signal that ended it */
void kill_hard(pid_t child);
/* Each connection of this process is cut, as by somebody between the two ends. */
void cut_connections(void);

const struct whittle_flow_ledger *page_of(unsigned edge, const char *end);    /* NULL: there is none (yet) */
void await_counter(unsigned edge, const char *end, uint64_t (*count)(const struct whittle_flow_ledger *), uint64_t least);
void show_pages(unsigned edge);
/* offered = delivered + dropped + faulty + unknown + filtered + in flight, of both pages. */
uint64_t check_identity(unsigned edge);     /* how many are in flight */
void check_balance(unsigned edge, uint64_t in_flight);
/* Ages are known where any packet came, whether the edge carries stamps or not, and none is greater than the test's. */
void check_ages(unsigned edge, uint64_t count);
uint64_t counter_of(unsigned edge, const char *end, enum whittle_flow_counter which);
extern enum whittle_flow_counter dies_at;  /* other than 0: the process dies between a count of something there and what follows */
void sleep_ms(unsigned ms);
char *place_name(void);
const char *own_host(void);     /* an address of the loopback that no other test uses: for many ports in a row */
unsigned place_port(void);

#define CHECK(what, ...) \
    do { \
        if (!(what)) { \
            fprintf(stderr, "%s:%d: `%s` does not hold: ", __FILE__, __LINE__, #what); \
            fprintf(stderr, __VA_ARGS__); \
            fprintf(stderr, "\n"); \
            exit(99); \
        } \
    } while (0)
#define EQUAL(one, other) \
    do { \
        const unsigned long long one_ = (unsigned long long)(one), other_ = (unsigned long long)(other); \
        CHECK(one_ == other_, "%llu and %llu", one_, other_); \
    } while (0)
#endif
