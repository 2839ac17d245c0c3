//! Flows' run time as the files that stand beside what is generated, or become libraries. In:
//! `runtime/flow/`. Out: `whittle_flow.h` and `whittle_flow.c`, over the network run time (`links::net`); `whittle_key.c`,
//! `whittle_nats.c` and `whittle_dds.c`, for programs with an edge that needs them.

use crate::links::joined::{Joiner, Part, first_lines, parts};
use crate::links::net::SHARED;

const FLOW: [Part; 76] = parts!("flow":
    "accept.c" "address.c" "call.c" "comparison.c" "condition.c" "condition.h" "dial.c" "edge.h" "event_loop.c"
    "exposition.c" "fan.c" "fan.h" "fill.c" "filter.c" "finish.c" "flow.h" "frame_receive.c" "frame_send.c"
    "handshakes.c" "handshakes.h" "hello.c" "internal.h" "latest.c" "layout.c" "leader.c" "ledger.h" "limits.c"
    "link.h" "local.c" "log.c" "metrics.c" "metrics.h" "mux.c" "mux.h" "options.c" "packets.h" "page.c" "peer.c"
    "process.c" "publish.c" "queue.c" "receive.c" "record.c" "replay.c" "report.c" "resume.c" "ring.c" "room.h"
    "run.c" "sample.c" "schema.c" "scrape.c" "security.h" "send.c" "sequence.c" "shared.c" "shared_receive.c"
    "shared_send.c" "signals.c" "spelling.c" "spin_wait.c" "substream.c" "take.c" "tap.c" "tick.c" "timer.c" "trace.c"
    "trace.h" "transport.c" "validate.c" "wait.c" "wait.h" "wanted.c" "where.c" "wire.h" "write.c"
);

/// What authenticates edges over a network.
const KEY: [Part; 4] = parts!("flow/key": "file.c" "key.h" "prove.c" "session.c");

/// What carries edges over a NATS server.
const NATS: [Part; 13] = parts!("flow/nats":
    "answers.c" "connect.c" "consume.c" "fetch.c" "finish.c" "kept.c" "lease.c" "mark.c" "publish.c" "rounds.c"
    "server.c" "transport.c" "transport.h"
);

/// What carries edges over DDS.
const DDS: [Part; 8] = parts!("flow/dds":
    "consume.c" "entities.c" "finish.c" "publish.c" "samples.c" "serial.c" "transport.c" "transport.h"
);

/// What generated code includes.
const PUBLIC: [&str; 1] = ["flow.h"];

/// A file's name, and what it holds.
pub type NamedText = (&'static str, fn() -> String);

/// What every flow needs.
pub const FOR_ALL: [NamedText; 2] = [("whittle_flow.h", header), ("whittle_flow.c", source)];
/// What edges over a network need, and a library beside: libcrypto.
pub const FOR_KEYS: NamedText = ("whittle_key.c", key);
/// What edges over a NATS server need, and a library beside: libnats.
pub const FOR_NATS: NamedText = ("whittle_nats.c", nats);
/// What edges over DDS need, and a library beside: Cyclone DDS.
pub const FOR_DDS: NamedText = ("whittle_dds.c", dds);

/// `whittle_flow.h`.
pub fn header() -> String {
    Joiner::new(SHARED.into_iter().chain(FLOW), "").with(&PUBLIC).text
}

/// `whittle_flow.c`.
pub fn source() -> String {
    joined(&FLOW)
}

/// `whittle_key.c`.
pub fn key() -> String {
    joined(&KEY)
}

/// `whittle_nats.c`.
pub fn nats() -> String {
    joined(&NATS)
}

/// `whittle_dds.c`.
pub fn dds() -> String {
    joined(&DDS)
}

/// Sources, and the headers that they share with the rest.
fn joined(parts: &[Part]) -> String {
    let text = first_lines() + "#include \"whittle_flow.h\"\n#include \"whittle_net.h\"\n";
    let headers = SHARED.into_iter().chain(FLOW).filter(|(name, _)| name.ends_with(".h"));
    let sources: Vec<&str> = parts.iter().map(|(name, _)| *name).filter(|name| name.ends_with(".c")).collect();
    Joiner::new(headers.chain(parts.iter().copied()), &text).without(&PUBLIC).with(&sources).text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_part_is_forgotten() {
        for (folder, parts) in [("flow", &FLOW[..]), ("flow/key", &KEY), ("flow/nats", &NATS), ("flow/dds", &DDS)] {
            assert_eq!(crate::links::joined::forgotten(folder, parts), [""; 0], "{folder}");
        }
    }
}
