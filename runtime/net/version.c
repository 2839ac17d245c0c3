/* SPDX-License-Identifier: MIT-0 */
/* The symbol that distinguishes one version of the run time from another: version.h. */
#include "version.h"

const int whittle_runtime_version_2 = WHITTLE_RUNTIME_VERSION;
