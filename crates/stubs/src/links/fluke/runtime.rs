//! The run time's C as the files that stand beside what is generated. In: `runtime/fluke/` and the marshalling headers. Out:
//! `whittle_fluke.h`, for programs; `whittle_fluke_stubs.h`, for generated code; `whittle_fluke.c`, without the network run time; and,
//! as they are, the headers of kernels: what a kernel must have, and two that have it.

use crate::links::joined::{Joiner, Part, parts};
use crate::links::net::SHARED;

/// What generated code and the run time marshal with.
const MARSHALLING: [Part; 5] = parts!("include/whittle": "words.h" "order.h" "cdr_order.h" "cdr_out.h" "cdr_in.h");

const FLUKE: [Part; 4] = parts!("fluke": "fluke.h" "stubs.h" "message.c" "threads.c");

/// What a port of the link to a kernel has to have: `whittle_fluke_kernel.h`.
pub const KERNEL: &str = include_str!("../../../../../runtime/fluke/whittle_fluke_kernel.h");
/// Threads of one process: `whittle_fluke_threads.h`.
pub const THREADS: &str = include_str!("../../../../../runtime/fluke/whittle_fluke_threads.h");
/// seL4: `whittle_fluke_sel4.h`.
pub const SEL4: &str = include_str!("../../../../../runtime/fluke/whittle_fluke_sel4.h");

/// What programs include.
const PUBLIC: [&str; 2] = ["text.h", "fluke.h"];

fn all() -> impl Iterator<Item = Part> {
    MARSHALLING.into_iter().chain(SHARED).chain(FLUKE)
}

/// `whittle_fluke.h`.
pub fn public_header() -> String {
    Joiner::new(all(), "").with(&PUBLIC).text
}

/// `whittle_fluke_stubs.h`.
pub fn stub_header() -> String {
    Joiner::new(all(), "#include \"whittle_fluke.h\"\n").without(&PUBLIC).with(&["stubs.h"]).text
}

/// `whittle_fluke.c`: all parts.
pub fn source() -> String {
    let text = "#ifndef _GNU_SOURCE\n#define _GNU_SOURCE\n#endif\n#include \"whittle_fluke_stubs.h\"\n";
    Joiner::new(all(), text).without(&PUBLIC).without(&["stubs.h"]).with(&["message.c", "threads.c"]).text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_part_is_forgotten() {
        let kernels =
            [("whittle_fluke_kernel.h", KERNEL), ("whittle_fluke_threads.h", THREADS), ("whittle_fluke_sel4.h", SEL4)];
        let listed: Vec<Part> = FLUKE.into_iter().chain(kernels).collect();
        assert_eq!(crate::links::joined::forgotten("fluke", &listed), [""; 0]);
    }
}
