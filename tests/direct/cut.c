/* A reply that ends at every place, in items that are looked at before they are whole: sanitizers see to it that nothing is looked at that is not there. */
#include "cut_client.c"

/* Two items, and one behind a pointer: the second begins where the first has taken what was counted for both. */
static const uint32_t words[] = {2, 0, 1, 4, 0x61626364, 0, 1, 4, 0x65666768, 1, 7, 0, 42};

int main(void)
{
    enum { COUNT = sizeof words / sizeof words[0] };
    for (size_t cut = 0; cut <= sizeof words; cut++) {
        struct heard heard;
        struct whittle_cut_listen_client_reply reply = {&heard};
        char *const message = (char *)malloc(sizeof words);
        if (message == NULL)
            return 1;
        for (size_t index = 0; index < COUNT; index++)
            whittle_put32(message + 4 * index, words[index]);
        struct whittle_xdr_in in = {.end = message + cut};
        memset(&heard, 0, sizeof heard);
        const char *const end = decode_whittle_cut_listen_client_reply(&in, message, &reply);
        if ((end != NULL) != (cut == sizeof words) || (end != NULL && (heard.all.length != 2 || heard.last->u.number != 42)))
            return 2;
        heard_free(&heard);
        free(message);
    }
    return 0;
}
