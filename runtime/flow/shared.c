#include "link.h"
bool whittle_shared_open(struct whittle_link *link){(void)link;return false;}
void whittle_shared_close(struct whittle_link *link){(void)link;}
bool whittle_shared_pass(struct whittle_link *link, int fd, const struct whittle_start *start){(void)link;(void)fd;(void)start;return false;}
bool whittle_shared_send(struct whittle_link *link, const void *elsewhere, uint64_t born){(void)link;(void)elsewhere;(void)born;return false;}
void whittle_shared_drain(struct whittle_link *link){(void)link;}
void whittle_shared_end(struct whittle_link *link){(void)link;}
enum whittle_have whittle_shared_look(struct whittle_link *link, const void **packet){(void)link;(void)packet;return WHITTLE_OVER;}
void whittle_shared_sleep(struct whittle_link *link){(void)link;}
bool whittle_shared_may_sleep(struct whittle_link *link){(void)link;return true;}
void whittle_shared_hear(struct whittle_link *link, bool wait){(void)link;(void)wait;}
