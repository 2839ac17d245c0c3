/* SPDX-License-Identifier: MIT-0 */
/*
 * The options that every program of a flow has, and the directory that its processes on one machine share: sockets and
 * the ledger's pages. The directory is this user's alone, or it is not used.
 */
#include "internal.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void whittle_flow_help(const struct whittle_flow_process *process)
{
    printf("usage: %s [--port N] [--listen ADDRESS] [--dir DIR] [--key FILE] [--wait SECONDS] [--here] [--run-by PROCESS [--again]]\n"
        "       [--awake MICROSECONDS] [--metrics PLACE] [--record DIR] [--replay DIR [--speed X]] [--where 'PORT: CONDITION']\n"
        "A process of the flow `%s`.\n"
        "  --port N          the first TCP port of the flow, the same for all its processes   ($WHITTLE_PORT)\n"
        "  --listen ADDRESS  take TCP connections at this address only                        ($WHITTLE_LISTEN)\n"
        "  --dir DIR         sockets and counters of the flow's processes on this machine     ($WHITTLE_DIR)\n"
        "  --key FILE        the key of the flow's TCP and NATS edges, which `whittle pipe key FILE` makes; where the flow is on\n"
        "                    one machine, that in the directory, made when it is missing     ($WHITTLE_KEY)\n"
        "  --unauthenticated take TCP connections from anybody, without a key: both ends must say so\n"
        "  --wait SECONDS    at the end: how long to wait for a lost receiver to come back    ($WHITTLE_WAIT)\n"
        "                    (one that never came is waited for until the program is asked to end)\n"
        "  --awake MICROS    stay awake so long for a peer before sleeping, while that pays; 0: never  ($WHITTLE_AWAKE)\n"
        "  --here            all processes are on this machine, whatever the flow says\n"
        "  --run-by PROCESS  that process starts all of the flow: it ends when that ends, and counts begin anew\n"
        "  --again           and it takes the place of a process that died: it goes on with that one's counts\n"
        "  --metrics PLACE   give counters, as OpenMetrics over HTTP: `unix` (a socket in the directory), a port, or an address\n"
        "                                                                                     ($WHITTLE_METRICS)\n"
        "  --record DIR      keep the packets that are sent, in a file for each edge          ($WHITTLE_RECORD)\n"
        "  --replay DIR      sources send what was recorded there, in place of what they do\n"
        "  --speed X         and so much faster; 0: as fast as it is taken\n"
        "  --where 'PORT: CONDITION'   of a port that subscribes to a channel: it wants the packets alone of which this holds, as\n"
        "                    `where` says it in the flow, and beside that: 'Screen.r: speed > 3 and kind == LOUD'\n",
        process->name, process->flow);
    const struct whittle_flow_transport_functions *const brought[] = {process->nats, process->dds};
    for (size_t n = 0; n < sizeof brought / sizeof *brought; n++)
        if (brought[n] != NULL && brought[n]->help != NULL)
            fputs(brought[n]->help, stdout);
}

static bool whittle_flow_number(const char *text, uint64_t most, uint64_t *number)
{
    char *end;
    errno = 0;
    const unsigned long long value = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end != '\0' || errno != 0 || value > most)
        return false;
    *number = value;
    return true;
}

