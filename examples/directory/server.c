/*
 * Serves directories of this machine over TCP and UDP, on the loopback interface.
 *
 *     server [PORT]        without a port, or with 0, the system chooses one; the first line of output says which
 *
 * The same source is linked with rpcgen's stubs or with whittle's.
 */
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "directory.h"

/* A UDP reply of more bytes than this is not sent; TCP has no such limit. */
enum { DATAGRAM_LARGEST = 60000 };

/* Generated in directory_svc.c. */
extern void directory_1(struct svc_req *request, SVCXPRT *transport);

/* Puts what stat(2) says into the record's words. */
static void fill_record(stat_info *record, const struct stat *status)
{
    memset(record, 0, sizeof *record);
    record->words[WORD_MODE] = (int) status->st_mode;
    record->words[WORD_LINKS] = (int) status->st_nlink;
    record->words[WORD_OWNER] = (int) status->st_uid;
    record->words[WORD_GROUP] = (int) status->st_gid;
    record->words[WORD_SIZE_HIGH] = (int) ((unsigned long long) status->st_size >> 32);
    record->words[WORD_SIZE_LOW] = (int) status->st_size;
    record->words[WORD_MODIFIED_HIGH] = (int) ((unsigned long long) status->st_mtime >> 32);
    record->words[WORD_MODIFIED_LOW] = (int) status->st_mtime;
    record->words[WORD_INODE_HIGH] = (int) ((unsigned long long) status->st_ino >> 32);
    record->words[WORD_INODE_LOW] = (int) status->st_ino;
    memcpy(record->tag, "whittle example", sizeof record->tag);
}

/* Appends one entry; 0, or what errno says. */
static int append(direntseq *entries, size_t *room, int folder, const char *name)
{
    struct stat status;
    if (fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0)
        return errno == ENOENT ? 0 : errno; /* it went away meanwhile */
    if (entries->direntseq_len == *room) {
        size_t larger = *room == 0 ? 64 : *room * 2;
        direntry *grown = realloc(entries->direntseq_val, larger * sizeof *grown);
        if (grown == NULL)
            return ENOMEM;
        entries->direntseq_val = grown;
        *room = larger;
    }
    direntry *entry = &entries->direntseq_val[entries->direntseq_len];
    entry->name = strdup(name);
    if (entry->name == NULL)
        return ENOMEM;
    fill_record(&entry->info, &status);
    entries->direntseq_len++;
    return 0;
}

/* Reads a whole directory; 0, or what errno says. */
static int read_directory(const char *path, direntseq *entries)
{
    size_t room = 0;
    int error = 0;
    DIR *directory = opendir(path);
    if (directory == NULL)
        return errno;
    while (error == 0) {
        errno = 0;
        const struct dirent *found = readdir(directory);
        if (found == NULL) {
            error = errno;
            break;
        }
        error = append(entries, &room, dirfd(directory), found->d_name);
    }
    closedir(directory);
    return error;
}

/* The procedure. Its result lives until the next call, as stubs without -M want it. */
listing *list_1_svc(path *argument, struct svc_req *request)
{
    static listing result;
    (void) request;
    xdr_free((xdrproc_t) xdr_listing, (char *) &result);
    memset(&result, 0, sizeof result);

    direntseq entries = {0, NULL};
    int error = read_directory(*argument, &entries);
    if (error != 0) {
        xdr_free((xdrproc_t) xdr_direntseq, (char *) &entries);
        result.error = error;
        return &result;
    }
    result.listing_u.entries = entries;
    return &result;
}

/* A bound socket, and the address it got; exits when that fails. */
static int bind_socket(int type, struct sockaddr_in *address)
{
    socklen_t length = sizeof *address;
    int descriptor = socket(AF_INET, type, 0);
    if (descriptor < 0 || bind(descriptor, (struct sockaddr *) address, sizeof *address) != 0
        || getsockname(descriptor, (struct sockaddr *) address, &length) != 0) {
        perror("server: bind");
        exit(EXIT_FAILURE);
    }
    return descriptor;
}

/* Lets the dispatch routine answer on a transport, unknown to rpcbind. */
static void serve_on(SVCXPRT *transport)
{
    if (transport == NULL || !svc_reg(transport, DIRECTORY, DIRECTORY_V1, directory_1, NULL)) {
        fprintf(stderr, "server: cannot make a transport\n");
        exit(EXIT_FAILURE);
    }
}

int main(int count, char **arguments)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(count > 1 ? (unsigned short) atoi(arguments[1]) : 0);

    int stream = bind_socket(SOCK_STREAM, &address);
    int datagram = bind_socket(SOCK_DGRAM, &address);
    if (listen(stream, SOMAXCONN) != 0) {
        perror("server: listen");
        return EXIT_FAILURE;
    }
    serve_on(svc_vc_create(stream, 0, 0));
    serve_on(svc_dg_create(datagram, DATAGRAM_LARGEST, DATAGRAM_LARGEST));

    printf("port %u\n", ntohs(address.sin_port));
    fflush(stdout);
    svc_run();
    return EXIT_FAILURE;
}
