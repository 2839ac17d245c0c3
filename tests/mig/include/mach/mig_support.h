#ifndef MACH_MIG_SUPPORT
#define MACH_MIG_SUPPORT
#include <stddef.h>
#include <mach/mach_types.h>
void *memcpy(void *to, const void *from, size_t size);
size_t strlen(const char *text);
mach_port_t mig_get_reply_port(void);
void mig_put_reply_port(mach_port_t port);
void mig_dealloc_reply_port(mach_port_t port);
void mig_allocate(vm_address_t *address, vm_size_t size);
void mig_deallocate(vm_address_t address, vm_size_t size);
vm_size_t mig_strncpy(char *to, const char *from, vm_size_t size);
#endif
