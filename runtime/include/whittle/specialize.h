/* What C cannot say of a scenario: which function to specialize, and what is known where it runs. Without whittle the
 * annotations expand to nothing, and the scenario is the original program. MIT-0. */
#ifndef WHITTLE_SPECIALIZE_H
#define WHITTLE_SPECIALIZE_H

#ifdef __WHITTLE__

/* Before a function's definition: specialize it. Its parameters are dynamic. */
#define WHITTLE_SPECIALIZE __attribute__((annotate("whittle-specialize")))

/* The condition holds, as a rule: the residual code tests it once, and calls the general code where it does not. To
 * stand first in the function, before anything is written or called. */
#define WHITTLE_FACT(condition) whittle_scenario_fact(condition)

/* The condition holds, on your word: nothing is tested. */
#define WHITTLE_ASSUME(condition) whittle_scenario_assume(condition)

/* The condition holds more often than not: both ways are specialized, under one test. */
#define WHITTLE_USUALLY(condition) whittle_scenario_usually(condition)

/* A contract: the value must be known here, else whittle stops and says why it is not. */
#define WHITTLE_STATIC(value) whittle_scenario_static((long long)(value))

/* On your word: what the pointer points to is reached through no other pointer but those that the code makes of it in variables,
 * functions that are not handed the pointer leave it alone, and it is no constant: the residual code may store what is there already. */
#define WHITTLE_PRIVATE(pointer) whittle_scenario_private(pointer)

/* A function that whittle cannot look into returns this number more often than not: what follows its calls is
 * specialized for that, beside the general case, under one test. */
#define WHITTLE_USUALLY_RETURNS(function, number) whittle_scenario_returns(#function, number)

/* From here on, what the variable holds counts as unknown, though it could be known: a counter whose loop is not to be
 * unrolled, for one. */
#define WHITTLE_DYNAMIC(variable) whittle_scenario_dynamic(&(variable), sizeof(variable))

/* From here on, calls of the function stay as they are: it pays to share its code. */
#define WHITTLE_GENERAL(function) whittle_scenario_general(#function)

void whittle_scenario_fact(int holds);
void whittle_scenario_assume(int holds);
void whittle_scenario_usually(int holds);
void whittle_scenario_static(long long value);
void whittle_scenario_private(const volatile void *pointer);
void whittle_scenario_returns(const char *function, long long number);
void whittle_scenario_dynamic(const volatile void *variable, unsigned long size);
void whittle_scenario_general(const char *function);

#else

#define WHITTLE_SPECIALIZE
#define WHITTLE_FACT(condition) ((void)0)
#ifdef WHITTLE_HARNESS
/* A differential harness leaves out what breaks an assumption. */
static void whittle_harness_unfit(void);
#define WHITTLE_ASSUME(condition) ((condition) ? (void)0 : whittle_harness_unfit())
#else
#define WHITTLE_ASSUME(condition) ((void)0)
#endif
#define WHITTLE_USUALLY(condition) ((void)0)
#define WHITTLE_STATIC(value) ((void)0)
#define WHITTLE_PRIVATE(pointer) ((void)0)
#define WHITTLE_USUALLY_RETURNS(function, number) ((void)0)
#define WHITTLE_DYNAMIC(variable) ((void)0)
#define WHITTLE_GENERAL(function) ((void)0)

#endif
#endif
