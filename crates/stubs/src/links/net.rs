//! The network run time that all protocols share, as the two files that stand beside what is generated. In: `runtime/net/`.
//! Out: `whittle_net.h`, for the protocols' own files; `whittle_net.c`, which a program compiles once, whatever styles and links
//! its interfaces have.

use cast::{Declaration, Requirement};

use crate::links::joined::{Joiner, Part, first_lines, parts};

const WORDS: [Part; 1] = parts!("include/whittle": "words.h");

pub(super) const NET: [Part; 70] = parts!("net":
    "address.c" "address.h" "arena.c" "arena.h" "await.c" "bind.c" "budget.c" "budget.h" "buffer.c" "buffer.h"
    "call.h" "calls.c" "client.c" "client.h" "clock.c" "clock.h" "connect.c" "connection.c" "connections.c"
    "failure.h" "futex_sleep.c" "futex_sleep.h" "hmac.c" "incoming.c" "jobs.c" "keys.c" "keys.h" "lend.c" "lend.h"
    "listen.c" "local_name.c" "local_name.h" "loop.c" "memory.c" "memory.h" "memory_accept.c" "memory_connect.c"
    "memory_open.c" "outgoing.c" "poll_memory.c" "poller.c" "poller.h" "prove.c" "prove.h" "reader.c" "reader.h"
    "receive.c" "refusal.c" "resolve.c" "resolve.h" "ring.c" "ring.h" "sealed.c" "sealed.h" "server.c" "server.h"
    "shed.c" "socket.h" "sockets.c" "spin.c" "spin.h" "stream.h" "sweep.c" "text.c" "text.h" "transfer.c" "transmit.c"
    "usage.h" "version.c" "version.h"
);

/// What programs and generated code have of it, whichever protocol they use: what is on their stack, what a server uses, texts with
/// their length, and the version.
pub(super) const SHARED: [Part; 4] = parts!("net": "call.h" "usage.h" "text.h" "version.h");

/// The version of the run time that generated code is made for: `WHITTLE_RUNTIME_VERSION` in `runtime/net/version.h`.
pub const VERSION: u32 = 2;

/// Fails the compilation of a generated file with headers of another version.
pub fn version_check() -> Declaration {
    Declaration::Require(Requirement {
        name: "WHITTLE_RUNTIME_VERSION".to_owned(),
        value: VERSION,
        otherwise: format!(
            "this file was generated for version {VERSION} of whittle's run time: generate it again, or install that version"
        ),
    })
}

/// Puts the check behind the headers that a file begins with.
pub(super) fn checked(mut declarations: Vec<Declaration>) -> Vec<Declaration> {
    if let Some(last) = declarations.iter().rposition(|declaration| matches!(declaration, Declaration::Include(_))) {
        declarations.insert(last + 1, version_check());
    }
    declarations
}

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
    let text = first_lines() + "#include \"whittle_net.h\"\n";
    let sources: Vec<&str> = NET.iter().map(|(name, _)| *name).filter(|name| name.ends_with(".c")).collect();
    Joiner::new(all(), &text).without(&["whittle_net.h"]).with(&sources).text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_part_is_forgotten() {
        let listed: Vec<Part> = NET.into_iter().chain(UMBRELLA).collect();
        assert_eq!(crate::links::joined::forgotten("net", &listed), [""; 0]);
    }

    #[test]
    fn generated_code_is_made_for_the_version_that_the_headers_have() {
        let text = |name: &str| NET.into_iter().find(|(known, _)| *known == name).map_or("", |(_, text)| text);
        let (header, source) = (text("version.h"), text("version.c"));
        assert!(header.contains(&format!("\n#define WHITTLE_RUNTIME_VERSION {VERSION}\n")));
        assert!(header.contains(&format!("\n#elif WHITTLE_RUNTIME_VERSION != {VERSION}\n")));
        let symbol = format!("const int whittle_runtime_version_{VERSION}");
        assert!(header.contains(&format!("extern {symbol};")) && source.contains(&format!("\n{symbol} = ")));
        assert!(header.contains(&format!("= &whittle_runtime_version_{VERSION};")));
    }
}
