//! The network run time that all protocols share, as the two files that stand beside what is generated. In: `runtime/net/`.
//! Out: `whittle_net.h`, for the protocols' own files; `whittle_net.c`, which a program compiles once, whatever styles and links
//! its interfaces have.

use crate::links::joined::{Joiner, Part, parts};

const WORDS: [Part; 1] = parts!("include/whittle": "words.h");

pub(super) const NET: [Part; 44] = parts!("net":
    "address.c" "address.h" "arena.c" "arena.h" "await.c" "bind.c" "budget.c" "budget.h" "buffer.c" "buffer.h" "call.h" "calls.c"
    "client.c" "client.h" "clock.c" "clock.h" "connect.c" "connection.c" "connections.c" "failure.h" "incoming.c" "jobs.c"
    "lend.c" "lend.h" "listen.c" "loop.c" "outgoing.c" "poller.c" "poller.h" "reader.c" "reader.h" "receive.c" "resolve.c"
    "resolve.h" "server.c" "server.h" "shed.c" "socket.h" "sweep.c" "transfer.c" "transmit.c" "usage.h" "version.c" "version.h"
);

const UMBRELLA: [Part; 1] = parts!("net": "whittle_net.h");

fn all() -> impl Iterator<Item = Part> {
    WORDS.into_iter().chain(NET).chain(UMBRELLA)
}

/// `whittle_net.h`.
pub fn header() -> String {
    Joiner::new(all(), "").with(&["whittle_net.h"]).text
}

/// `whittle_net.c`.
pub fn source() -> String {
    let text = "#ifndef _GNU_SOURCE\n#define _GNU_SOURCE\n#endif\n#include \"whittle_net.h\"\n";
    let sources: Vec<&str> = NET.iter().map(|(name, _)| *name).filter(|name| name.ends_with(".c")).collect();
    Joiner::new(all(), text).without(&["whittle_net.h"]).with(&sources).text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_part_is_forgotten() {
        let listed: Vec<Part> = NET.into_iter().chain(UMBRELLA).collect();
        assert_eq!(crate::links::joined::forgotten("net", &listed), [""; 0]);
    }
}
