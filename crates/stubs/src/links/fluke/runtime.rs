//! The run time of calls in registers, without the network run time. In: `runtime/fluke/` and the marshalling headers. Out: its files, and,
//! as they are, the headers of kernels: what a kernel must have, and two that have it.

use crate::links::joined::{ALONE, Part, RunTime, parts};
use crate::links::net::SHARED;

/// What generated code and the run time marshal with.
const MARSHALLING: [Part; 6] =
    parts!("include/whittle": "words.h" "later.h" "order.h" "cdr_order.h" "cdr_out.h" "cdr_in.h");

const CALLS: [Part; 4] = parts!("fluke": "fluke.h" "stubs.h" "message.c" "threads.c");

/// What a port of the link to a kernel has to have: `whittle_fluke_kernel.h`.
pub const KERNEL: &str = include_str!("../../../../../runtime/fluke/whittle_fluke_kernel.h");
/// Threads of one process: `whittle_fluke_threads.h`.
pub const THREADS: &str = include_str!("../../../../../runtime/fluke/whittle_fluke_threads.h");
/// seL4: `whittle_fluke_sel4.h`.
pub const SEL4: &str = include_str!("../../../../../runtime/fluke/whittle_fluke_sel4.h");

/// What clients and servers use, and programs.
pub const FLUKE: RunTime = RunTime {
    files: ["whittle_fluke.h", "whittle_fluke_stubs.h", "whittle_fluke.c"],
    parts: &[&MARSHALLING, &SHARED, &CALLS],
    public: &["text.h", "fluke.h"],
    stubs: &["stubs.h"],
    ..ALONE
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_part_is_forgotten() {
        let kernels =
            [("whittle_fluke_kernel.h", KERNEL), ("whittle_fluke_threads.h", THREADS), ("whittle_fluke_sel4.h", SEL4)];
        let listed: Vec<Part> = CALLS.into_iter().chain(kernels).collect();
        assert_eq!(crate::links::joined::forgotten("fluke", &listed), [""; 0]);
    }
}
