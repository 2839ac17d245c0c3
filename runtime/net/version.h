/* SPDX-License-Identifier: MIT-0 */
/*
 * The version of the run time. Generated code says which it was made for, and does not compile with headers of another; whatever
 * includes these headers does not link with another's run time, whose symbol has another name: a linker that leaves out what nobody
 * calls (--gc-sections) is to look for it, too.
 */
#ifndef WHITTLE_RUNTIME_VERSION
#define WHITTLE_RUNTIME_VERSION 2
extern const int whittle_runtime_version_2;
#ifdef __has_attribute
#if __has_attribute(retain)
__attribute__((retain))
#endif
#endif
__attribute__((used)) static const int *const whittle_runtime_version_is = &whittle_runtime_version_2;
#elif WHITTLE_RUNTIME_VERSION != 2
#error "headers of two versions of whittle's run time are included together: this one is of version 2"
#endif
