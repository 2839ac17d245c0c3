/* SPDX-License-Identifier: MIT-0 */
/* What GIOP gives to the server of the network run time (CORBA 3.3 part 2, section 9.4). */
#include "parts.h"

/* A message without a body; where replies wait, it follows them. */
static void whittle_giop_send_header(struct whittle_net_connection *connection, uint8_t version, enum whittle_message_type type)
{
    char message[WHITTLE_HEADER];
    whittle_put_header(message, version, type);
    whittle_net_send_bytes(connection, message, sizeof message);
}

static enum whittle_net_kind whittle_giop_kind(struct whittle_net_connection *connection, struct whittle_net_message *message)
{
    const char *const base = message->base;
    enum whittle_net_kind kind = WHITTLE_NET_NO_MESSAGE;
    switch ((enum whittle_message_type)base[WHITTLE_TYPE_AT]) {
    case WHITTLE_REQUEST:
    case WHITTLE_LOCATE_REQUEST: return WHITTLE_NET_REQUEST;
    case WHITTLE_CANCEL_REQUEST:    /* what is being served is served */
        kind = WHITTLE_NET_CONTROL;
        if (message->end - base >= WHITTLE_FRAGMENT_HEADER)
            whittle_giop_cancel(&connection->reader, whittle_peek32(base + WHITTLE_HEADER, whittle_is_swapped(base)));
        break;
    case WHITTLE_CLOSE_CONNECTION:
    case WHITTLE_MESSAGE_ERROR: kind = WHITTLE_NET_CLOSE; break;
    case WHITTLE_REPLY:
    case WHITTLE_LOCATE_REPLY:
    case WHITTLE_FRAGMENT: break;
    }
    whittle_net_buffer_give(&connection->server->pool, message->buffer);
    return kind;
}

static bool whittle_giop_serve(struct whittle_net_server *server, struct whittle_net_connection *connection, struct whittle_net_message *message)
{
    return whittle_serve(whittle_orb_of(server), connection, message);
}

static void whittle_giop_refuse(struct whittle_net_server *server, struct whittle_net_connection *connection, struct whittle_net_message *message)
{
    whittle_serve_not(whittle_orb_of(server), connection, message);
}

static void whittle_giop_protocol_error(struct whittle_net_connection *connection)
{
    whittle_giop_send_header(connection, 2, WHITTLE_MESSAGE_ERROR);
}

/* Whatever the peer sends after this was not looked at, so that it may send it elsewhere. */
static void whittle_giop_goodbye(struct whittle_net_connection *connection)
{
    whittle_giop_send_header(connection, 0, WHITTLE_CLOSE_CONNECTION);
}

static void whittle_giop_sweep(struct whittle_net_server *server)
{
    whittle_adapters_each(whittle_orb_of(server), whittle_manager_sweep);
}

const struct whittle_net_protocol whittle_giop_server = {
    .lead = WHITTLE_GIOP_LEAD, .next = whittle_giop_next, .forget = whittle_giop_forget, .kind = whittle_giop_kind,
    .serve = whittle_giop_serve, .refuse = whittle_giop_refuse, .protocol_error = whittle_giop_protocol_error,
    .goodbye = whittle_giop_goodbye, .sweep = whittle_giop_sweep};
