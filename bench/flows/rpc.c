/*
 * rpcgen's stubs over libtirpc: a call per packet, whose reply is the answer. The relay's routine calls the sink's before
 * it returns. Usage: rpc source|relay|sink DATA NEXT BACK, as of hand, and -DUDP for calls over UDP. No rpcbind is asked:
 * both sides know the port.
 */
#include "rpc_packets.h"
#include "sockets.h"
#include "work.h"

static CLIENT *client;
static PACKET packet;
static int32_t result;
static bool is_relay;

void packets_1(struct svc_req *request, SVCXPRT *transport);

static inline void *room(void)
{
    return &packet;
}

static inline bool pass(bool last)
{
    (void)last;
    const int *answer = put_1(&packet, client);
    if (answer == NULL)
        return clnt_perror(client, "put"), false;
    result = *answer;
    return true;
}

static inline int32_t answer(void)
{
    return result;
}

#include "drive.h"

int *put_1_svc(PACKET *argument, struct svc_req *request)
{
    (void)request;
    if (is_relay) {
        relay(argument, argument);
        return put_1(argument, client);
    }
    take(argument, &result);
    return &result;
}

#ifdef UDP
static CLIENT *begin_client(const char *where)
{
    union address address;
    socklen_t length;
    int fd = RPC_ANYSOCK;
    close(open_socket(where, &address, &length));
    return clntudp_create(&address.tcp, PACKETS, FIRST, (struct timeval){ 5, 0 }, &fd);
}

static SVCXPRT *begin_server(const char *where)
{
    union address address;
    socklen_t length;
    close(open_socket(where, &address, &length));
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    if (bind(fd, &address.any, length) != 0)
        give_up(where);
    return svcudp_create(fd);
}
#else
static CLIENT *begin_client(const char *where)
{
    union address address;
    socklen_t length;
    int fd = dial(where);
    close(open_socket(where, &address, &length));
    return clnttcp_create(&address.tcp, PACKETS, FIRST, &fd, 0, 0);
}

static SVCXPRT *begin_server(const char *where)
{
    return svctcp_create(listen_at(where), 0, 0);
}
#endif

static void serve(const char *where)
{
    if (!svc_register(begin_server(where), PACKETS, FIRST, packets_1, 0))
        give_up("svc_register");
    svc_run();
}

int main(int argc, char **argv)
{
    if (argc < 5)
        return 2;
    is_relay = strcmp(argv[1], "relay") == 0;
    if (strcmp(argv[1], "sink") == 0) {
        prepare();
        serve(NODES == 3 ? argv[3] : argv[2]);
    }
    client = begin_client(is_relay ? argv[3] : argv[2]);
    if (client == NULL)
        return clnt_pcreateerror("client"), 1;
    if (is_relay)
        serve(argv[2]);
    drive();
    return 0;
}
