/* Two libraries' routines in one program. */
#ifndef VALUES_H
#define VALUES_H
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
size_t ours_encode(char *to, size_t room);
size_t theirs_encode(char *to, size_t room);
size_t ours_encode_to_file(FILE *file);
size_t theirs_encode_to_file(FILE *file);
bool ours_decode(const char *from, size_t size, bool *decoded);
bool theirs_decode(const char *from, size_t size, bool *decoded);
bool ours_decode_file(FILE *file, bool *decoded);
bool theirs_decode_file(FILE *file, bool *decoded);
#endif
