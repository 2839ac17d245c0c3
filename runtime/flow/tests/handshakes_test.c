/*
 * Those who have connected and are no edge's yet. Their table is full, and one gives its place to another: what the system
 * has yet to say of the one that is gone does not reach the other. The linker puts this test before each step of one of
 * them, so that it can hold the event loop up until several events wait for it.
 */
#include "hostile_common.h"
#include <semaphore.h>

enum { PLACES = 64 + 2 };       /* of a process with one receiver */

void __real_whittle_flow_handshake_step(struct whittle_flow_handshake *handshake);
void __wrap_whittle_flow_handshake_step(struct whittle_flow_handshake *handshake);

static struct whittle_flow_handshake *_Atomic first;     /* the first place */
static _Atomic int steps, steps_of_first;
static _Atomic bool holds;
static sem_t held, go;

void __wrap_whittle_flow_handshake_step(struct whittle_flow_handshake *handshake)
{
    if (first == NULL)
        first = handshake;
    steps_of_first += handshake == first;
    if (holds) {
        holds = false;
        sem_post(&held);
        sem_wait(&go);
    }
    __real_whittle_flow_handshake_step(handshake);
    steps++;
}

static void await_steps(int count)
{
    for (int turn = 0; steps < count; turn++) {
        CHECK(turn < 20000, "the event loop took %d steps of %d", (int)steps, count);
        sleep_ms(1);
    }
}

/* The event loop finds in this order: somebody new, who takes the first's place; something from the first; from another. */
static void events_of_the_gone(void)
{
    const struct whittle_flow_edge edge = an_edge(&list_type, WHITTLE_FLOW_UNIX);
    struct end end;
    int fds[PLACES];
    char byte;
    new_place("an event of a connection that is gone does not reach the next in its place");
    begin_receiver(&end, &edge);
    for (int n = 0; n < PLACES; n++) {
        fds[n] = dial(&edge);
        await_steps(n + 1);
    }
    holds = true;
    put(fds[PLACES - 1], "w", 1);
    sem_wait(&held);
    const int newcomer = dial(&edge);
    put(fds[0], "w", 1);
    put(fds[1], "w", 1);
    steps_of_first = 0;
    sem_post(&go);
    EQUAL(recv(fds[0], &byte, 1, 0) <= 0, true);
    await_steps(PLACES + 3);    /* the one held up, the newcomer's, and that of the last event */
    EQUAL(steps_of_first, 1);
    close(newcomer);
    for (int n = 0; n < PLACES; n++)
        close(fds[n]);
    whittle_flow_end(&end.process);
}

/* `--listen ::` is for both kinds of addresses. */
static void both_families(void)
{
    const struct whittle_flow_edge edge = an_edge(&list_type, WHITTLE_FLOW_TCP);
    struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    struct end end;
    new_place("who listens at every address is reached over IPv4 and IPv6");
    setenv("WHITTLE_LISTEN", "::", 1);
    begin_receiver(&end, &edge);
    close(dial(&edge));
    six.sin6_port = htons((uint16_t)(place_port() + edge.number));
    const int fd = socket(AF_INET6, SOCK_STREAM, 0);
    const bool reached = connect(fd, (struct sockaddr *)&six, sizeof six) == 0;
    CHECK(reached || errno != ECONNREFUSED, "nobody listens at ::1");     /* a machine may be without IPv6 */
    close(fd);
    unsetenv("WHITTLE_LISTEN");
    whittle_flow_end(&end.process);
}

int main(void)
{
    sem_init(&held, 0, 0);
    sem_init(&go, 0, 0);
    events_of_the_gone();
    both_families();
    return 0;
}
