unsigned long adler_of_20(const unsigned char *text);
unsigned long adler_of_9(unsigned long so_far, const unsigned char *text);
unsigned long adler_joined(unsigned long first, unsigned long second);     /* the second is of 1000 bytes */
