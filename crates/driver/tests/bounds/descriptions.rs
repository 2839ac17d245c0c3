//! Descriptions that double, inherit and nest.

use driver::{Limits, Link, Style};

use crate::machine::{Made, compile, compile_expanded, flow, limits, shown};

/// Every style over every link.
const FORMS: [(Style, Link); 6] = [
    (Style::Rpcgen, Link::Tirpc),
    (Style::Rpcgen, Link::Onc),
    (Style::Corba, Link::GiopTcp),
    (Style::Corba, Link::Onc),
    (Style::Plain, Link::Onc),
    (Style::Plain, Link::GiopTcp),
];

/// Structures of two of the one before, in either language, and an interface of the last.
pub(crate) fn doubling(levels: usize, is_idl: bool) -> String {
    let number = if is_idl { "long" } else { "int" };
    let mut text = format!("struct s0 {{ {number} a; }};\n");
    for level in 1..=levels {
        let before = level - 1;
        text.push_str(&format!("struct s{level} {{ s{before} a; s{before} b; }};\n"));
    }
    text + &match is_idl {
        true => format!("interface I {{ s{levels} f(in s{levels} x); }};\n"),
        false => format!("program P {{ version V {{ s{levels} F(s{levels}) = 1; }} = 1; }} = 0x20000001;\n"),
    }
}

#[test]
fn structures_that_double_take_no_time_to_speak_of() {
    for (style, link) in FORMS {
        compile("b.x", &doubling(60, false), style, link, Limits::default()).succeeds();
    }
    for (style, link) in [(Style::Corba, Link::GiopTcp), (Style::Plain, Link::GiopTcp)] {
        compile("b.idl", &doubling(60, true), style, link, Limits::default()).succeeds();
    }
}

#[test]
fn unions_that_double_take_no_time_to_speak_of() {
    let mut text = "struct s0 { int a; };\n".to_owned();
    for level in 1..60 {
        let before = level - 1;
        text.push_str(&format!(
            "union s{level} switch (int z) {{ case 1: s{before} a; case 2: s{before} b; default: s{before} c; }};\n"
        ));
    }
    for (style, link) in FORMS {
        compile("b.x", &text, style, link, Limits::default()).succeeds();
    }
}

/// Interfaces, each of which inherits what `bases` says.
fn interfaces(count: usize, bases: &dyn Fn(usize) -> Vec<usize>) -> String {
    let mut text = "interface I0 { void f0(); };\n".to_owned();
    for number in 1..count {
        let bases: Vec<String> = bases(number).iter().map(|base| format!("I{base}")).collect();
        text.push_str(&format!("interface I{number} : {} {{ void f{number}(); }};\n", bases.join(", ")));
    }
    text
}

#[test]
fn interfaces_that_inherit_all_earlier_ones_take_no_time_to_speak_of() {
    for (style, link) in [(Style::Corba, Link::GiopTcp), (Style::Plain, Link::GiopTcp)] {
        let text = interfaces(40, &|number| (0..number).collect());
        compile("b.idl", &text, style, link, Limits::default()).succeeds();
    }
}

#[test]
fn diamonds_of_interfaces_take_no_time_to_speak_of() {
    let text = interfaces(90, &|number| (number.saturating_sub(2)..number).collect());
    for (style, link) in [(Style::Corba, Link::GiopTcp), (Style::Plain, Link::GiopTcp)] {
        compile("b.idl", &text, style, link, Limits::default()).succeeds();
    }
}

#[test]
fn what_interfaces_inherit_is_limited() {
    let text = interfaces(300, &|number| vec![number - 1]);
    compile("b.idl", &text, Style::Corba, Link::GiopTcp, limits("inherited=10000")).exceeds("inherited");
    let text = interfaces(3000, &|number| vec![number - 1]);
    compile("b.idl", &text, Style::Corba, Link::GiopTcp, Limits::default()).exceeds("inherited");
}

#[test]
fn nesting_is_limited_and_the_option_raises_it() {
    let structures =
        |depth: usize| format!("struct a {{ {}int z; {}}};", "struct { ".repeat(depth), "} q; ".repeat(depth));
    let sequences = |depth: usize| format!("typedef {}long{} t;", "sequence<".repeat(depth), ">".repeat(depth));
    let dimensions = |depth: usize| format!("typedef long t{};", "[2]".repeat(depth));
    for depth in [300, 50_000] {
        let rpcgen = |text: &str| compile("b.x", text, Style::Rpcgen, Link::Tirpc, Limits::default());
        let corba = |text: &str| compile("b.idl", text, Style::Corba, Link::GiopTcp, Limits::default());
        rpcgen(&structures(depth)).exceeds("nesting");
        corba(&sequences(depth)).exceeds("nesting");
        corba(&dimensions(depth)).exceeds("nesting");
    }
    compile("b.idl", &sequences(260), Style::Corba, Link::GiopTcp, limits("nesting=300")).succeeds();
}

#[test]
fn inputs_are_limited_at_the_byte_that_is_too_many() {
    let text = "const A = 1;\n".repeat(100);
    compile("b.x", &text, Style::Rpcgen, Link::Tirpc, limits("input-size=1K")).exceeds("input-size");
    flow(&"packet P { int32 a; }\n".repeat(100), limits("input-size=1K")).exceeds("input-size");
}

