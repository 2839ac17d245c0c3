/* Hand-written XDR marshalling of Flick's three workloads. */
#ifndef HAND_MARSHAL_H
#define HAND_MARSHAL_H
#include <stddef.h>
#include <stdint.h>

struct hand_dirent { char *name; int32_t fields[30]; unsigned char tag[16]; };

/* Before anything else; `scalar`: without wide instructions. */
void hand_init(int scalar);

/* Integers, or rectangles as four words each. Returns bytes written; 0: there is no room. */
size_t hand_encode_words(char *out, size_t room, const int32_t *v, uint32_t count, uint32_t words_each);
size_t hand_encode_dirents(char *out, size_t room, const struct hand_dirent *v, uint32_t count);

/* Returns the words, malloc'ed, or NULL. */
int32_t *hand_decode_words(const char *in, size_t size, uint32_t *count, uint32_t words_each);
/* The same for whoever wants a value in one structure, as a stub's caller has it: whether it is there. */
struct hand_words { uint32_t count; int32_t *items; };
int hand_decode_words_into(const char *in, size_t size, struct hand_words *v, uint32_t words_each);
void hand_free_words(struct hand_words *v);
/* Returns the words, which stay in the message and are turned round there, or NULL. */
int32_t *hand_decode_words_in_place(char *in, size_t size, uint32_t *count, uint32_t words_each);

/* Returns the entries, each name malloc'ed, or NULL. */
struct hand_dirent *hand_decode_dirents(const char *in, size_t size, uint32_t *count);
void hand_free_dirents(struct hand_dirent *v, uint32_t count);
/* Entries in storage that the caller keeps, names in the message. Returns how many, or -1. */
ptrdiff_t hand_decode_dirents_in_place(char *in, size_t size, struct hand_dirent *v, uint32_t most);

#endif
