/*
 * A receiver that lies about what it has had: it is left, counted and named; the edge's own receiver gets all.
 */
#include "hostile_common.h"

/* A receiver that lies about what it has had. */
static void lies(const struct whittle_flow_edge *edge)
{
    new_place("a receiver that acknowledges what was not sent is left");
    const pid_t from = spawn(honest, edge);
    const int listener = socket(AF_INET, SOCK_STREAM, 0), on = 1;
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)(place_port() + edge->number))};
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    CHECK(bind(listener, (struct sockaddr *)&at, sizeof at) == 0 && listen(listener, 4) == 0, "%s", strerror(errno));
    struct whittle_flow_event_loop *const holder = key_holder(NULL);
    for (int turn = 0; turn < 4; turn++) {
        struct whittle_flow_hello hello;
        struct whittle_flow_answer answer = {.protocol = htole32(WHITTLE_FLOW_PROTOCOL), .known = htole64(turn == 1)};
        memcpy(answer.magic, turn == 0 ? "nonsense" : "whittle\n", 8);
        answer.count = htole64(1u << 30);
        struct whittle_flow_acknowledgement lie = {.count = htole64(turn == 2 ? 1u << 30 : 0), .bytes = htole64(turn == 2 ? 1u << 30 : 7)};
        struct peer peer = {.fd = accept(listener, NULL, NULL)};
        EQUAL(recv(peer.fd, &peer.opening, sizeof peer.opening, MSG_WAITALL), sizeof peer.opening);
        CHECK(whittle_flow_keyed.proves(holder, WHITTLE_FLOW_CONNECTOR, NULL, &peer.opening), "the sender's proof");
        CHECK(whittle_flow_keyed.challenge(holder, WHITTLE_FLOW_ACCEPTOR, &peer.opening, &peer.challenge), "challenge");
        peer.session = whittle_flow_keyed.begin(holder, WHITTLE_FLOW_ACCEPTOR, &peer.opening, &peer.challenge);
        put(peer.fd, &peer.challenge, sizeof peer.challenge);
        EQUAL(recv(peer.fd, &hello, sizeof hello, MSG_WAITALL), sizeof hello);
        SEALED(&peer, WHITTLE_FLOW_ANSWER, answer);
        put(peer.fd, &answer, sizeof answer);
        SEALED(&peer, WHITTLE_FLOW_ACKNOWLEDGEMENT, lie);
        if (turn >= 2)
            put(peer.fd, &lie, sizeof lie);
        hang_up(&peer);
    }
    key_drop(holder);
    close(listener);
    const pid_t to = spawn(sink, edge);
    EQUAL(reap(from), 0);
    EQUAL(reap(to), 0);
    CHECK(counter_of(edge->number, "sender", WHITTLE_FLOW_STRANGERS) >= 3, "not counted");
    check_balance(edge->number, 0);
}

int main(void)
{
    const struct whittle_flow_edge edge = an_edge(&list_type, WHITTLE_FLOW_TCP);
    lies(&edge);
    return 0;
}
