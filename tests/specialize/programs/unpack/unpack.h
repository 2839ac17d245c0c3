#include <stddef.h>
#include <stdint.h>

/* Formats begin with `<` or `>` for the order of bytes. B, H, I, Q: unsigned numbers of 1, 2, 4, 8 bytes; b, h, i, q: signed ones;
   x: a byte that is skipped; s: bytes as they are. A number before a letter repeats it, or is the length for s. */
union unpacked {
    uint64_t number;
    int64_t integer;
    const unsigned char *bytes;
};

/* The size of what a format describes, or -1. */
long unpack_size(const char *format);
/* The number of values, or -1 for bad formats, too few bytes or too little room. */
int unpack(const char *format, const unsigned char *data, size_t size, union unpacked *values, int room);

struct entry {
    uint32_t number;
    uint16_t kind, flags;
    uint64_t offset;
    int32_t delta;
    char tag[4];
};

int read_entry(const unsigned char *data, size_t size, struct entry *entry);
