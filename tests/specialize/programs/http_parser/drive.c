#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "request.h"

enum { TEXTS = 16, LONGEST = 2000 };
static char texts[TEXTS][LONGEST];
static size_t lengths[TEXTS];

static const char *pick(const char *const *words, int count)
{
    return words[rand() % count];
}

void prepare(unsigned seed)
{
    static const char *const methods[] = {"GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PROPFIND", "PATCH", "GOT"};
    static const char *const paths[] = {"/", "/index.html", "/a/b/c?d=e&f=g", "/search?q=some+words#part", "*", "http://host.example:8080/x"};
    static const char *const headers[] = {
        "Host: example.org", "User-Agent: driver/1.0 (a; b)", "Accept: text/html, text/plain;q=0.5", "Connection: keep-alive", "Connection: close",
        "Cookie: a=b; c=d", "X-Empty:", "Cache-Control:   no-cache  ", "Upgrade-Insecure-Requests: 1", "Accept-Encoding: gzip, deflate",
    };
    srand(seed + 1);
    for (int n = 0; n < TEXTS; n++) {
        char *text = texts[n];
        int at = sprintf(text, "%s %s HTTP/1.%d\r\n", pick(methods, 9 - (rand() % 4 != 0)), pick(paths, 6), rand() % 2);
        for (int count = rand() % 9; count > 0; count--)
            at += sprintf(text + at, "%s\r\n", pick(headers, 10));
        const int kind = rand() % 4, size = rand() % 100;
        if (kind == 0) {
            at += sprintf(text + at, "Content-Length: %d\r\n\r\n%.*s", size, size,
                          "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789");
        } else if (kind == 1) {
            at += sprintf(text + at, "Transfer-Encoding: chunked\r\n\r\n");
            for (int count = rand() % 3; count > 0; count--)
                at += sprintf(text + at, "%x\r\n%.*s\r\n", 1 + size % 16, 1 + size % 16, "0123456789abcdefghij");
            at += sprintf(text + at, "0\r\n\r\n");
        } else {
            at += sprintf(text + at, "\r\n");
        }
        if (rand() % 8 == 0)
            text[rand() % at] = (char)(rand() % 256);
        lengths[n] = (size_t)at;
    }
}

unsigned long drive(void)
{
    unsigned long sum = 0;
    for (int n = 0; n < TEXTS; n++) {
        struct request request;
        sum = 3 * sum + read_request(texts[n], lengths[n], &request);
        sum = 3 * sum + request.method + request.major + request.minor + request.headers + 7 * request.error;
        sum = 3 * sum + request.url_length + 5 * request.field_length + 7 * request.value_length + request.mixed + request.body_length;
        sum = 3 * sum + (unsigned long)request.keeps_alive;
    }
    return sum;
}
