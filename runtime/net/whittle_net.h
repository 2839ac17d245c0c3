/* SPDX-License-Identifier: MIT-0 */
/*
 * What protocols use of the network run time. Beside what is generated, or installed, it is one file, and the code another,
 * whittle_net.c: compiled once for all protocols and styles of a program.
 */
#ifndef WHITTLE_NET_H
#define WHITTLE_NET_H
#include "version.h"
#include "server.h"
#include "client.h"
#include "memory.h"
#include "lend.h"
#include "local_name.h"
#include "sealed.h"
#endif
