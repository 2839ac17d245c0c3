/* Interfaces in each style in one program, which serves and calls all of them: each file of the run time is linked once. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include "mapped.h"
#include "spoken.h"
#include "called.h"
#include "old.h"
#include "expect.h"

static int32_t summed(const int32_t *numbers, uint32_t count)
{
    int32_t sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += numbers[i];
    return sum;
}

/* CORBA's style. */
static CORBA_ORB orb;

static CORBA_long mapped_sum(PortableServer_Servant servant, const Mapped_numbers *numbers, CORBA_char **name, CORBA_Environment *ev)
{
    (void)servant, (void)ev;
    CORBA_free(*name);
    *name = CORBA_string_dup("mapped");
    return summed(numbers->_buffer, numbers->_length);
}
static void shut_down(PortableServer_Servant servant, CORBA_Environment *ev) { (void)servant, CORBA_ORB_shutdown(orb, CORBA_FALSE, ev); }
static PortableServer_ServantBase__epv base;
static POA_Mapped__epv functions = {.sum = mapped_sum, .shut_down = shut_down};
static POA_Mapped__vepv tables = {&base, &functions};
static POA_Mapped mapped = {NULL, &tables};

static void *run_orb(void *unused)
{
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    CORBA_ORB_run(orb, &ev);
    CORBA_exception_free(&ev);
    return unused;
}

static Mapped begin_orb(CORBA_Environment *ev)
{
    char *arguments[] = {(char *)"styles", (char *)"-ORBEndPoint", (char *)"giop:tcp:127.0.0.1:", NULL};
    int count = 3;
    orb = CORBA_ORB_init(&count, arguments, "", ev);
    PortableServer_POA const adapter = (PortableServer_POA)CORBA_ORB_resolve_initial_references(orb, "RootPOA", ev);
    POA_Mapped__init(&mapped, ev);
    CORBA_free(PortableServer_POA_activate_object(adapter, &mapped, ev));
    PortableServer_POAManager const manager = PortableServer_POA__get_the_POAManager(adapter, ev);
    PortableServer_POAManager_activate(manager, ev);
    Mapped const object = PortableServer_POA_servant_to_reference(adapter, &mapped, ev);
    CORBA_Object_release((CORBA_Object)manager, ev);
    CORBA_Object_release((CORBA_Object)adapter, ev);
    return object;
}

/* The plain style, over IIOP. */
static int serve_spoken(void *context, const struct Spoken_numbers *numbers, char **name, int32_t *result)
{
    free(*name);
    *name = strdup(context);
    *result = summed(numbers->items, numbers->length);
    return 0;
}
static const struct Spoken_operations spoken = {.sum = serve_spoken};
static void *run_iiop(void *server) { return whittle_iiop_server_run(server) == 0 ? NULL : server; }

/* The plain style, over ONC RPC. */
static int serve_called(void *context, const struct sums *argument, struct sums *result)
{
    result->numbers.items = malloc(sizeof(int32_t));
    result->numbers.items[0] = summed(argument->numbers.items, argument->numbers.length);
    result->numbers.length = 1;
    result->name = strdup(context);
    return 0;
}
static const struct called_operations called = {.sum = serve_called};
static void *run_onc(void *server) { return whittle_onc_server_run(server) == 0 ? NULL : server; }

/* rpcgen's style. */
int *old_sum_1_svc(old_sums *argument, struct svc_req *request)
{
    static int result;
    (void)request;
    result = summed(argument->numbers.numbers_val, argument->numbers.numbers_len);
    return &result;
}

static int32_t numbers[] = {1, 20, 300};

static void call_mapped(Mapped object, CORBA_Environment *ev)
{
    Mapped_numbers const all = {3, 3, numbers, CORBA_FALSE};
    CORBA_char *name = CORBA_string_dup("nobody");
    EXPECT(Mapped_sum(object, &all, &name, ev) == 321 && strcmp(name, "mapped") == 0);
    CORBA_free(name);
}

static void call_spoken(struct whittle_iiop_client *client)
{
    struct Spoken_numbers const all = {3, numbers};
    char *name = strdup("nobody");
    int32_t sum = 0;
    EXPECT(Spoken_sum(client, &all, &name, &sum) == 0 && sum == 321 && strcmp(name, "spoken") == 0);
    free(name);
}

