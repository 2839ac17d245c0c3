/* A server or a client on the loopback address, without rpcbind. The including file says what is served and what is called:
 *   PROGRAM server                  prints its two ports and serves
 *   PROGRAM client TCPPORT UDPPORT  makes its calls over both, and prints the replies */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int bound(int type)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t length = sizeof address;
	int s = socket(AF_INET, type, 0);
	if (s < 0 || bind(s, (struct sockaddr *)&address, sizeof address) != 0 ||
	    getsockname(s, (struct sockaddr *)&address, &length) != 0 ||
	    (type == SOCK_STREAM && listen(s, 8) != 0)) {
		perror("socket");
		exit(1);
	}
	printf("%d%c", ntohs(address.sin_port), type == SOCK_DGRAM ? '\n' : ' ');
	return s;
}

static int serve(unsigned long program, unsigned long version, void (*dispatch)(struct svc_req *, SVCXPRT *))
{
	SVCXPRT *tcp = svctcp_create(bound(SOCK_STREAM), 0, 0), *udp = svcudp_create(bound(SOCK_DGRAM));
	if (tcp == NULL || udp == NULL || !svc_register(tcp, program, version, dispatch, 0) ||
	    !svc_register(udp, program, version, dispatch, 0)) {
		fprintf(stderr, "no service\n");
		return 1;
	}
	fflush(stdout);
	alarm(60);
	svc_run();
	return 1;
}

static int call(unsigned long program, unsigned long version, char **ports, void (*calls)(CLIENT *))
{
	for (int i = 0; i < 2; i++) {
		struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
		struct timeval patience = { 5, 0 };
		int s = RPC_ANYSOCK;
		CLIENT *client;
		address.sin_port = htons(atoi(ports[i]));
		client = i == 0 ? clnttcp_create(&address, program, version, &s, 0, 0)
		                : clntudp_create(&address, program, version, patience, &s);
		if (client == NULL) {
			clnt_pcreateerror("client");
			return 1;
		}
		puts(i == 0 ? "tcp" : "udp");
		calls(client);
		clnt_destroy(client);
	}
	puts("end");
	return 0;
}

#define SERVICE(program, version, dispatch, calls)                                                                     \
	void dispatch(struct svc_req *, SVCXPRT *);                                                                    \
	int main(int argc, char **argv)                                                                                \
	{                                                                                                              \
		return argc == 2 ? serve(program, version, dispatch) : call(program, version, argv + 2, calls);    \
	}

/* The reply, or the end. */
static void *got(CLIENT *client, void *reply)
{
	if (reply == NULL) {
		clnt_perror(client, "call");
		exit(1);
	}
	return reply;
}
