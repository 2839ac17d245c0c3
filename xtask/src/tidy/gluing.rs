//! Text of other languages that is glued together from parts, where an escaper (`crates/escape`) should stand: a format string with a
//! piece of C, make, XML, DOT, Mermaid or JSON in it; C that is passed on verbatim; files written past the one host.

use crate::tree::File;

/// What in a format string shows that its text is for another program.
const PIECES: [(&str, &str); 15] = [
    ("/*", "a comment of C: `Declaration::comment`"),
    ("*/", "a comment of C: `Declaration::comment`"),
    ("#include", "an include: `Declaration::include`"),
    ("#line", "a line directive: `escape::c::line_directive`"),
    ("#define", "a macro: `Declaration::Define`"),
    ("#if", "a condition: `Declaration::Conditional`"),
    ("</", "XML: `escape::xml`"),
    ("/>", "XML: `escape::xml`"),
    ("<span", "XML: `escape::xml`"),
    ("-->|", "Mermaid: `escape::mermaid`"),
    ("[label=", "DOT: `escape::dot`"),
    ("$(", "make: `escape::make`"),
    ("add_executable", "CMake: `escape::cmake`"),
    ("{{\\\"", "JSON: `serde_json`"),
    ("\\\":", "JSON: `serde_json`"),
];

/// Who writes such text, with the escapers' types in hand.
const WRITERS: [&str; 3] = ["crates/escape/", "crates/cast/src/print/", "crates/stubs/src/runtime.rs"];

/// Who may pass C on as it stands: the user's own lines, the run time's text, imported C, and macros of the run time over names that
/// `cast::verify` has seen.
const VERBATIM: [&str; 15] = [
    "crates/cast/",
    "crates/core-c/",
    "crates/front-c/",
    "crates/front-onc/src/lower/mod.rs",
    "crates/pres/src/text/",
    "crates/present/src/corba/mod.rs",
    "crates/present/src/plain/mod.rs",
    "crates/present/src/rpcgen/header.rs",
    "crates/present/src/rpcgen/mod.rs",
    "crates/specialize/src/harness.rs",
    "crates/stubs/src/emit/cdr.rs",
    "crates/stubs/src/emit/lines.rs",
    "crates/stubs/src/emit/mod.rs",
    "crates/stubs/src/emit/wide.rs",
    "crates/stubs/src/links/flow/constants.rs",
];

/// What makes or changes files, and who may.
const WRITING: [&str; 7] = [
    "fs::write(",
    "File::create(",
    "File::create_new(",
    "OpenOptions::new(",
    "fs::rename(",
    "create_dir_all(",
    "temp_dir()",
];
/// A key is made for its user alone, where nothing is yet.
const HOST: &str = "crates/cli/src/host/";
const KEYS: &str = "crates/cli/src/flows/key.rs";

pub(super) fn check(file: &File) -> Vec<String> {
    let is_product =
        file.path.starts_with("crates/") && file.path.contains("/src/") && !file.path.ends_with("/tests.rs");
    let is_test_tool = file.path.starts_with("crates/filetest/") || file.path.contains("/tests/");
    // Findings speak of such text; their rendering escapes it.
    let is_of_findings = file.path.ends_with("errors.rs");
    if !is_product || is_test_tool || is_of_findings || !file.path.ends_with(".rs") || is_among(&file.path, &WRITERS) {
        return Vec::new();
    }
    let text = file.text.split("#[cfg(test)]").next().unwrap_or_default();
    let at = |offset: usize| format!("{}:{}", file.path, text[..offset].matches('\n').count() + 1);
    let mut problems = Vec::new();
    for (offset, literal) in formats(text) {
        let piece = PIECES.iter().find(|(piece, _)| literal.contains(piece) && literal.contains('{'));
        problems.extend(piece.map(|(_, what)| format!("{}: glues {what}", at(offset))));
    }
    if !is_among(&file.path, &VERBATIM) {
        let made = ["Declaration::Verbatim(", "Statement::Verbatim(", "ExpressionKind::Verbatim("];
        let calls = made.iter().flat_map(|call| text.match_indices(call));
        let built = calls.filter(|(offset, call)| is_built(&text[offset + call.len()..]));
        problems.extend(built.map(|(offset, _)| format!("{}: passes C on as it stands", at(offset))));
    }
    if !is_among(&file.path, &[HOST, KEYS]) {
        let writes = WRITING.iter().flat_map(|call| text.match_indices(call));
        problems.extend(writes.map(|(offset, call)| format!("{}: `{call}` belongs into {HOST}", at(offset))));
    }
    problems
}

fn is_among(path: &str, known: &[&str]) -> bool {
    known.iter().any(|known| path.starts_with(known))
}

/// Whether a pattern is no more than looked at: `Verbatim(_)`, `Verbatim(text) =>`.
fn is_built(after: &str) -> bool {
    let argument = after.split(')').next().unwrap_or_default();
    let is_pattern =
        argument == "_" || after[argument.len()..].trim_start_matches(')').trim_start().starts_with(['=', '|', 'i']);
    !is_pattern && argument != ".."
}

/// The format strings of a text, each with where it begins.
fn formats(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    for call in ["format!(", "write!(", "writeln!(", "format_args!("] {
        for (offset, _) in text.match_indices(call) {
            let start = offset + call.len();
            let Some(open) = text[start..].find('"').map(|quote| start + quote + 1) else { continue };
            // A macro without a literal: the quote belongs to something else.
            if text[start..open].contains([';', ')']) {
                continue;
            }
            found.push((offset, literal(&text[open..])));
        }
    }
    found
}

/// A literal up to its closing quote.
fn literal(text: &str) -> &str {
    let mut is_escaped = false;
    let end = text.find(|character| {
        let ends = character == '"' && !is_escaped;
        is_escaped = character == '\\' && !is_escaped;
        ends
    });
    &text[..end.unwrap_or(text.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(path: &str, text: &str) -> usize {
        check(&File { path: path.to_owned(), text: text.to_owned() }).len()
    }

    #[test]
    fn gluing_is_found() {
        let source = "crates/isg/src/a.rs";
        assert_eq!(problems(source, r#"f(format!("/* {name} */"))"#), 1);
        assert_eq!(problems(source, "write!(out, \"#include \\\"{}\\\"\", path)"), 1);
        assert_eq!(problems(source, r#"writeln!(out, "<text>{name}</text>")"#), 1);
        assert_eq!(problems(source, r#"format!("{{\"name\":{name}}}")"#), 1);
        assert_eq!(problems(source, r#"format!("{a}: {b}\n\t$(CC) -o $@")"#), 1);
        assert_eq!(problems(source, "Declaration::Verbatim(text.clone())"), 1);
        assert_eq!(problems(source, "std::fs::write(path, text)"), 1);
    }

    #[test]
    fn what_is_no_gluing_is_left_alone() {
        let source = "crates/isg/src/a.rs";
        assert_eq!(problems(source, r#"Declaration::comment(format!("of {name}"))"#), 0);
        assert_eq!(problems(source, r#"text.say("</svg>\n")"#), 0);
        assert_eq!(problems(source, "Declaration::Verbatim(_) | Declaration::Verbatim(text) => f(text)"), 0);
        assert_eq!(problems("crates/escape/src/xml.rs", r#"format!("<a>{b}</a>")"#), 0);
        assert_eq!(problems("crates/cli/src/host/write.rs", "std::fs::write(path, text)"), 0);
        assert_eq!(problems(source, "#[cfg(test)]\nmod tests { fn f() { std::fs::write(path, text) } }"), 0);
    }
}
