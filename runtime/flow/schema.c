/* SPDX-License-Identifier: MIT-0 */
/*
 * What differs between the packets of two ends. In: the schema of this end's type, and as much of the other's as was sent. Out: a message
 * that shows the field of each that is another. A schema is a line with the encoding's name, and S-expressions; how they are broken
 * into lines says nothing. Source: `crates/present/src/flow/schema.rs`.
 */
#include "internal.h"
#include <string.h>

enum { WHITTLE_FLOW_SCHEMA_DEPTH = 32, WHITTLE_FLOW_SCHEMA_SHOWN = 120 };

void whittle_flow_schema_write(const struct whittle_flow_type *type, char schema[WHITTLE_FLOW_SCHEMA_MOST])
{
    snprintf(schema, WHITTLE_FLOW_SCHEMA_MOST, "%s", type->schema != NULL ? type->schema : "");
}

/* A text, and where the forms begin in it that are open at a place. */
struct whittle_flow_schema_reader {
    const char *text, *token, *next;
    const char *open[WHITTLE_FLOW_SCHEMA_DEPTH];
    size_t depth;
};

/* Steps to the next token: a parenthesis, a text, or a word. Of no bytes at the end. */
static size_t whittle_flow_schema_step(struct whittle_flow_schema_reader *reader)
{
    const char *at = reader->next + strspn(reader->next, " \n");
    reader->token = at;
    if (*at == '"') {
        for (at++; *at != '"' && *at != '\0'; at++)
            at += *at == '\\' && at[1] != '\0';
        at += *at == '"';
    } else if (*at == '(' || *at == ')')
        at++;
    else
        at += strcspn(at, " \n()\"");
    reader->next = at;
    return (size_t)(at - reader->token);
}

/* The token is the same at both ends: goes into its form, or out of it. False: too deep to be followed. */
static bool whittle_flow_schema_pass(struct whittle_flow_schema_reader *reader)
{
    if (*reader->token == ')' && reader->depth > 0)
        reader->depth--;
    else if (*reader->token == '(') {
        if (reader->depth == WHITTLE_FLOW_SCHEMA_DEPTH)
            return false;
        reader->open[reader->depth++] = reader->token;
    }
    return true;
}

static bool whittle_flow_schema_holds_fields(const char *form)
{
    return strncmp(form, "(struct", 7) == 0 || strncmp(form, "(union", 6) == 0;
}

/* The innermost field around the token; where none is, the token's own form. */
static const char *whittle_flow_schema_field(const struct whittle_flow_schema_reader *reader)
{
    for (size_t depth = reader->depth; depth > 1; depth--)
        if (whittle_flow_schema_holds_fields(reader->open[depth - 2]))
            return reader->open[depth - 1];
    return reader->token;
}

/* The form that begins there, on one line; of a long one the beginning. */
static void whittle_flow_schema_show(const char *form, char shown[WHITTLE_FLOW_SCHEMA_SHOWN])
{
    struct whittle_flow_schema_reader reader = {.next = form};
    size_t length = 0, depth = 0;
    do {
        const size_t bytes = whittle_flow_schema_step(&reader);
        if (bytes == 0 || (depth == 0 && *reader.token == ')'))
            break;
        depth += *reader.token == '(' ? 1u : 0u;
        depth -= *reader.token == ')' ? 1u : 0u;
        const bool apart = length > 0 && shown[length - 1] != '(' && *reader.token != ')';
        if (length + bytes + 6 > WHITTLE_FLOW_SCHEMA_SHOWN) {   /* with a blank before it, and the end of what is too long behind it */
            memcpy(shown + length, " ...", 4);
            length += 4;
            break;
        }
        if (apart)
            shown[length++] = ' ';
        memcpy(shown + length, reader.token, bytes);
        length += bytes;
    } while (depth > 0);
    shown[length] = '\0';
    if (length == 0)
        snprintf(shown, WHITTLE_FLOW_SCHEMA_SHOWN, "no such field");
}

/* Both readers at what differs. False: nothing does, as far as can be seen. */
static bool whittle_flow_schema_compare(struct whittle_flow_schema_reader *one, struct whittle_flow_schema_reader *other)
{
    for (;;) {
        const size_t bytes = whittle_flow_schema_step(one), others = whittle_flow_schema_step(other);
        if (*other->next == '\0' && strlen(other->text) + 1 == WHITTLE_FLOW_SCHEMA_MOST)
            return false;   /* the rest was not sent */
        if (bytes != others || memcmp(one->token, other->token, bytes) != 0)
            return true;
        if (bytes == 0 || !whittle_flow_schema_pass(one) || !whittle_flow_schema_pass(other))
            return false;
    }
}

/* verbs: what the other end does with its packets, and this one. */
void whittle_flow_schema_differs(const struct whittle_flow_type *type, uint64_t other, const char *other_name, const char schema[WHITTLE_FLOW_SCHEMA_MOST],
    const char *verbs[2], char *why, size_t room)
{
    char name[64], text[WHITTLE_FLOW_SCHEMA_MOST], shown[2][WHITTLE_FLOW_SCHEMA_SHOWN];
    whittle_flow_clean(other_name, 64, name);
    for (size_t n = 0; n < sizeof text; n++)
        text[n] = (char)((schema[n] >= ' ' && schema[n] < 127) || schema[n] == '\n' || schema[n] == '\0' ? schema[n] : '?');
    text[sizeof text - 1] = '\0';
    struct whittle_flow_schema_reader theirs = {.text = text, .next = text}, own = {.text = type->schema, .next = type->schema};
    if (type->schema == NULL || *text == '\0' || !whittle_flow_schema_compare(&own, &theirs)) {
        snprintf(why, room, "%s `%s` of fingerprint %016llx, %s `%s` of %016llx, which field differs is not known: build both from one flow",
            verbs[0], name, (unsigned long long)other,
            verbs[1], type->name, (unsigned long long)type->fingerprint);
        return;
    }
    whittle_flow_schema_show(whittle_flow_schema_field(&theirs), shown[0]);
    whittle_flow_schema_show(whittle_flow_schema_field(&own), shown[1]);
    snprintf(why, room, "%s `%s` with `%s`, %s `%s` with `%s`: build both from one flow", verbs[0], name, shown[0], verbs[1], type->name, shown[1]);
}
