/* Memory that is freed deep, strings, sequences, and environments with their exceptions. */
#include "common.h"
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wchar.h>

static int released;

static void count_release(void *item)
{
    CHECK(*(int *)item >= 0);
    released++;
}

static void release_nothing(void *item)
{
    (void)item;
}

static void test_deep_free(void)
{
    CORBA_free(NULL);
    int *const items = whittle_corba_new(sizeof *items, 5, count_release);
    for (int index = 0; index < 5; index++)
        CHECK(items[index] == 0);
    CORBA_free(items);
    CHECK(released == 5);
    CHECK(whittle_corba_new(SIZE_MAX / 2, 3, NULL) == NULL);
    CORBA_free(whittle_corba_new(8, 0, count_release));

    CORBA_sequence_CORBA_string *const texts = CORBA_sequence_CORBA_string__alloc();
    texts->_buffer = CORBA_sequence_CORBA_string_allocbuf(3);
    texts->_maximum = texts->_length = 3;
    texts->_buffer[0] = CORBA_string_dup("one");
    texts->_buffer[2] = CORBA_string_dup("three");
    CHECK(!CORBA_sequence_get_release(texts));
    CORBA_sequence_set_release(texts, CORBA_TRUE);
    CHECK(CORBA_sequence_get_release(texts));
    CORBA_free(texts);

    CORBA_sequence_long some = {2, 0, CORBA_sequence_long_allocbuf(2), CORBA_FALSE};
    CORBA_long *const kept = some._buffer;
    whittle_release_sequence(&some);
    CHECK(some._buffer == NULL);
    CORBA_free(kept);

    CORBA_any *const anys = CORBA_any_allocbuf(2);
    anys[0] = (CORBA_any){TC_CORBA_string, CORBA_string__alloc(), CORBA_TRUE};
    *(CORBA_string *)anys[0]._value = CORBA_string_dup("kept by the any");
    CORBA_string mine = CORBA_string_dup("mine");
    anys[1] = (CORBA_any){TC_CORBA_string, &mine, CORBA_FALSE};
    CHECK(!CORBA_any_get_release(&anys[1]));
    CORBA_free(anys);
    CHECK(strcmp(mine, "mine") == 0);
    CORBA_string_free(mine);
}

/* Values that lead to others, as long a chain as there is memory for, and as wide a tree. */
struct link {
    struct link *first, *second;
};

static void release_link(void *item)
{
    struct link *const link = (struct link *)item;
    released++;
    whittle_release_state(&link->first);
    whittle_release_state(&link->second);
}

static struct link *chain(struct link *first, int length)
{
    for (int index = 0; index < length; index++) {
        struct link *const around = whittle_corba_new(sizeof *around, 1, release_link);
        around->first = index % 2 == 0 ? first : NULL;
        around->second = index % 2 == 0 ? NULL : first;
        first = around;
    }
    return first;
}

static void test_long_chains(void)
{
    enum { LENGTH = 1000000, WIDTH = 1000, DEPTH = 300 };
    released = 0;
    CORBA_free(chain(NULL, LENGTH));
    CHECK(released == LENGTH);
    /* Many at the depth from which they wait for each other. */
    struct link *const wide = whittle_corba_new(sizeof *wide, WIDTH, release_link);
    for (int index = 0; index < WIDTH; index++) {
        wide[index].first = chain(NULL, DEPTH);
        wide[index].second = chain(NULL, DEPTH);
    }
    released = 0;
    CORBA_free(chain(wide, 2 * DEPTH));
    CHECK(released == WIDTH * (2 * DEPTH + 1) + 2 * DEPTH);
}

/* Blocks of many sizes, made and freed in any order, each written to its last byte; some are left for others to free. */
enum { BLOCKS = 40, LEFT = 20 };
struct churn {
    unsigned random;
    char *left[LEFT];
};