static bool whittle_flow_option(struct whittle_flow_event_loop *loop, const char *name, const char *value)
{
    uint64_t number;
    if (strcmp(name, "port") == 0) {
        uint64_t last = 65535;
        for (size_t n = 0; n < loop->link_count; n++)
            if (65535u - whittle_flow_socket_number(loop->links[n].edge) < last)
                last = 65535u - whittle_flow_socket_number(loop->links[n].edge);
        if (!whittle_flow_number(value, last, &number) || number == 0) {
            whittle_flow_log_process(loop->process, "`%s` is no first port: give a number of 1 to %llu", value, (unsigned long long)last);
            return false;
        }
        loop->port = (uint16_t)number;
    } else if (strcmp(name, "wait") == 0) {
        if (!whittle_flow_number(value, 1000000000, &number)) {
            whittle_flow_log_process(loop->process, "`%s` is no time to wait: give whole seconds", value);
            return false;
        }
        loop->patience = number * 1000000000u;
    } else if (strcmp(name, "awake") == 0) {
        if (!whittle_flow_number(value, 1000000, &number)) {
            whittle_flow_log_process(loop->process, "`%s` is no time to stay awake: give microseconds, at most 1000000", value);
            return false;
        }
        loop->awake = number * 1000u;
    } else if (strcmp(name, "run-by") == 0) {
        if (!whittle_flow_number(value, INT32_MAX, &number) || number == 0) {
            whittle_flow_log_process(loop->process, "`%s` is no process: give its number", value);
            return false;
        }
        loop->run_by = (pid_t)number;
    } else if (strcmp(name, "listen") == 0)
        loop->listen = value;
    else if (strcmp(name, "nats") == 0)
        loop->nats_url = value;
    else if (strcmp(name, "nats-creds") == 0)
        loop->nats_credentials = value;
    else if (strcmp(name, "key") == 0)
        loop->key_file = value;
    else if (strcmp(name, "metrics") == 0)
        loop->metrics_at = value;
    else if (strcmp(name, "record") == 0)
        loop->record = value;
    else if (strcmp(name, "replay") == 0)
        loop->replay_from = value;
    else if (strcmp(name, "speed") == 0) {
        char *end;
        loop->speed = strtod(value, &end);
        if (*value < '0' || *value > '9' || *end != '\0' || !(loop->speed >= 0 && loop->speed < 1e9)) {
            whittle_flow_log_process(loop->process, "`%s` is no speed: give 1 for that of the recording, 2 for twice, 0 for no waiting", value);
            return false;
        }
    }
    else if (strlen(value) >= sizeof loop->directory) {
        whittle_flow_log_process(loop->process, "the directory's name is longer than %zu bytes", sizeof loop->directory - 1);
        return false;
    } else
        snprintf(loop->directory, sizeof loop->directory, "%s", value);
    return true;
}

/* Whether somebody keeps packets of an edge while no process lives. */
static bool whittle_flow_keeps(const struct whittle_flow_event_loop *loop)
{
    for (size_t n = 0; n < loop->link_count; n++)
        if (loop->links[n].functions != NULL && loop->links[n].functions->keeps)
            return true;
    return false;
}

