//! How much a person writes: lines of `bench/flows` that are neither empty nor comments.

use std::path::Path;

use super::super::Outcome;
use super::super::report::{Section, Table};

/// Who, and the files that are written for it; what all share (the work and the measuring) is left out.
const WRITTEN: [(&str, &[&str]); 9] = [
    ("whittle, two nodes", &["whittle/two.spi", "whittle/Source.c", "whittle/Sink.c"]),
    ("whittle, three nodes", &["whittle/three.spi", "whittle/Source.c", "whittle/Relay.c", "whittle/Sink.c"]),
    ("rpcgen", &["rpc_packets.x", "rpc.c", "sockets.h"]),
    ("hand", &["packets.h", "hand.c", "sockets.h"]),
    ("hand-batched", &["packets.h", "hand_batched.c", "sockets.h"]),
    ("zmq", &["packets.h", "zmq.c"]),
    ("nng", &["packets.h", "nng.c"]),
    ("nats", &["packets.h", "nats.c", "nats.conf"]),
    ("cyclone", &["dds_packets.idl", "cyclone.c"]),
];
const TEXT: &str = "Lines that are neither empty nor comments, of each participant's files in bench/flows, without the shared code \
    for the work and the measurement. Peers' files serve two and three nodes.";

/// A section.
pub(super) fn report(sources: &Path, outcome: &mut Outcome) -> Result<(), Vec<String>> {
    let mut rows = Vec::new();
    for (who, files) in WRITTEN {
        let mut all = 0;
        let mut each = Vec::new();
        for file in files {
            let path = sources.join(file);
            let text =
                std::fs::read_to_string(&path).map_err(|problem| vec![format!("{}: {problem}", path.display())])?;
            let lines = lines(&text);
            all += lines;
            each.push(format!("{file} {lines}"));
        }
        rows.push(vec![who.to_string(), all.to_string(), each.join(", ")]);
    }
    let head = ["who", "lines", "of which"].map(str::to_string).to_vec();
    let table = Table { caption: "lines written".to_string(), head, rows };
    let (title, text) = ("flows: size".to_string(), TEXT.to_string());
    outcome.sections.push(Section { title, text, plot: String::new(), tables: vec![table] });
    Ok(())
}

/// Lines with something on them once comments are gone.
fn lines(text: &str) -> usize {
    let mut count = 0;
    let mut in_comment = false;
    for line in text.lines() {
        let mut rest = line.trim();
        let mut has_code = false;
        while !rest.is_empty() {
            if in_comment {
                let end = rest.find("*/");
                in_comment = end.is_none();
                rest = end.map_or("", |end| &rest[end + 2..]);
            } else if rest.starts_with("//") || rest.starts_with("# ") {
                break;
            } else if let Some(after) = rest.strip_prefix("/*") {
                in_comment = true;
                rest = after;
            } else {
                has_code |= !rest.starts_with(' ');
                rest = &rest[rest.chars().next().map_or(0, char::len_utf8)..];
            }
        }
        count += usize::from(has_code);
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_empty_lines_are_not_counted() {
        assert_eq!(lines("/* one\n two */\n\nint a; // b\n  /* c */ int d;\n/* e */\n# f\n#include <g>\n"), 3);
    }
}
