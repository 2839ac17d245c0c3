/* SPDX-License-Identifier: MIT-0 */
/* Addresses: read, and written: address.h. */
#include "address.h"
#include "local_name.h"
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/un.h>

/* `:port` at the end; false: it is no number of a port. */
static bool whittle_net_port_parse(struct whittle_net_address *address, const char *text)
{
    char *end = NULL;
    if (*text == 0)
        return true;
    if (*text != ':' || text[1] < '0' || text[1] > '9')
        return false;
    const unsigned long port = strtoul(text + 1, &end, 10);
    address->port = (uint16_t)port;
    return *end == 0 && port <= 65535;
}

static bool whittle_net_host_parse(struct whittle_net_address *address, const char *text)
{
    const bool bracketed = *text == '[';
    const char *const begin = text + bracketed;
    const char *end = strchr(text, bracketed ? ']' : ':');
    if (end == NULL && bracketed)
        return false;
    if (end == NULL)
        end = begin + strlen(begin);
    if (!whittle_net_port_parse(address, end + bracketed))
        return false;
    if (end == begin)
        return true;
    address->host = strndup(begin, (size_t)(end - begin));
    return address->host != NULL;
}

bool whittle_net_address_parse(struct whittle_net_address *address, const char *text)
{
    *address = (struct whittle_net_address){.transport = WHITTLE_NET_TCP};
    if (strncmp(text, "shm:", 4) == 0) {
        address->transport = WHITTLE_NET_UNIX;
        address->local = whittle_net_local_path(text + 4, strlen(text + 4));
        return address->local != NULL;
    }
    if (strncmp(text, "auto:", 5) == 0) {
        const char *const at = strchr(text, '@');
        address->local = at == NULL ? NULL : whittle_net_local_path(text + 5, (size_t)(at - text) - 5);
        return address->local != NULL && whittle_net_host_parse(address, at + 1);
    }
    if (strncmp(text, "unix:", 5) == 0) {
        address->transport = WHITTLE_NET_UNIX;
        address->host = text[5] != 0 && strlen(text + 5) < sizeof((struct sockaddr_un *)NULL)->sun_path ? strdup(text + 5) : NULL;
        return address->host != NULL;
    }
    if (strncmp(text, "udp://", 6) == 0)
        address->transport = WHITTLE_NET_UDP;
    else if (strncmp(text, "tcp://", 6) != 0)
        return whittle_net_host_parse(address, text);
    return whittle_net_host_parse(address, text + 6);
}

void whittle_net_address_drop(struct whittle_net_address *address)
{
    free(address->host);
    free(address->local);
    address->host = address->local = NULL;
}

bool whittle_net_address_is_local(const struct whittle_net_address *address)
{
    return address->transport == WHITTLE_NET_UNIX && address->host == NULL;
}

bool whittle_net_address_is_whole(const struct whittle_net_address *address)
{
    return address->host != NULL || whittle_net_address_is_local(address);
}

bool whittle_net_address_has_port(const struct whittle_net_address *address)
{
    return address->transport != WHITTLE_NET_UNIX;
}

uint16_t whittle_net_name_port(const struct whittle_net_name *name)
{
    struct sockaddr_in four;
    struct sockaddr_in6 six;
    memcpy(&four, &name->storage, sizeof four);
    memcpy(&six, &name->storage, sizeof six);
    return name->storage.ss_family == AF_INET ? ntohs(four.sin_port) : name->storage.ss_family == AF_INET6 ? ntohs(six.sin6_port) : 0;
}

static char *whittle_net_path_text(const struct whittle_net_name *name)
{
    struct sockaddr_un local;
    char *text = NULL;
    const size_t head = offsetof(struct sockaddr_un, sun_path);
    memset(&local, 0, sizeof local);
    memcpy(&local, &name->storage, name->size < sizeof local ? name->size : sizeof local);
    const size_t size = name->size > head ? name->size - head : 0;
    const bool hidden = size > 0 && local.sun_path[0] == 0;
    /* A path that begins as abstract names are written. */
    const char *const before = hidden ? "@" : local.sun_path[0] == '@' ? "./" : "";
    if (asprintf(&text, "unix:%s%.*s", before, (int)(size - hidden), local.sun_path + hidden) < 0)
        return NULL;
    return text;
}

char *whittle_net_address_text(enum whittle_net_transport transport, const struct whittle_net_name *name)
{
    char host[INET6_ADDRSTRLEN + 1 + IF_NAMESIZE];
    char *text = NULL;
    const sa_family_t family = name->storage.ss_family;
    const bool six = family == AF_INET6;
    if (family == AF_UNIX)
        return whittle_net_path_text(name);
    /* With the interface, where an address is one's of this link only. */
    if (getnameinfo((const struct sockaddr *)&name->storage, name->size, host, sizeof host, NULL, 0, NI_NUMERICHOST) != 0)
        return NULL;
    if (asprintf(&text, "%s://%s%s%s:%u", transport == WHITTLE_NET_UDP ? "udp" : "tcp", six ? "[" : "", host, six ? "]" : "",
                 (unsigned)whittle_net_name_port(name)) < 0)
        return NULL;
    return text;
}

void whittle_net_path_name(const char *path, struct whittle_net_name *name)
{
    struct sockaddr_un local = {.sun_family = AF_UNIX};
    const size_t length = strnlen(path, sizeof local.sun_path);
    memcpy(local.sun_path, path, length);
    const bool hidden = local.sun_path[0] == '@';
    if (hidden)
        local.sun_path[0] = 0;
    const size_t size = offsetof(struct sockaddr_un, sun_path) + length + !hidden;
    memset(name, 0, sizeof *name);
    memcpy(&name->storage, &local, sizeof local);
    name->size = (socklen_t)(size < sizeof local ? size : sizeof local);
}

int whittle_net_socket_type(enum whittle_net_transport transport)
{
    return transport == WHITTLE_NET_UDP ? SOCK_DGRAM : SOCK_STREAM;
}
