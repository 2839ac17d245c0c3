/* Asks rpcbind, by versions 3 and 4 of its protocol, for its table; for the address of one program; for its clock. */
#include <rpc/rpc.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static int is_same(rpcblist_ptr one, rpcblist_ptr other)
{
    for (; one != NULL && other != NULL; one = one->rpcb_next, other = other->rpcb_next)
        if (one->rpcb_map.r_prog != other->rpcb_map.r_prog || strcmp(one->rpcb_map.r_addr, other->rpcb_map.r_addr) != 0)
            return 0;
    return one == other;
}

/* The address that version 3 tells for the last entry, which is of the transport asked by, is the one in the table. */
static int is_found(rpcb *wanted, CLIENT *client)
{
    char **const address = rpcbproc_getaddr_3(wanted, client);
    return address != NULL && strstr(*address, strrchr(wanted->r_addr, '.')) != NULL;
}

int main(int count, char **words)
{
    CLIENT *const third = clnt_create(words[count - 1], RPCBPROG, RPCBVERS, "udp");
    CLIENT *const fourth = clnt_create(words[count - 1], RPCBPROG, RPCBVERS4, "tcp");
    if (third == NULL || fourth == NULL) {
        clnt_pcreateerror(words[0]);
        return 1;
    }
    rpcblist_ptr *const table = rpcbproc_dump_3(NULL, third);
    rpcblist_ptr *const again = rpcbproc_dump_4(NULL, fourth);
    if (table == NULL || again == NULL || !is_same(*table, *again)) {
        clnt_perror(third, words[0]);
        return 1;
    }
    rpcb *last = NULL;
    for (rpcblist_ptr entry = *table; entry != NULL; entry = entry->rpcb_next) {
        last = &entry->rpcb_map;
        printf("%u %u %s %s %s\n", last->r_prog, last->r_vers, last->r_netid, last->r_addr, last->r_owner);
    }
    const u_int *const seconds = rpcbproc_gettime_3(NULL, third);
    if (seconds == NULL || (time_t)*seconds > time(NULL) || (time_t)*seconds + 60 < time(NULL))
        return 2;
    if (last == NULL || !is_found(last, third))
        return 3;
    /* Versions 2, 3 and 4 have counted their calls; the first of the three answers is read here. */
    const rpcb_stat *const counts = rpcbproc_getstat_4(NULL, fourth);
    if (counts == NULL || counts->info[RPCBPROC_DUMP] < 1)
        return 4;
    clnt_destroy(third);
    clnt_destroy(fourth);
    return 0;
}
