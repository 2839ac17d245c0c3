/* A stand-in for Mach's calls, for tests: kernel.c has them, in one process, for one task. */
#ifndef MACH_H
#define MACH_H
#include <mach/mach_types.h>
#include <mach/message.h>
#include <mach/notify.h>

mach_port_t mach_task_self(void);
mach_port_t mach_reply_port(void);
kern_return_t mach_port_allocate(mach_port_t task, unsigned right, mach_port_t *name);
kern_return_t mach_port_deallocate(mach_port_t task, mach_port_t name);
kern_return_t mach_port_mod_refs(mach_port_t task, mach_port_t name, unsigned right, int delta);
kern_return_t mach_port_insert_right(mach_port_t task, mach_port_t name, mach_port_t port, unsigned kind);
kern_return_t mach_port_move_member(mach_port_t task, mach_port_t member, mach_port_t set);
kern_return_t vm_allocate(mach_port_t task, vm_address_t *address, vm_size_t size, boolean_t anywhere);
kern_return_t vm_deallocate(mach_port_t task, vm_address_t address, vm_size_t size);

/* The test's own: sees, and may change, each message that was sent, before it is received. */
extern void (*mach_transit)(mach_msg_header_t *header);
/* How many rights and regions of memory there are. */
unsigned mach_left(void);
#endif
