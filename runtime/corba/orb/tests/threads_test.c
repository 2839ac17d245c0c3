/* SPDX-License-Identifier: MIT-0 */
/*
 * Many threads call over one connection, objects call each other back and forth, and the server ends while it is called. The
 * server is a process of its own. [ROUNDS]
 */
#include "check.h"
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 8 };
static int rounds = 300;
static CORBA_Object shared;

/* Its reference comes through a pipe. */
static pid_t begin_server(const char *const *options, int *from, CORBA_Environment *ev)
{
    int ends[2];
    CHECK(pipe(ends) == 0);
    const pid_t child = fork();
    if (child != 0) {
        close(ends[1]);
        *from = ends[0];
        return child;
    }
    struct echo echo;
    CORBA_ORB const orb = begin("server", options, ev);
    PortableServer_POA const root = root_of(orb, ev);
    echo_open(&echo, orb, root);
    CORBA_Object const object = PortableServer_POA_servant_to_reference(root, &echo, ev);
    CORBA_char *const text = CORBA_ORB_object_to_string(orb, object, ev);
    CHECK(write(ends[1], text, strlen(text)) == (ssize_t)strlen(text));
    close(ends[1]);
    CORBA_free(text);
    CORBA_Object_release(object, ev);
    CORBA_ORB_run(orb, ev);
    GOOD();
    CORBA_Object_release(root, ev);
    end(orb, ev);
    exit(0);
}

static CORBA_Object server_object(CORBA_ORB orb, int from, CORBA_Environment *ev)
{
    char text[4096];
    size_t length = 0;
    ssize_t came;
    while ((came = read(from, text + length, sizeof text - 1 - length)) > 0)
        length += (size_t)came;
    close(from);
    text[length] = 0;
    CORBA_Object const object = CORBA_ORB_string_to_object(orb, text, ev);
    GOOD();
    return object;
}

static void *calls(void *number)
{
    CORBA_Environment environment, *const ev = &environment;
    const uint32_t mine = (uint32_t)(uintptr_t)number, size = 1000 * mine + 1;
    CORBA_exception_init(ev);
    Test_Octets given = {size, size, CORBA_sequence_CORBA_octet_allocbuf(size), CORBA_TRUE};
    memset(given._buffer, (int)mine, size);
    for (int round = 0; round < rounds; round++) {
        CHECK(Test_Echo_add(shared, (CORBA_long)mine, round, ev) == (CORBA_long)mine + round);
        Test_Octets *const got = Test_Echo_bytes(shared, &given, ev);
        CHECK(got != NULL && got->_length == size && memcmp(got->_buffer, given._buffer, size) == 0);
        CORBA_free(got);
        Test_Echo_note(shared, 1, ev);
        GOOD();
        if (round % 50 == (int)mine) {      /* some are not waited for to the end */
            CORBA_Object const hurried = CORBA_Object_duplicate(shared, ev);
            Test_Echo const own = Test_Echo_self(hurried, ev);
            whittle_object_timeout(own, 5);
            Test_Echo_pause(own, 20, ev);
            CHECK(raised(ev, ex_CORBA_TIMEOUT) || ev->_major == CORBA_NO_EXCEPTION);
            CORBA_Object_release(own, ev);
            CORBA_Object_release(hurried, ev);
        }
    }
    CORBA_free(given._buffer);
    return NULL;
}

static void all_at_once(CORBA_ORB orb, const char *const *options, CORBA_Environment *ev)
{
    pthread_t threads[THREADS];
    int from, status;
    const pid_t child = begin_server(options, &from, ev);
    shared = server_object(orb, from, ev);
    for (int index = 0; index < THREADS; index++)
        pthread_create(&threads[index], NULL, calls, (void *)(uintptr_t)index);
    for (int index = 0; index < THREADS; index++)
        pthread_join(threads[index], NULL);
    for (int tries = 0; tries < 1000 && Test_Echo_noted(shared, ev) != THREADS * rounds; tries++)
        usleep(1000);
    CHECK(Test_Echo_noted(shared, ev) == THREADS * rounds);
    Test_Echo_stop(shared, ev);
    GOOD();
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    Test_Echo_nothing(shared, ev);
    CHECK(ev->_major == CORBA_SYSTEM_EXCEPTION);
    CORBA_exception_free(ev);
    CORBA_Object_release(shared, ev);
}

static void *serve(void *orb)
{
    CORBA_Environment environment, *const ev = &environment;
    CORBA_exception_init(ev);
    CORBA_ORB_run((CORBA_ORB)orb, ev);
    return NULL;
}

/* A servant that calls the object whose servant calls it: each thread is amid a request when the next one comes. */
static void back_and_forth(CORBA_ORB orb, const char *const *options, CORBA_Environment *ev)
{
    int from, status;
    struct echo echo;
    pthread_t thread;
    const pid_t child = begin_server(options, &from, ev);
    CORBA_Object const far = server_object(orb, from, ev);
    PortableServer_POA const root = root_of(orb, ev);
    echo_open(&echo, orb, root);
    CORBA_Object const near = PortableServer_POA_servant_to_reference(root, &echo, ev);
    pthread_create(&thread, NULL, serve, orb);
    for (int depth = 0; depth < 12; depth += 3)
        CHECK(Test_Echo_back(far, near, depth, ev) == depth);
    GOOD();
    Test_Echo_stop(far, ev);
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    CORBA_Object_release(far, ev);
    CORBA_Object_release(near, ev);
    CORBA_Object_release(root, ev);
    CORBA_ORB_shutdown(orb, CORBA_TRUE, ev);
    pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
    static const char *const alone[] = {"-ORBEndPoint", "giop:tcp:127.0.0.1:", NULL};
    static const char *const workers[] = {"-ORBEndPoint", "giop:tcp:127.0.0.1:", "-ORBWorkers", "16", NULL};
    static const char *const pieces[] = {"-ORBEndPoint", "giop:tcp:127.0.0.1:", "-ORBWorkers", "3", "-ORBMaxFragment", "1024", NULL};
    const char *const *const served[] = {alone, workers, pieces};
    CORBA_Environment environment, *const ev = &environment;
    rounds = argc > 1 ? atoi(argv[1]) : rounds;
    signal(SIGPIPE, SIG_IGN);
    for (int which = 0; which < 3; which++) {
        CORBA_exception_init(ev);
        CORBA_ORB orb = begin("", which == 2 ? pieces : NULL, ev);
        all_at_once(orb, served[which], ev);
        end(orb, ev);
        orb = begin("", served[which == 2 ? 1 : which], ev);
        back_and_forth(orb, served[which == 2 ? 1 : which], ev);
        end(orb, ev);
    }
    return 0;
}
