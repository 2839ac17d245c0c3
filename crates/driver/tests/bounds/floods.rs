//! Files of errors.

use driver::{Limits, Link, Style};

use crate::machine::{compile, flow, limits};

#[test]
fn floods_of_errors_are_cut() {
    for (name, unit) in
        [("b.x", "$ "), ("b.x", "struct s { foo a; };\n"), ("b.idl", "@@ "), ("b.idl", "struct s { foo a; };")]
    {
        let made = compile(name, &unit.repeat(20_000), Style::Plain, Link::Onc, limits("findings=100"));
        assert!(made.report.findings.len() <= 101, "{name} {unit}: {} findings", made.report.findings.len());
    }
    let made = flow(&"$ ".repeat(20_000), Limits::default());
    assert!(made.report.findings.len() <= 2001 && made.report.has_errors());
}

#[test]
fn the_last_finding_of_a_flood_names_the_limit() {
    let text: String = (0..50).map(|at| format!("struct s{at} {{ int a; int a; }};\n")).collect();
    compile("b.x", &text, Style::Rpcgen, Link::Tirpc, limits("findings=10")).exceeds("findings");
}

#[test]
fn long_lines_and_names_are_shown_in_part() {
    let name = "a".repeat(1_000_000);
    for text in [
        format!("struct {name} {{ {name} y; }};"),
        format!("const A = {};", "1+".repeat(200_000)),
        "$ ".repeat(100_000),
    ] {
        let made = compile("b.x", &text, Style::Rpcgen, Link::Tirpc, Limits::default());
        assert!(made.report.has_errors());
        let shown = source::render::full(&made.report.sources, &made.report.findings[..1]);
        assert!(shown.len() < 20_000, "{} bytes", shown.len());
    }
}
