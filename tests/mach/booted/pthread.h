/* Threads, for tasks of one. */
#ifndef PTHREAD_H
#define PTHREAD_H
typedef int pthread_key_t;
typedef int pthread_once_t;
#define PTHREAD_ONCE_INIT 0
static inline int pthread_key_create(pthread_key_t *key, void (*end)(void *)) { return *key = 0, (void)end, 0; }
static inline int pthread_setspecific(pthread_key_t key, const void *value) { return (void)key, (void)value, 0; }
static inline int pthread_once(pthread_once_t *once, void (*begin)(void))
{
    if (*once == 0)
        *once = 1, begin();
    return 0;
}
#endif