int whittle_flow_options(struct whittle_flow_event_loop *loop, int argc, char **argv)
{
    static const char *const names[][2] = {
        {"port", "WHITTLE_PORT"}, {"listen", "WHITTLE_LISTEN"}, {"dir", "WHITTLE_DIR"}, {"wait", "WHITTLE_WAIT"}, {"awake", "WHITTLE_AWAKE"}, {"nats", "NATS_URL"},
        {"nats-creds", "NATS_CREDS"}, {"key", "WHITTLE_KEY"},
        {"metrics", "WHITTLE_METRICS"}, {"record", "WHITTLE_RECORD"}, {"replay", NULL}, {"speed", NULL}, {"run-by", NULL}, {"where", NULL},
    };
    enum { NAMES = sizeof names / sizeof *names };
    loop->port = (uint16_t)(20000 + whittle_flow_mix(loop->process->flow) % 10000);
    loop->patience = 10000000000u;
    loop->awake = whittle_net_spin_time();
    loop->replay = getenv("WHITTLE_REPLAY") != NULL && strcmp(getenv("WHITTLE_REPLAY"), "0") != 0;
    for (int n = 0; n < NAMES; n++) {
        const char *const value = names[n][1] != NULL ? getenv(names[n][1]) : NULL;
        if (value != NULL && *value != '\0' && !whittle_flow_option(loop, names[n][0], value))
            return -1;
    }
    loop->nats_user = getenv("NATS_USER");
    loop->nats_password = getenv("NATS_PASSWORD");
    loop->nats_token = getenv("NATS_TOKEN");
    for (int n = 1; n < argc; n++) {
        if (strcmp(argv[n], "--help") == 0) {
            whittle_flow_help(loop->process);
            return 0;
        }
        if (strcmp(argv[n], "--here") == 0 || strcmp(argv[n], "--unauthenticated") == 0 || strcmp(argv[n], "--again") == 0) {
            *(argv[n][2] == 'h' ? &loop->here : argv[n][2] == 'u' ? &loop->unauthenticated : &loop->again) = true;
            continue;
        }
        if (strcmp(argv[n], "--replay") == 0 && whittle_flow_keeps(loop) && (n + 1 == argc || argv[n + 1][0] == '-')) {
            loop->replay = true;
            continue;
        }
        int name = 0;
        size_t length = 0;
        for (; name < NAMES; name++) {
            length = strlen(names[name][0]);
            if (strncmp(argv[n], "--", 2) == 0 && strncmp(argv[n] + 2, names[name][0], length) == 0
                && (argv[n][2 + length] == '\0' || argv[n][2 + length] == '='))
                break;
        }
        const char *const value = name == NAMES ? NULL : argv[n][2 + length] == '=' ? argv[n] + 3 + length : argv[++n];
        if (value == NULL) {
            whittle_flow_log_process(loop->process, "%s `%s`: --help says what there is",
                name == NAMES ? "unknown option" : "a value is missing after", name == NAMES ? argv[n] : argv[n - 1]);
            return -1;
        }
        if (strcmp(names[name][0], "where") == 0) {
            if (!whittle_flow_where_option(loop->process, value))
                return -2;
        } else if (!whittle_flow_option(loop, names[name][0], value))
            return -1;
    }
    return 1;
}

static bool whittle_flow_directory_make(const struct whittle_flow_event_loop *loop, const char *path)
{
    if (mkdir(path, 0700) == 0 || errno == EEXIST)
        return true;
    whittle_flow_log_process(loop->process, "the directory %s cannot be made: %s: choose another with --dir or WHITTLE_DIR", path,
        strerror(errno));
    return false;
}

bool whittle_flow_directory(struct whittle_flow_event_loop *loop)
{
    struct stat found;
    if (loop->directory[0] == '\0') {
        char parent[160];
        const char *const run = getenv("XDG_RUNTIME_DIR");
        if (run != NULL && *run == '/' && strlen(run) < sizeof parent)
            snprintf(parent, sizeof parent, "%s", run);
        else {
            snprintf(parent, sizeof parent, "/tmp/whittle-%u", (unsigned)getuid());
            if (!whittle_flow_directory_make(loop, parent))
                return false;
            if (lstat(parent, &found) != 0 || !S_ISDIR(found.st_mode) || found.st_uid != getuid()) {
                whittle_flow_log_process(loop->process, "%s is not this user's directory: choose another with --dir or WHITTLE_DIR", parent);
                return false;
            }
        }
        snprintf(loop->directory, sizeof loop->directory, "%s/%.90s", parent, loop->process->flow);
    }
    if (!whittle_flow_directory_make(loop, loop->directory))
        return false;
    loop->directory_fd = open(loop->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (loop->directory_fd < 0 || fstat(loop->directory_fd, &found) != 0) {
        whittle_flow_log_process(loop->process, "the directory %s cannot be opened: %s", loop->directory, strerror(errno));
        return false;
    }
    if (found.st_uid != getuid() || (found.st_mode & 077) != 0) {
        whittle_flow_log_process(loop->process, "the directory %s must be this user's alone (chmod 700), or choose another with "
            "--dir or WHITTLE_DIR", loop->directory);
        return false;
    }
    return true;
}
