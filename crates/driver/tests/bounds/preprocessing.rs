//! What a preprocessor would work on without end is refused before it begins.

use driver::{Included, Limits, Link, SourceText, Style};

use crate::machine::{Made, compile, compile_beside};

fn compiled(text: &str) -> Made {
    compile("b.x", text, Style::Rpcgen, Link::Tirpc, Limits::default())
}

/// Whether the preprocessor may run.
fn is_expanded(text: &str) -> bool {
    let of_expansion = |help: &String| help.contains("expansion");
    !compiled(text).report.findings.iter().any(|finding| finding.help.as_ref().is_some_and(of_expansion))
}

/// 40 macros, each of which is `body` of the one before: `<` stands for its name.
fn doubling(first: &str, parameters: &str, body: &str) -> String {
    let mut text = format!("#define A0{parameters} {first}\n");
    for level in 1..40 {
        let body = body.replace('<', &format!("A{}", level - 1));
        text.push_str(&format!("#define A{level}{parameters} {body}\n"));
    }
    text
}

#[test]
fn macros_that_double_are_refused_where_they_are_used() {
    for (first, parameters, body, used) in [
        ("1 +", "", "< <", "const A = A39 1;"),
        ("", "", "< <", "const A = 1 A39;"),
        ("x", "(x)", "<(x) <(x)", "const A = A39(1);"),
        ("x x", "(x)", "<(x x)", "const A = A39(1);"),
        ("__VA_ARGS__", "(...)", "<(__VA_ARGS__, __VA_ARGS__)", "const A = A39(1, 2);"),
        ("+ 1", "", "< <", "#if A39\n#endif"),
    ] {
        let made = compiled(&format!("{}\n{used}\n", doubling(first, parameters, body)));
        made.exceeds("expansion");
        let place = made.report.findings[0].primary.as_ref().and_then(|label| made.report.sources.place(label.span));
        assert_eq!(place.map(|place| place.line), Some(42), "{body}");
    }
}

#[test]
fn definitions_may_come_in_any_order_and_chains_may_be_long() {
    let text = doubling("1 +", "", "< <");
    let backwards: Vec<&str> = text.lines().rev().collect();
    compiled(&format!("{}\nconst A = A39 1;\n", backwards.join("\n"))).exceeds("expansion");
    let chain: String = (0..20_000).map(|at| format!("#define A{} A{at}\n", at + 1)).collect();
    assert!(is_expanded(&chain));
}

#[test]
fn macros_that_only_look_so_are_not_refused() {
    for text in [
        doubling("1 +", "", "< <"),
        "#define A A A\n#define B A B\nconst X = B;\n".to_owned(),
        format!("{}#undef A39\nconst X = A39;\n", doubling("1 +", "", "< <")),
        format!("{}const X = \"A39\"; /* A39 */ // A39\n", doubling("1 +", "", "< <")),
        format!("{}const X = A39;\n", doubling("x", "(x)", "<(x) <(x)")),
    ] {
        assert!(is_expanded(&text), "{text}");
    }
}

#[test]
fn macros_of_included_files_count() {
    let text = SourceText { name: "b.h".to_owned(), text: doubling("1 +", "", "< <"), lossy: false };
    compile_beside("#include \"b.h\"\nconst A = A39 1;\n", vec![("b.h", Included::Text(text))]).exceeds("expansion");
}

#[test]
fn what_is_included_is_a_file_and_not_too_long() {
    let made = compile_beside("  # include <zero>\n", vec![("zero", Included::NoFile("a device"))]);
    let finding = &made.report.findings[0];
    assert_eq!((finding.code, finding.message.as_str()), ("input-011", "zero is a device, not a file"));
    let place = finding.primary.as_ref().and_then(|label| made.report.sources.place(label.span));
    assert_eq!(place.map(|place| (place.line, place.column)), Some((1, Some(14))));
    let inner = SourceText { name: "b.h".to_owned(), text: "#include \"c.h\"\n".to_owned(), lossy: false };
    let made = compile_beside("#include \"b.h\"\n", vec![("b.h", Included::Text(inner)), ("c.h", Included::TooLong)]);
    made.exceeds("input-size");
}
