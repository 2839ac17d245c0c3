//! Options that are only for interfaces, given with a flow, or for other links. In: what the command line says. Out: the text of
//! the refusal: an option that is passed over in silence would be taken for obeyed.

use driver::{Link, Request, SentOrder, Style};

use super::arguments::{Code, Source};
use crate::flows;

/// Why these options cannot be obeyed for these files; `None` where they can. Flows are recognized by their endings.
pub(super) fn interfaces(files: &[String], source: &Source, code: &Code) -> Option<String> {
    let flow = files.iter().find(|file| flows::is_flow(file))?;
    let given = [
        (source.language.is_some(), "--language", "its ending says what it is written in"),
        (source.from.is_some(), "--from", "it is read as text or as XML"),
        (code.style.is_some(), "--style", "its packets have one form in C"),
        (code.encoding.is_some(), "--encoding", "each of its edges says `encode xdr`, `cdr` or `native`"),
        (code.link.is_some(), "--link", "each of its edges says `via tcp` and the like"),
        (!code.present.is_empty(), "--present", "its packets have one form in C"),
        (code.presentation.is_some(), "--presentation", "its packets have one form in C"),
        (code.newstyle, "--newstyle", "it has no stubs"),
        (code.onc_program.is_some(), "--onc-program", "it has no stubs"),
        (code.thread_safe, "--thread-safe", "it has no stubs"),
        (code.lax, "--lax", "it has no such choice"),
        (code.strict, "--strict", "it has no such choice"),
        (code.max_depth.is_some(), "--max-depth", "how deep its packets may nest is fixed"),
        (code.byte_order.is_some(), "--byte-order", "each of its edges says how packets are encoded"),
        (code.server_arena, "--server-arena", "it has no stubs"),
        (code.prefer.is_some(), "--prefer", "its packets have routines of their own"),
        (code.sizes, "--sizes", "its packets have routines of their own"),
        (!code.no_opt.is_empty(), "--no-opt", "its packets are always optimized"),
        (code.stop_after.is_some(), "--stop-after", "it has no such stages"),
        (!code.print_after.is_empty(), "--print-after", "it has no such stages"),
    ];
    let (_, option, why) = given.into_iter().find(|(is_given, ..)| *is_given)?;
    Some(format!("`{option}` is for interfaces, and {flow} is a flow: {why}"))
}

/// Why `--runtime` cannot be obeyed; `None` where it can.
pub(super) fn run_time(request: &Request, is_installed: bool) -> Option<&'static str> {
    if request.link == Link::Tirpc && request.style == Style::Rpcgen {
        return Some("`--runtime` is for other links and styles; over `tirpc` the run time is libtirpc");
    }
    if request.link == Link::None {
        return Some(
            "`--runtime` is for links; without one the headers beside generated files (`whittle_codec.h`) are all that they need",
        );
    }
    if request.link == Link::Fluke && is_installed {
        return Some(
            "`--link fluke` goes with `--runtime beside`: its run time is compiled for the kernel that WHITTLE_FLUKE_KERNEL names",
        );
    }
    let order = request.marshalling.byte_order;
    (is_installed && order != SentOrder::Host).then_some(
        "`--byte-order` goes with `--runtime beside`: an installed run time sends in the byte order of its host",
    )
}