static void *churn(void *given)
{
    struct churn *const churn = (struct churn *)given;
    char *blocks[BLOCKS] = {NULL};
    uint32_t sizes[BLOCKS] = {0};
    for (int turn = 0; turn < 10000; turn++) {
        churn->random = churn->random * 1664525u + 1013904223u;
        const unsigned at = (churn->random >> 8) % BLOCKS;
        for (uint32_t index = 0; index < sizes[at]; index += 97)
            CHECK(blocks[at][index] == (char)at);
        CORBA_free(blocks[at]);
        sizes[at] = (churn->random >> 16) % 6000;
        const bool zeroed = (churn->random & 1) != 0;
        blocks[at] = zeroed ? whittle_corba_new(sizes[at], 1, release_nothing) : whittle_corba_new(1, sizes[at], NULL);
        for (uint32_t index = 0; zeroed && index < sizes[at]; index++)
            CHECK(blocks[at][index] == 0);
        memset(blocks[at], (int)at, sizes[at]);
    }
    for (int index = 0; index < BLOCKS; index++)
        if (index < LEFT)
            churn->left[index] = blocks[index];
        else
            CORBA_free(blocks[index]);
    return NULL;
}

static void test_threads(void)
{
    enum { THREADS = 6 };
    struct churn churns[THREADS];
    pthread_t threads[THREADS];
    for (int index = 0; index < THREADS; index++) {
        churns[index].random = (unsigned)index;
        CHECK(pthread_create(&threads[index], NULL, churn, &churns[index]) == 0);
    }
    for (int index = 0; index < THREADS; index++) {
        CHECK(pthread_join(threads[index], NULL) == 0);
        for (int left = 0; left < LEFT; left++)
            CORBA_free(churns[index].left[left]);
    }
}

/* A block that has grown is as long as others of its size. */
static void test_growth(void)
{
    for (uint32_t count = 1000; count < 4500; count += 37) {
        char *items = whittle_typed_new(TC_CORBA_octet, count);
        items = whittle_typed_grow(TC_CORBA_octet, items, count + 60);
        memset(items, 1, count + 60);
        CORBA_free(items);
        items = whittle_corba_new(1, count + 60, NULL);
        memset(items, 2, count + 60);
        CORBA_free(items);
    }
}

/* Where freed blocks are kept it is seen that one is freed twice. */
static void test_freed_twice(void)
{
#ifdef WHITTLE_SPARES
    const pid_t child = fork();
    if (child == 0) {
        char *const block = whittle_corba_new(1, 2000, NULL);
        CORBA_free(block);
        CORBA_free(block);
        _exit(0);
    }
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
#endif
}

static void test_strings(void)
{
    CORBA_char *const text = CORBA_string_alloc(4);
    CHECK(text[0] == '\0' && text[4] == '\0');
    strcpy(text, "four");
    CORBA_char *const copy = CORBA_string_dup(text);
    CHECK(copy != text && strcmp(copy, "four") == 0);
    CORBA_free(text);
    CORBA_free(copy);
    CORBA_wchar *const wide = CORBA_wstring_dup(L"wide");
    CHECK(wcscmp(wide, L"wide") == 0);
    CORBA_wstring_free(wide);
    CORBA_wchar *const empty = CORBA_wstring_alloc(0);
    CHECK(empty[0] == 0);
    CORBA_free(empty);
    CHECK(CORBA_string_dup(NULL) == NULL && CORBA_wstring_dup(NULL) == NULL);
    CHECK(CORBA_string_alloc(UINT32_MAX) == NULL);
}

