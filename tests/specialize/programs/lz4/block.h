enum { BLOCK = 512, MOST = 600 };

int unpack_block(const char *packed, int size, char *block);
