//! Long files of one kind of thing: what walks all of it for each part of it shows as minutes. The bounds are many times
//! what the work takes.

use std::time::{Duration, Instant};

use driver::{Limits, Link, Style};

use crate::machine::{compile, flow};

/// Work that takes a second or two where it is linear, ten times that on a busy machine.
#[track_caller]
fn is_done_soon(what: &str, work: impl FnOnce()) {
    let begun = Instant::now();
    work();
    assert!(begun.elapsed() < Duration::from_secs(90), "{what}: {:?}", begun.elapsed());
}

const PIPES: &str = "packet P { int32 a; }\npipe S { out P o; middle f; }\npipe K { in P i; middle g; }\n";

#[test]
fn an_outport_may_have_many_edges() {
    let edges: String = (0..5000).map(|at| format!("K k{at}; s -> k{at};\n")).collect();
    let text = format!("{PIPES}flow f {{ S s; {edges} }}\n");
    is_done_soon("edges from one outport", || flow(&text, Limits::default()).succeeds());
}

#[test]
fn packets_may_hold_packets_in_a_long_chain() {
    let chain: String = (0..3000).map(|at| format!("packet P{} {{ P{at} a; }}\n", at + 1)).collect();
    let text = format!(
        "packet P0 {{ int32 a; }}\n{chain}pipe S {{ out P9 o; middle f; }}\npipe K {{ in P9 i; middle g; }}\nflow f {{ S -> K; }}\n"
    );
    is_done_soon("packets", || flow(&text, Limits::default()).succeeds());
}

#[test]
fn names_that_mean_nothing_may_be_many() {
    let text: String = (0..6000).map(|at| format!("struct s{at} {{ foo{at} a; }};\n")).collect();
    let work = || compile("b.idl", &text, Style::Corba, Link::GiopTcp, Limits::default());
    is_done_soon("unknown names", || assert!(work().report.has_errors()));
}