static void test_system_exceptions(void)
{
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    CHECK(ev._major == CORBA_NO_EXCEPTION && CORBA_exception_id(&ev) == NULL);
    CHECK(CORBA_exception_value(&ev) == NULL && CORBA_exception_as_any(&ev) == NULL);

    CORBA_exception_set_system(&ev, ex_CORBA_COMM_FAILURE, CORBA_COMPLETED_MAYBE);
    CHECK(ev._major == CORBA_SYSTEM_EXCEPTION && strcmp(CORBA_exception_id(&ev), ex_CORBA_COMM_FAILURE) == 0);
    CHECK(((CORBA_COMM_FAILURE *)CORBA_exception_value(&ev))->completed == CORBA_COMPLETED_MAYBE);
    CHECK(CORBA_exception_as_any(&ev)->_type == TC_CORBA_COMM_FAILURE);

    /* What __alloc gave is taken over. */
    CORBA_SystemException *const given = whittle_corba_new(sizeof *given, 1, NULL);
    *given = (CORBA_SystemException){CORBA_OMGVMCID | 2, CORBA_COMPLETED_NO};
    CORBA_exception_set(&ev, CORBA_SYSTEM_EXCEPTION, ex_CORBA_TIMEOUT, given);
    CORBA_Environment moved = ev;
    CHECK(((CORBA_TIMEOUT *)CORBA_exception_value(&moved))->minor == (CORBA_OMGVMCID | 2));
    CHECK(CORBA_exception_as_any(&moved)->_value == &moved._system);

    CORBA_exception_set_system(&ev, "IDL:vendor.com/CORBA/ODD:1.0", CORBA_COMPLETED_YES);
    CHECK(strcmp(CORBA_exception_id(&ev), ex_CORBA_UNKNOWN) == 0);
    CORBA_exception_set(&ev, CORBA_NO_EXCEPTION, NULL, NULL);
    CHECK(ev._major == CORBA_NO_EXCEPTION);
    CORBA_exception_free(&ev);
}

static void test_user_exceptions(void)
{
    static const char id[] = "IDL:mail/Full:1.0";
    static const struct whittle_member members[] = {{"why", TC_CORBA_string, 0, 0}};
    static const struct CORBA_TypeCode_struct full = {
        .kind = CORBA_tk_except, .name = "Full", .repository_id = id, .count = 1, .members = members,
        .size = sizeof(CORBA_string), .alignment = _Alignof(CORBA_string), .release = whittle_release_string};
    CORBA_Environment *const ev = CORBA_Environment__alloc();
    CORBA_Environment copy;
    CORBA_exception_init(&copy);
    CORBA_string *value = whittle_corba_new(sizeof *value, 1, whittle_release_string);
    *value = CORBA_string_dup("no room");
    whittle_exception_user(ev, id, &full, value);
    CHECK(ev->_major == CORBA_USER_EXCEPTION && strcmp(CORBA_exception_id(ev), id) == 0);
    CHECK(CORBA_exception_as_any(ev)->_type == &full && CORBA_exception_value(ev) == value);

    CORBA_exception__copy(&copy, ev);
    CORBA_exception_free(ev);
    CHECK(ev->_major == CORBA_NO_EXCEPTION && copy._major == CORBA_USER_EXCEPTION);
    CHECK(strcmp(*(CORBA_string *)CORBA_exception_value(&copy), "no room") == 0);

    /* The latest is the one that counts; its own id may name it. */
    CORBA_exception_set(&copy, CORBA_USER_EXCEPTION, CORBA_exception_id(&copy), NULL);
    CHECK(CORBA_exception_value(&copy) == NULL && strcmp(CORBA_exception_id(&copy), id) == 0);
    CORBA_exception_set_system(&copy, ex_CORBA_MARSHAL, CORBA_COMPLETED_NO);
    CORBA_exception__copy(ev, &copy);
    CHECK(strcmp(CORBA_exception_id(ev), ex_CORBA_MARSHAL) == 0);
    CORBA_exception_free(&copy);
    CORBA_exception__copy(ev, &copy);
    CHECK(ev->_major == CORBA_NO_EXCEPTION);
    CORBA_exception_set(ev, CORBA_USER_EXCEPTION, id, NULL);
    CORBA_free(ev);
}

int main(void)
{
    test_deep_free();
    test_long_chains();
    test_threads();
    test_growth();
    test_freed_twice();
    test_strings();
    test_system_exceptions();
    test_user_exceptions();
    return 0;
}
