/* What a test has said is not tested again: that a number is none of some, how a place stands to an end, how many elements are left, and that an
 * address is not null, whatever type it is seen as. What changes in between is.
 * Not in the residual: "never"
 */
#include <stddef.h>
#include <string.h>
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

struct buffer {
    char *at, *end;
    int error;
};

static void put(struct buffer *own, char letter)
{
    if (own->at < own->end) {
        if (own->error)
            law_output("never", own->error);
        *own->at++ = letter;
    } else {
        own->error = 1;
    }
}

static int kind(int letter)
{
    switch (letter) {
    case 'a': return 1;
    case 'x': case 'y': return 2;
    case -3: return 3;
    default: break;
    }
    if (letter == 'a' || letter == 'y' || letter == -3)
        law_output("never", letter);
    if ((letter & 0x7fffffff) == 'x' && letter > 0)
        law_output("never", letter);
    return letter + 1 == 'b' ? 5 : 4;
}

struct head { short type, length; };

static const void *pull(const unsigned char **at, const unsigned char *end, size_t size)
{
    const void *found = *at;
    if ((size_t)(end - *at) < size)
        return NULL;
    *at += size;
    return found;
}

static int parse(const unsigned char *at, const unsigned char *end)
{
    const struct head *head;
    short type;
    if (!at)
        return -1;
    if (end < at)
        return -5;
    head = pull(&at, end, sizeof *head);
    if (!head)
        return end - at >= 4 ? (law_output("never", 0), 0) : -2;
    memcpy(&type, head, sizeof type);
    if (type == 7 && pull(&at, end, 2) == NULL)
        return -3;
    return (int)(end - at);
}

int main(void)
{
    static char text[16];
    static const unsigned char bytes[] = { 7, 0, 1, 2, 3, 4, 7, 0, 9, 9 };
    int room = (int)law_input(0, 2) & 7, letter = (int)law_input(1, 'b') & 0xff, from = (int)law_input(2, 0) & 7;
    int size = (int)law_input(3, 4) % 3 + from;
    struct buffer buffer = { text, text + room, 0 };

    put(&buffer, 'a');
    put(&buffer, (char)letter);
    put(&buffer, 'c');
    put(&buffer, 'd');
    law_output("error", buffer.error);
    law_output("length", buffer.at - text);
    law_output("text", text[0] * 256 + text[2]);
    law_output("kind", kind(letter == 200 ? -3 : letter));
    law_output("parsed", parse(bytes + from, bytes + size));
    law_output("rest", parse(size & 1 ? bytes : NULL, bytes + sizeof bytes));
    if (letter != 'q' && letter != 'r')
        law_output("other", letter == 'q' ? 1 : letter == 'r' ? 2 : 3);
    while (letter != 'q') {
        letter = (letter * 5 + 1) & 0xff;
        if (letter == 'r')
            break;
    }
    law_output("letter", letter);
    return 0;
}
