/* Made by a build; sqlite printf.c needs none of it. */
#define TK_INTEGER 1
