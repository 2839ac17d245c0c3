/* Mach's calls, as the kernel's test library has them. */
#ifndef BOOTED_MACH_H
#define BOOTED_MACH_H
#include <mach/mach_types.h>
#include <mach/message.h>
#include <syscalls.h>
#include <mach.user.h>
#include <mach_port.user.h>
#endif
