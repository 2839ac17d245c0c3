/* SPDX-License-Identifier: MIT-0 */
/* What the tests' servers do: context is a struct sample_servant. */
#include "sample.h"
#include <time.h>

static struct sample_servant *counted(void *context)
{
    struct sample_servant *const servant = (struct sample_servant *)context;
    __atomic_fetch_add(&servant->calls, 1, __ATOMIC_RELAXED);
    return servant;
}

static int add(void *context, int32_t left, int32_t right, int32_t *sum)
{
    counted(context);
    *sum = (int32_t)((uint32_t)left + (uint32_t)right);  /* hostile numbers overflow */
    return 0;
}

/* Each byte is to be what download gives. */
static int upload(void *context, const char *bytes, uint32_t size, uint32_t *count)
{
    counted(context);
    for (uint32_t index = 0; index < size; index += 997)
        if ((uint8_t)bytes[index] != index % 251)
            return WHITTLE_ONC_SYSTEM_ERROR;
    *count = size;
    return 0;
}

static int download(void *context, uint32_t size, const char **bytes)
{
    enum { MOST = 8 * 1024 * 1024 };
    static char all[MOST];
    static bool filled;
    counted(context);
    if (size > MOST)
        return WHITTLE_ONC_SYSTEM_ERROR;
    if (!__atomic_exchange_n(&filled, true, __ATOMIC_RELAXED))
        for (uint32_t index = 0; index < MOST; index++)
            all[index] = (char)(index % 251);
    *bytes = all;
    return 0;
}

static int rest(void *context, uint32_t milliseconds)
{
    const struct timespec span = {(time_t)(milliseconds / 1000), (long)(milliseconds % 1000 * 1000000)};
    counted(context);
    nanosleep(&span, NULL);
    return 0;
}

static void note(void *context, int32_t number)
{
    __atomic_fetch_add(&counted(context)->sum, (uint32_t)number, __ATOMIC_RELAXED);
}

static int noted(void *context, uint32_t *sum)
{
    *sum = __atomic_load_n(&counted(context)->sum, __ATOMIC_RELAXED);
    return 0;
}

static int fail(void *context, int32_t status)
{
    counted(context);
    return status;
}

static int who(void *context, uint32_t *user)
{
    const struct whittle_onc_caller *const caller = whittle_onc_caller();
    counted(context);
    if (caller == NULL || caller->address == NULL)
        return WHITTLE_ONC_SYSTEM_ERROR;
    *user = caller->flavor * 1000000 + caller->identity.uid;
    return 0;
}

const struct sample_operations sample_servant_operations = {add, upload, download, rest, note, noted, fail, who};
