/* What CORBA's values want of a C library, for tasks of one thread. */
#ifndef ALONE_H
#define ALONE_H
#define __thread
#endif
