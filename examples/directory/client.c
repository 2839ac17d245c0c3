/*
 * Asks the server for a directory and prints it.
 *
 *     client tcp|udp PORT PATH
 */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "directory.h"

enum { DATAGRAM_LARGEST = 60000 };

static unsigned long long word_pair(const stat_info *record, int high)
{
    return ((unsigned long long) (unsigned) record->words[high] << 32) | (unsigned) record->words[high + 1];
}

static void print_entry(const direntry *entry)
{
    const stat_info *record = &entry->info;
    time_t modified = (time_t) word_pair(record, WORD_MODIFIED_HIGH);
    struct tm calendar;
    char day[32] = "";
    if (gmtime_r(&modified, &calendar) != NULL)
        strftime(day, sizeof day, "%Y-%m-%d", &calendar);
    printf("%06o %3d %10llu %s %s\n", (unsigned) record->words[WORD_MODE], record->words[WORD_LINKS],
           word_pair(record, WORD_SIZE_HIGH), day, entry->name);
}

/* A connection to a port of this machine; rpcbind is not asked. */
static CLIENT *connect_to(const char *transport, unsigned short port)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    int descriptor = RPC_ANYSOCK;
    if (strcmp(transport, "udp") == 0) {
        struct timeval retry = {1, 0};
        return clntudp_bufcreate(&address, DIRECTORY, DIRECTORY_V1, retry, &descriptor, DATAGRAM_LARGEST,
                                 DATAGRAM_LARGEST);
    }
    return clnttcp_create(&address, DIRECTORY, DIRECTORY_V1, &descriptor, 0, 0);
}

int main(int count, char **arguments)
{
    if (count != 4) {
        fprintf(stderr, "usage: client tcp|udp PORT PATH\n");
        return EXIT_FAILURE;
    }
    CLIENT *client = connect_to(arguments[1], (unsigned short) atoi(arguments[2]));
    if (client == NULL) {
        clnt_pcreateerror("client");
        return EXIT_FAILURE;
    }
    path asked = arguments[3];
    listing *result = list_1(&asked, client);
    if (result == NULL) {
        clnt_perror(client, "client");
        return EXIT_FAILURE;
    }
    if (result->error != 0) {
        fprintf(stderr, "client: %s: %s\n", asked, strerror(result->error));
        return EXIT_FAILURE;
    }
    for (u_int at = 0; at < result->listing_u.entries.direntseq_len; at++)
        print_entry(&result->listing_u.entries.direntseq_val[at]);
    xdr_free((xdrproc_t) xdr_listing, (char *) result);
    clnt_destroy(client);
    return EXIT_SUCCESS;
}
