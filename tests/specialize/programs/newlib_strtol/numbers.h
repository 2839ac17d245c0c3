enum { MOST = 16 };

int read_numbers(const char *text, long *numbers);
long read_hex(const char *text);
