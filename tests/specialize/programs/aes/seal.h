enum { BLOCK = 16 };

int seal(const unsigned char *vector, const unsigned char *input, unsigned char *output);
