#include <stdint.h>

struct key {
    uint32_t source, target;
    uint16_t source_port, target_port;
    uint32_t protocol;
    uint8_t more[28];
};
uint64_t hash_key(const struct key *key);
uint32_t hash_short(const struct key *key);
