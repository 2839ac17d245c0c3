#include <string.h>
#include <whittle/specialize.h>
#include "http_parser.h"
#include "request.h"

static int url(http_parser *parser, const char *at, size_t length)
{
    struct request *request = parser->data;
    request->url_length += (unsigned)length;
    request->mixed = request->mixed * 5 + (unsigned char)at[0];
    return 0;
}

static int field(http_parser *parser, const char *at, size_t length)
{
    struct request *request = parser->data;
    request->headers++;
    request->field_length += (unsigned)length;
    request->mixed = request->mixed * 5 + (unsigned char)at[0];
    return 0;
}

static int value(http_parser *parser, const char *at, size_t length)
{
    struct request *request = parser->data;
    request->value_length += (unsigned)length;
    request->mixed = request->mixed * 5 + (length ? (unsigned char)at[0] : 1);
    return 0;
}

static int body(http_parser *parser, const char *at, size_t length)
{
    struct request *request = parser->data;
    request->body_length += length;
    request->mixed = request->mixed * 5 + (unsigned char)at[length - 1];
    return 0;
}

static int complete(http_parser *parser)
{
    struct request *request = parser->data;
    request->keeps_alive = http_should_keep_alive(parser);
    return 0;
}

static const http_parser_settings settings = {
    .on_url = url, .on_header_field = field, .on_header_value = value, .on_body = body, .on_message_complete = complete,
};

WHITTLE_SPECIALIZE
size_t read_request(const char *text, size_t length, struct request *request)
{
    http_parser parser;
    http_parser_init(&parser, HTTP_REQUEST);
    parser.data = request;
    memset(request, 0, sizeof *request);
    const size_t done = http_parser_execute(&parser, &settings, text, length);
    request->method = parser.method;
    request->major = parser.http_major;
    request->minor = parser.http_minor;
    request->error = parser.http_errno;
    return done;
}
