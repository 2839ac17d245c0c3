#define LONGEST 255
