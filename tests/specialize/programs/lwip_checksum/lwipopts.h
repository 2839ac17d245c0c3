/* lwIP without a system: only what packets and checksums need. */
#define NO_SYS 1
#define LWIP_SOCKET 0
#define LWIP_NETCONN 0
#define SYS_LIGHTWEIGHT_PROT 0
#define LWIP_PROVIDE_ERRNO 0
#define LWIP_STATS 0
#define LWIP_TCP 0
#define MEM_LIBC_MALLOC 1
#define MEMP_MEM_MALLOC 1
