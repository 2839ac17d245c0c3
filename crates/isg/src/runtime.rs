//! The runtime's C as the two files that stand beside what is generated, so that building needs no library of ours. In:
//! `runtime/flow/`. Out: `whittle_flow.h` and `whittle_flow.c`.

/// What generated code includes.
const INTERFACE: &str = include_str!("../../../runtime/flow/flow.h");

/// What the sources share, and the sources, in an order in which each knows what it uses.
const PARTS: &[&str] = &[
    include_str!("../../../runtime/flow/ledger.h"),
    include_str!("../../../runtime/flow/packets.h"),
    include_str!("../../../runtime/flow/wire.h"),
    include_str!("../../../runtime/flow/link.h"),
    include_str!("../../../runtime/flow/parts.h"),
    include_str!("../../../runtime/flow/greetings.h"),
    include_str!("../../../runtime/flow/address.c"),
    include_str!("../../../runtime/flow/awake.c"),
    include_str!("../../../runtime/flow/call.c"),
    include_str!("../../../runtime/flow/carrier.c"),
    include_str!("../../../runtime/flow/dial.c"),
    include_str!("../../../runtime/flow/fill.c"),
    include_str!("../../../runtime/flow/finish.c"),
    include_str!("../../../runtime/flow/form.c"),
    include_str!("../../../runtime/flow/greet.c"),
    include_str!("../../../runtime/flow/greetings.c"),
    include_str!("../../../runtime/flow/hello.c"),
    include_str!("../../../runtime/flow/judge.c"),
    include_str!("../../../runtime/flow/limits.c"),
    include_str!("../../../runtime/flow/lookup.c"),
    include_str!("../../../runtime/flow/options.c"),
    include_str!("../../../runtime/flow/page.c"),
    include_str!("../../../runtime/flow/peer.c"),
    include_str!("../../../runtime/flow/process.c"),
    include_str!("../../../runtime/flow/queue.c"),
    include_str!("../../../runtime/flow/receive.c"),
    include_str!("../../../runtime/flow/record.c"),
    include_str!("../../../runtime/flow/replay.c"),
    include_str!("../../../runtime/flow/report.c"),
    include_str!("../../../runtime/flow/resume.c"),
    include_str!("../../../runtime/flow/ring.c"),
    include_str!("../../../runtime/flow/run.c"),
    include_str!("../../../runtime/flow/say.c"),
    include_str!("../../../runtime/flow/send.c"),
    include_str!("../../../runtime/flow/shared.c"),
    include_str!("../../../runtime/flow/shared_receive.c"),
    include_str!("../../../runtime/flow/shared_send.c"),
    include_str!("../../../runtime/flow/signals.c"),
    include_str!("../../../runtime/flow/take.c"),
    include_str!("../../../runtime/flow/tap.c"),
    include_str!("../../../runtime/flow/tick.c"),
    include_str!("../../../runtime/flow/write.c"),
];

/// What authenticates edges over a network: beside the parts, and only where there is such an edge.
const KEY_PARTS: &[&str] = &[
    include_str!("../../../runtime/flow/key/key.h"),
    include_str!("../../../runtime/flow/key/file.c"),
    include_str!("../../../runtime/flow/key/prove.c"),
    include_str!("../../../runtime/flow/key/session.c"),
];

/// What carries edges over a NATS server: beside the parts, and only where there is such an edge.
const NATS_PARTS: &[&str] = &[
    include_str!("../../../runtime/flow/nats/channel.h"),
    include_str!("../../../runtime/flow/nats/answers.c"),
    include_str!("../../../runtime/flow/nats/channel.c"),
    include_str!("../../../runtime/flow/nats/connect.c"),
    include_str!("../../../runtime/flow/nats/consume.c"),
    include_str!("../../../runtime/flow/nats/fetch.c"),
    include_str!("../../../runtime/flow/nats/finish.c"),
    include_str!("../../../runtime/flow/nats/kept.c"),
    include_str!("../../../runtime/flow/nats/mark.c"),
    include_str!("../../../runtime/flow/nats/publish.c"),
    include_str!("../../../runtime/flow/nats/server.c"),
];

/// `whittle_flow.h`.
pub(crate) fn header() -> String {
    INTERFACE.to_owned()
}

/// `whittle_flow.c`: all parts, each without the lines that include another.
pub(crate) fn source() -> String {
    joined(PARTS)
}

/// `whittle_key.c`: what the run time's sources share, and the parts that authenticate.
pub(crate) fn key() -> String {
    beside(KEY_PARTS)
}

/// `whittle_nats.c`: the same for NATS.
pub(crate) fn nats() -> String {
    beside(NATS_PARTS)
}

fn beside(parts: &[&str]) -> String {
    let shared = PARTS.iter().filter(|part| part.trim_end().ends_with("#endif"));
    joined(&shared.chain(parts).copied().collect::<Vec<_>>())
}

fn joined(parts: &[&str]) -> String {
    let mut text = String::from("#ifndef _GNU_SOURCE\n#define _GNU_SOURCE\n#endif\n#include \"whittle_flow.h\"\n");
    parts.iter().for_each(|part| stubs::runtime::join(&mut text, part));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_part_is_forgotten() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../runtime/flow");
        for (folder, parts) in
            [(folder.to_owned(), PARTS), (format!("{folder}/key"), KEY_PARTS), (format!("{folder}/nats"), NATS_PARTS)]
        {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.extension().is_some_and(|ending| ending == "c" || ending == "h") && !path.ends_with("flow.h") {
                    let text = std::fs::read_to_string(&path).unwrap();
                    assert!(parts.contains(&text.as_str()), "{} is in no list", path.display());
                }
            }
        }
    }
}