#[test]
fn what_macros_make_is_limited_where_it_becomes_too_much() {
    let expanded = format!("# 1 \"b.x\"\nconst A = 1;\n# 7 \"deep.h\" 1\nconst B = {};\n", "1 + ".repeat(5_000_000));
    let made = compile_expanded("b.x", "const A = 1;\n", expanded);
    made.exceeds("expansion");
    let place = made.report.findings[0].primary.as_ref().and_then(|label| made.report.sources.place(label.span));
    assert_eq!(place.map(|place| (place.file, place.line)), Some(("deep.h", 7)));
}

#[test]
fn outputs_are_limited() {
    let text = doubling(20, false);
    let made = compile("b.x", &text, Style::Rpcgen, Link::Tirpc, limits("output-size=10K"));
    assert!(made.report.findings.iter().any(|finding| finding.code == "limit-001"), "{:?}", made.report.findings);
    assert_eq!(made.size, 0);
}

const PIPES: &str = "packet P { int32 a; }\npipe S { out P o; middle f; }\npipe K { in P i; middle g; }\n";

/// Packets of two of the one before, and a flow of the last.
fn packets_that_double(levels: usize) -> String {
    let mut text = "packet N0 { uint32 v; }\n".to_owned();
    for level in 1..=levels {
        let before = level - 1;
        text.push_str(&format!("packet N{level} {{ N{before} a; N{before} b; }}\n"));
    }
    text + &flow_of(&format!("N{levels}"))
}

fn flow_of(ty: &str) -> String {
    format!("pipe S {{ out {ty} o; middle f; }}\npipe K {{ in {ty} i; middle g; }}\nflow f {{ S -> K via shm; }}\n")
}

/// A packet that is longer than one may be, at its place, and nothing else.
fn is_too_long(made: &Made) {
    let [finding] = &made.report.findings[..] else { panic!("{:?}", made.report.findings) };
    assert_eq!((finding.code, made.size), ("packet-003", 0));
    assert!(finding.primary.is_some(), "{finding:?}");
}

#[test]
fn packets_that_double_are_looked_at_once() {
    let text = packets_that_double(20);
    flow(&text, Limits::default()).succeeds();
    shown(&text, None).iter().for_each(Made::succeeds);
    for levels in [60, 70, 1000] {
        let text = packets_that_double(levels);
        is_too_long(&flow(&text, Limits::default()));
        shown(&text, None).iter().for_each(is_too_long);
    }
}

#[test]
fn imported_types_that_double_are_looked_at_once() {
    let made = |levels: usize| {
        let text = format!("import \"b.x\";\n{}", flow_of(&format!("s{levels}")));
        shown(&text, Some(&doubling(levels, false)))
    };
    made(20).iter().for_each(Made::succeeds);
    [60, 70, 1000].into_iter().flat_map(made).for_each(|made| is_too_long(&made));
}

#[test]
fn pipes_that_double_are_limited() {
    let mut text = format!("{PIPES}pipe F0 {{ in P i; out P o; middle h; }}\n");
    for level in 1..40 {
        let before = level - 1;
        text.push_str(&format!(
            "pipe F{level} {{ in P i; out P o; F{before} x; F{before} y; i -> x; x -> y; y -> o; }}\n"
        ));
    }
    flow(&format!("{text}flow f {{ S -> F39; F39 -> K; }}\n"), Limits::default()).exceeds("flow");
}

#[test]
fn pipes_of_pipes_are_limited_in_depth() {
    let mut text = format!("{PIPES}pipe F0 {{ in P i; out P o; middle h; }}\n");
    for level in 1..3000 {
        let before = level - 1;
        text.push_str(&format!("pipe F{level} {{ in P i; out P o; F{before} x; i -> x; x -> o; }}\n"));
    }
    flow(&format!("{text}flow f {{ S -> F2999; F2999 -> K; }}\n"), Limits::default()).exceeds("nesting");
}

#[test]
fn edges_between_composed_ports_are_limited() {
    let sources: String = (0..500).map(|at| format!("S s{at}; s{at} -> o; ")).collect();
    let sinks: String = (0..500).map(|at| format!("K k{at}; i -> k{at}; ")).collect();
    let text = format!("{PIPES}pipe A {{ out P o; {sources} }}\npipe B {{ in P i; {sinks} }}\nflow f {{ A -> B; }}\n");
    flow(&text, limits("flow=50000")).exceeds("flow");
}

#[test]
fn what_aspects_weave_in_is_limited() {
    let aspects: String = (0..300).map(|at| format!("aspect a{at} {{ before middle x{at}; }}\n")).collect();
    let stages: String = (0..200).map(|at| format!("S s{at}; K k{at}; s{at} -> k{at}; ")).collect();
    let applied: String = (0..300).map(|at| format!("apply a{at}; ")).collect();
    flow(&format!("{PIPES}{aspects}flow f {{ {stages}{applied} }}\n"), limits("flow=50000")).exceeds("flow");
}
