//! The run time's C as the three files that stand beside what is generated, so that building needs no library of ours. In:
//! `runtime/mach/` and the marshalling headers. Out: `whittle_mach.h`, for programs; `whittle_mach_stubs.h`, for generated code;
//! `whittle_mach.c`, which needs of the system Mach's calls and `malloc`, and no sockets.

use crate::links::joined::{Joiner, Part, parts};

/// What generated code and the run time marshal with.
const MARSHALLING: [Part; 6] =
    parts!("include/whittle": "words.h" "order.h" "cdr_order.h" "cdr_out.h" "cdr_in.h" "arena.h");

/// What is the same for all run times.
const SHARED: [Part; 4] = parts!("net": "text.h" "text.c" "version.h" "version.c");

const MACH: [Part; 12] = parts!("mach":
    "ports.h" "stubs.h" "message.h" "answer.c" "buffer.c" "client.c" "discard.c" "lend.c" "run.c" "server.c" "server.h" "status.c"
);

/// What programs include.
const PUBLIC: [&str; 2] = ["text.h", "ports.h"];

/// What generated code includes beside that.
const STUBS: [&str; 8] =
    ["words.h", "order.h", "cdr_order.h", "cdr_out.h", "cdr_in.h", "arena.h", "version.h", "stubs.h"];

fn all() -> impl Iterator<Item = Part> {
    MARSHALLING.into_iter().chain(SHARED).chain(MACH)
}

/// `whittle_mach.h`.
pub fn public_header() -> String {
    Joiner::new(all(), "").with(&PUBLIC).text
}

/// `whittle_mach_stubs.h`.
pub fn stub_header() -> String {
    Joiner::new(all(), "#include \"whittle_mach.h\"\n").without(&PUBLIC).with(&STUBS).text
}

/// `whittle_mach.c`: all parts. What other run times have, too, a program may have of those.
pub fn source() -> String {
    let text = "#ifndef _GNU_SOURCE\n#define _GNU_SOURCE\n#endif\n#include \"whittle_mach_stubs.h\"\n#pragma weak whittle_text_free\n#pragma weak whittle_runtime_version_2\n";
    let sources: Vec<&str> = all().map(|(name, _)| name).filter(|name| name.ends_with(".c")).collect();
    Joiner::new(all(), text).without(&PUBLIC).without(&STUBS).with(&sources).text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_part_is_forgotten() {
        assert_eq!(crate::links::joined::forgotten("mach", &MACH), [""; 0]);
    }

    #[test]
    fn the_versions_symbol_may_be_there_twice() {
        let version = crate::links::net::VERSION;
        assert!(source().contains(&format!("#pragma weak whittle_runtime_version_{version}\n")));
    }
}