static void call_called(struct whittle_onc_client *client)
{
    struct sums const all = {{3, numbers}, (char *)"nobody"};
    struct sums result;
    EXPECT(called_sum(client, &all, &result) == 0 && result.numbers.items[0] == 321 && strcmp(result.name, "called") == 0);
    sums_free(&result);
}

/* What is encoded and called as libtirpc's programs do it; nobody serves it here. */
static void call_old(void)
{
    old_sums all = {{3, numbers}}, got = {{0, NULL}};
    char bytes[64];
    XDR xdrs;
    xdrmem_create(&xdrs, bytes, sizeof bytes, XDR_ENCODE);
    EXPECT(xdr_old_sums(&xdrs, &all) && xdr_getpos(&xdrs) == 16);
    xdrmem_create(&xdrs, bytes, sizeof bytes, XDR_DECODE);
    EXPECT(xdr_old_sums(&xdrs, &got) && got.numbers.numbers_len == 3 && got.numbers.numbers_val[2] == 300);
    xdr_free((xdrproc_t)xdr_old_sums, (char *)&got);
    EXPECT(clnt_create("127.0.0.1", OLD, OLD_VERSION, "no transport") == NULL);
}

/* Either style's client reaches the other's object. */
static void meet(Mapped object, const char *reference, CORBA_Environment *ev)
{
    CORBA_char *const text = CORBA_ORB_object_to_string(orb, object, ev);
    struct whittle_iiop_client *const client = whittle_iiop_client_open(text, NULL, NULL);
    EXPECT(client != NULL && whittle_iiop_client_is_a(client, "IDL:Mapped:1.0") == 1 && whittle_iiop_client_is_a(client, SPOKEN_ID) == 0);
    whittle_iiop_client_close(client);
    CORBA_free(text);
    CORBA_Object const other = CORBA_ORB_string_to_object(orb, reference, ev);
    EXPECT(CORBA_Object_is_a(other, SPOKEN_ID, ev) && !CORBA_Object_is_a(other, "IDL:Mapped:1.0", ev));
    CORBA_Object_release(other, ev);
}

/* Programs that have a main of their own say what this one is called. */
#ifndef MAIN
#define MAIN main
#endif
int MAIN(void)
{
    pthread_t threads[3];
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    Mapped const object = begin_orb(&ev);
    struct whittle_iiop_server *const iiop = whittle_iiop_server_new(NULL);
    struct whittle_onc_server *const onc = whittle_onc_server_new(NULL);
    if (ev._major != CORBA_NO_EXCEPTION || Spoken_serve(iiop, &spoken, (char *)"spoken") != 0 || whittle_iiop_server_listen(iiop, "127.0.0.1") != 0)
        return 1;
    if (called_serve(onc, &called, (char *)"called") != 0 || whittle_onc_server_listen(onc, "tcp://127.0.0.1") != 0)
        return 1;
    pthread_create(&threads[0], NULL, run_orb, NULL);
    pthread_create(&threads[1], NULL, run_iiop, iiop);
    pthread_create(&threads[2], NULL, run_onc, onc);
    struct whittle_iiop_client *const of_iiop = whittle_iiop_client_open(whittle_iiop_server_reference(iiop, 0), NULL, NULL);
    struct whittle_onc_client *const of_onc = whittle_onc_client_open(whittle_onc_server_address(onc, 0), NULL, NULL);
    for (int round = 0; round < 3; round++) {
        call_mapped(object, &ev);
        call_spoken(of_iiop);
        call_called(of_onc);
        call_old();
        meet(object, whittle_iiop_server_reference(iiop, 0), &ev);
    }
    whittle_onc_client_close(of_onc);
    whittle_iiop_client_close(of_iiop);
    /* The plain style's end is not the ORB's. */
    call_mapped(object, &ev);
    Mapped_shut_down(object, &ev);
    EXPECT(ev._major == CORBA_NO_EXCEPTION);
    whittle_iiop_server_stop(iiop);
    whittle_onc_server_stop(onc);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    whittle_iiop_server_free(iiop);
    whittle_onc_server_free(onc);
    CORBA_Object_release(object, &ev);
    CORBA_ORB_destroy(orb, &ev);
    CORBA_Object_release((CORBA_Object)orb, &ev);
    CORBA_exception_free(&ev);
    return failures == 0 ? 0 : 1;
}
