/* `heirs REFERENCE` sends values to who knows only their base, with others in them and behind them, and shuts the server down. */
#include "heirs.h"
#include <stdio.h>

static Heirs_Inner inner(const char *text)
{
    Heirs_Inner const inner = Heirs_Inner__alloc();
    inner->text = CORBA_string_dup(text);
    return inner;
}

static Heirs_Heir heir(CORBA_long number)
{
    if (number == 0)
        return NULL;
    Heirs_Heir const made = Heirs_Heir__alloc();
    made->number = number;
    made->name = CORBA_string_dup("a name of odd length");
    made->inside = number % 2 == 0 ? NULL : inner("inside");
    made->much = 0.5;
    made->other = number % 3 == 0 ? NULL : inner("behind");
    made->next = heir(number - 1);
    return made;
}

int main(int argc, char **argv)
{
    CORBA_Environment ev;
    CORBA_exception_init(&ev);
    CORBA_ORB orb = CORBA_ORB_init(&argc, argv, "", &ev);
    Heirs_Scale scale = CORBA_ORB_string_to_object(orb, argv[1], &ev);
    CORBA_long expected = 1000, weight;
    Heirs_Several given = {5, 5, Heirs_Several_allocbuf(5), CORBA_TRUE};
    for (CORBA_long i = 0; i < 5; i++) {
        given._buffer[i] = heir(i);
        expected += i * (i + 1);
    }
    Heirs_Heir one = heir(7);
    weight = Heirs_Scale_weigh(scale, &given, one, 1000, &ev);
    printf("%s, %d\n", ev._major == CORBA_NO_EXCEPTION ? "done" : CORBA_exception_id(&ev), (int)weight);
    const int failed = ev._major != CORBA_NO_EXCEPTION || weight != expected + 7 * 100;
    CORBA_exception_free(&ev);
    Heirs_Scale_shut_down(scale, &ev);
    CORBA_free(given._buffer), CORBA_free(one);
    CORBA_Object_release(scale, &ev);
    CORBA_ORB_destroy(orb, &ev);
    CORBA_Object_release((CORBA_Object)orb, &ev);
    return failed;
}
