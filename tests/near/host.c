/*
 * rpcgen's style by `--link shm`: the main that was written serves in a process of its own, and clients find it by the program's number,
 * on this host and on no other.
 */
#include "rpc.c"
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    static const char *const networks[] = {"shm", "auto"};
    const pid_t server = fork();
    CHECK(server >= 0);
    alarm(100);
    if (server == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        return unused_main();
    }
    for (size_t index = 0; index < 2; index++) {
        CLIENT *client;
        while ((client = clnt_create("localhost", near, near_V1, networks[index])) == NULL)
            servant_rest(10);
        const int *const sum = near_add_1(40, 2, client);
        CHECK(sum != NULL && *sum == 42 && strcmp(client->cl_netid, "shm") == 0);
        clnt_destroy(client);
    }
    CHECK(clnt_create("elsewhere.invalid", near, near_V1, "shm") == NULL && rpc_createerr.cf_stat == RPC_UNKNOWNHOST);
    CHECK(kill(server, SIGKILL) == 0 && waitpid(server, NULL, 0) == server);
    return 0;
}
