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
    for (int turn = 0; turn < 4; turn++) {
        struct whittle_flow_hello hello;
        struct whittle_flow_answer answer = {.protocol = htole32(WHITTLE_FLOW_PROTOCOL), .known = htole64(turn == 1)};
        memcpy(answer.magic, turn == 0 ? "nonsense" : "whittle\n", 8);
        answer.count = htole64(1u << 30);
        const struct whittle_flow_acknowledgement lie = {htole64(turn == 2 ? 1u << 30 : 0), htole64(1u << 30), 0};
        const int fd = accept(listener, NULL, NULL);
        EQUAL(recv(fd, &hello, sizeof hello, MSG_WAITALL), sizeof hello);
        put(fd, &answer, sizeof answer);
        if (turn >= 2)
            put(fd, &lie, sizeof lie);
        await_close(fd);
    }
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
