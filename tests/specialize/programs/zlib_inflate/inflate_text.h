/* Unpacks one block of the fixed codes that lies behind its header of 3 bits: how many bytes come out, or -1. `room` is 258 or more. */
int inflate_block(const unsigned char *packed, unsigned size, unsigned char *text, unsigned room);
int block(const unsigned char *packed, unsigned size, unsigned char *text, unsigned room);
