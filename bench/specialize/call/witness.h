/*
 * Whether all say the same: a process between client and server passes messages on and keeps a sum of each, but for the
 * call's number and the program's version, which says who answers.
 */
#include <stdint.h>
#include <sys/mman.h>

struct sums { uint64_t call, reply; };

static uint64_t sum(const unsigned char *message, ssize_t length, int is_call)
{
    uint64_t sum = 0xcbf29ce484222325u ^ (uint64_t)length;
    for (ssize_t i = 4; i < length; i++)
        if (!is_call || i < 16 || i >= 20)
            sum = (sum ^ message[i]) * 0x100000001b3u;
    return sum;
}

static void pass_on(int listening, struct sockaddr_in server, struct sums *sums)
{
    static unsigned char message[BUFFER];
    const int calling = socket(AF_INET, SOCK_DGRAM, 0);
    if (connect(calling, (struct sockaddr *)&server, sizeof server) != 0)
        fail("connect");
    for (;;) {
        struct sockaddr_in from;
        socklen_t size = sizeof from;
        ssize_t length = recvfrom(listening, message, sizeof message, 0, (struct sockaddr *)&from, &size);
        sums->call = sum(message, length, 1);
        if (send(calling, message, (size_t)length, 0) != length)
            fail("witness");
        length = recv(calling, message, sizeof message, 0);
        sums->reply = sum(message, length, 0);
        sendto(listening, message, (size_t)length, 0, (struct sockaddr *)&from, size);
    }
}

/* Starts the process; returns where it keeps its sums, and sets where it listens. */
static const struct sums *witness(struct sockaddr_in server, struct sockaddr_in *address, pid_t *process)
{
    struct sums *sums = mmap(NULL, sizeof *sums, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    const int listening = socket(AF_INET, SOCK_DGRAM, 0);
    socklen_t length = sizeof *address;
    *address = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (sums == MAP_FAILED || bind(listening, (struct sockaddr *)address, length) != 0
        || getsockname(listening, (struct sockaddr *)address, &length) != 0)
        fail("witness");
    *process = child();
    if (*process == 0)
        pass_on(listening, server, sums);
    close(listening);
    return sums;
}
