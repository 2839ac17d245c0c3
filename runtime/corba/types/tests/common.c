/* What the tests of CORBA's types share. An object here is a number, in messages as in memory. */
#include "common.h"
#include "../account.h"

struct CORBA_Object_struct {
    uint32_t kind;
    uint32_t number;
    int references;
};
int objects;

CORBA_Object an_object(uint32_t number)
{
    struct CORBA_Object_struct *const object = malloc(sizeof *object);
    *object = (struct CORBA_Object_struct){WHITTLE_PSEUDO_OBJECT, number, 1};
    objects++;
    return object;
}

CORBA_Object CORBA_Object_duplicate(CORBA_Object object, CORBA_Environment *ev);
CORBA_Object CORBA_Object_duplicate(CORBA_Object object, CORBA_Environment *ev)
{
    (void)ev;
    if (object != NULL) {
        object->references++;
        objects++;
    }
    return object;
}

CORBA_boolean CORBA_Object_is_equivalent(CORBA_Object object, CORBA_Object other, CORBA_Environment *ev);
CORBA_boolean CORBA_Object_is_equivalent(CORBA_Object object, CORBA_Object other, CORBA_Environment *ev)
{
    (void)ev;
    return object->number == other->number;
}

void whittle_release_object(void *place)
{
    CORBA_Object *const object = place;
    if (*object != NULL) {
        objects--;
        if (--(*object)->references == 0)
            free(*object);
    }
    *object = NULL;
}

char *whittle_cdr_out_object(struct whittle_cdr_out *out, char *at, const CORBA_Object *value)
{
    const uint32_t number = *value == NULL ? 0 : (*value)->number;
    at = whittle_cdr_out_align_and(out, at, 4, 4);
    if (at == NULL)
        return NULL;
    memcpy(at, &number, 4);
    return at + 4;
}

const char *whittle_cdr_in_object(struct whittle_cdr_in *in, const char *at, CORBA_Object *value, bool swapped)
{
    uint32_t number;
    at = whittle_cdr_in_align_and(in, at, 4, 4);
    if (at == NULL)
        return NULL;
    memcpy(&number, at, 4);
    number = swapped ? __builtin_bswap32(number) : number;
    *value = number == 0 ? NULL : an_object(number);
    return at + 4;
}

static char *grow(struct whittle_cdr_out *out, char *at, size_t more)
{
    struct message *const message = (struct message *)out;
    const size_t used = at == NULL ? 0 : (size_t)(at - out->base), room = used + more + 7;
    char *const storage = realloc(message->storage, message->skew + room);
    CHECK(storage != NULL);
    message->storage = storage;
    out->base = storage + message->skew;
    out->end = out->base + room;
    return out->base + used;
}

void message_begin(struct message *message, size_t skew)
{
    *message = (struct message){.out = {.grow = grow}, .skew = skew};
    message->at = grow(&message->out, NULL, 1);
}

size_t message_size(const struct message *message)
{
    CHECK(message->at != NULL);
    return (size_t)(message->at - message->out.base);
}

void message_end(struct message *message)
{
    free(message->storage);
}

bool host_is_little(void)
{
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
}

static char *put_word(char *at, uint64_t word, unsigned size, bool is_little)
{
    for (unsigned index = 0; index < size; index++)
        *at++ = (char)(word >> 8 * (is_little ? index : size - 1 - index));
    return at;
}

static char *put_text(char *at, const char *text, size_t length, bool is_little)
{
    at = put_word(at, length + 1, 4, is_little);
    memcpy(at, text, length);
    at[length] = '\0';
    return at + length + 1;
}

size_t bytes_of(const char *text, bool is_little, char *bytes, size_t room)
{
    char *at = bytes;
    bool outside[8];
    int depth = 0;
    while (*text != '\0') {
        CHECK((size_t)(at - bytes) + 300 < room);
        char *end = (char *)text + 1;
        if (*text == 'w' || *text == 'h' || *text == 'q') {
            const uint64_t word = (uint64_t)strtoll(text + 1, &end, 10);
            at = put_word(at, word, *text == 'h' ? 2 : *text == 'w' ? 4 : 8, is_little);
        } else if (*text == '"') {
            end = strchr(text + 1, '"');
            at = put_text(at, text + 1, (size_t)(end - text) - 1, is_little);
            end++;
        } else if (*text == 'o') {
            *at++ = is_little;
        } else if (*text == 'L' || *text == 'B') {
            outside[depth++] = is_little;
            is_little = *text == 'L';
            *at++ = is_little;
        } else if (*text == '<') {
            is_little = outside[--depth];
        } else if (*text == '.') {
            *at++ = 0;
        } else if (*text != ' ' && *text != '\n') {
            const char pair[3] = {text[0], text[1], '\0'};
            *at++ = (char)strtoul(pair, &end, 16);
            CHECK(end == pair + 2);
            end = (char *)text + 2;
        }
        text = end;
    }
    return (size_t)(at - bytes);
}

char *exactly(const char *bytes, size_t size)
{
    char *const copy = malloc(size == 0 ? 1 : size);
    memcpy(copy, bytes, size);
    return copy;
}

void check_bytes(const struct message *message, const char *text)
{
    static char bytes[65536];
    const size_t size = bytes_of(text, host_is_little(), bytes, sizeof bytes);
    const size_t there = message_size(message);
    if (there == size && memcmp(message->out.base, bytes, size) == 0)
        return;
    fprintf(stderr, "expected %s\ngot      ", text);
    for (size_t index = 0; index < there; index++)
        fprintf(stderr, "%02x%s", (unsigned char)message->out.base[index], index % 4 == 3 ? " " : "");
    fprintf(stderr, "\n");
    abort();
}

struct whittle_cdr_in reads(const char *bytes, size_t size)
{
    return (struct whittle_cdr_in){.base = bytes, .end = bytes + size, .allocate = whittle_corba_allocate};
}

static struct {
    void *item;
    void (*release)(void *item);
} later[100000];
static size_t waiting;

static void *serve_allocate(struct whittle_cdr_in *in, size_t size, uint32_t count, void (*release)(void *item))
{
    void *const storage = whittle_corba_allocate(in, size, count, NULL);
    (void)release;
    return whittle_cdr_in_later(in, storage, CORBA_free) ? storage : NULL;
}

/* Storage that goes with the message, as a server's requests have it: CORBA_free leaves it alone. */
static void *serve_block(struct whittle_account *account, size_t bytes)
{
    void *const block = malloc(bytes);
    (void)account;
    CHECK(waiting < sizeof later / sizeof later[0]);
    later[waiting].item = block;
    later[waiting++].release = free;
    return block;
}

struct whittle_cdr_in serves(const char *bytes, size_t size)
{
    static struct whittle_account lending;
    lending = (struct whittle_account){.left = SIZE_MAX / 2, .block = serve_block};
    return (struct whittle_cdr_in){.base = bytes, .end = bytes + size, .borrow = true, .allocate = serve_allocate, .account = &lending};
}

bool whittle_cdr_in_later(struct whittle_cdr_in *in, void *item, void (*release)(void *item))
{
    CHECK(in->borrow);
    CHECK(waiting < sizeof later / sizeof later[0]);
    later[waiting].item = item;
    later[waiting++].release = release;
    return true;
}

void serve_end(void)
{
    /* What is released, and then what it lay in. */
    for (size_t index = waiting; index-- > 0;)
        if (later[index].release != free)
            later[index].release(later[index].item);
    for (; waiting > 0; waiting--)
        if (later[waiting - 1].release == free)
            free(later[waiting - 1].item);
}
