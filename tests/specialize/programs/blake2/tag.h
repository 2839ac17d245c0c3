enum { MESSAGE = 40, TAG = 16 };

int tag_message(unsigned char *tag, const unsigned char *message);
