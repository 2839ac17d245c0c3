/* SPDX-License-Identifier: MIT-0 */
/* A call that has been made before allocates nothing, neither at the client nor at the server. Linked with --wrap=malloc and so on. */
#include "check.h"
#include <sys/wait.h>
#include <unistd.h>

static uint32_t allocations;
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);

void *__wrap_malloc(size_t size)
{
    allocations++;
    return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    allocations++;
    return __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    allocations++;
    return __real_realloc(old, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    allocations++;
    return __real_aligned_alloc(alignment, size);
}

/* How many there have been in the server. */
static CORBA_long counted(PortableServer_Servant servant, CORBA_Environment *ev)
{
    (void)servant, (void)ev;
    return (CORBA_long)allocations;
}

static void serve(int to, CORBA_Environment *ev)
{
    static const char *const options[] = {"-ORBEndPoint", "giop:tcp:127.0.0.1:", NULL};
    static POA_Test_Echo__epv epv;
    static POA_Test_Echo__vepv vepv;
    struct echo echo;
    CORBA_ORB const orb = begin("server", options, ev);
    PortableServer_POA const root = root_of(orb, ev);
    echo_open(&echo, orb, root);
    epv = *echo.servant.vepv->Test_Echo_epv;
    vepv = *echo.servant.vepv;
    epv.noted = counted;
    vepv.Test_Echo_epv = &epv;
    echo.servant.vepv = &vepv;
    CORBA_Object const object = PortableServer_POA_servant_to_reference(root, &echo, ev);
    CORBA_char *const text = CORBA_ORB_object_to_string(orb, object, ev);
    CHECK(write(to, text, strlen(text)) == (ssize_t)strlen(text));
    close(to);
    CORBA_free(text);
    CORBA_Object_release(object, ev);
    CORBA_ORB_run(orb, ev);
    CORBA_Object_release(root, ev);
    end(orb, ev);
}

int main(void)
{
    CORBA_Environment environment, *const ev = &environment;
    char text[4096] = "";
    int ends[2], status;
    CORBA_exception_init(ev);
    CHECK(pipe(ends) == 0);
    const pid_t child = fork();
    if (child == 0) {
        serve(ends[1], ev);
        return 0;
    }
    close(ends[1]);
    for (size_t length = 0, came = 1; came > 0; length += came)
        came = (size_t)read(ends[0], text + length, sizeof text - 1 - length);
    CORBA_ORB const orb = begin("", NULL, ev);
    CORBA_Object const echo = CORBA_ORB_string_to_object(orb, text, ev);
    const uint32_t size = 300000;
    Test_Numbers given = {size, size, CORBA_sequence_CORBA_long_allocbuf(size), CORBA_TRUE};
    memset(given._buffer, 0, size * 4);
    uint32_t here = 0;
    CORBA_long there = 0;
    for (int round = 0; round < 200; round++) {
        if (round == 100) {     /* what they learn, they have learnt */
            here = allocations;
            there = Test_Echo_noted(echo, ev);
        }
        Test_Echo_nothing(echo, ev);
        CHECK(Test_Echo_add(echo, 1, round, ev) == round + 1);
        CHECK(Test_Echo_sum(echo, &given, ev) == 0);
        Test_Echo_note(echo, 0, ev);
    }
    CHECK(Test_Echo_noted(echo, ev) == there);
    CHECK(allocations == here);
    Test_Echo_stop(echo, ev);
    GOOD();
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    CORBA_free(given._buffer);
    CORBA_Object_release(echo, ev);
    end(orb, ev);
    return 0;
}
