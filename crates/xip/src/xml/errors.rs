//! Every finding of the XML form, one constructor each. A code is never used again for another meaning.
//!
//! Wording: lower case, no full stop, names in backticks; the message says what was expected, the label is brief,
//! help says how to mend it.

use source::{Diagnostic, Span};

use super::{NAMESPACE, VERSION};

// XML itself.

/// `xip-001`: text that XML does not allow. Nothing behind it is read.
pub(crate) fn malformed(found_at: Span, what: &str, help: Option<String>) -> Diagnostic {
    let usual = || "XML is elements, `<edge from=\"a\" to=\"b\"/>`, and comments, `<!-- … -->`".to_owned();
    Diagnostic::error("xip-001", format!("this is no XML: {what}"))
        .at(found_at, "here")
        .help(help.unwrap_or_else(usual))
}

/// `xip-002`: a closing tag for another element than the innermost open one.
pub(crate) fn wrong_closing_tag(found_at: Span, expected: &str, found: &str) -> Diagnostic {
    Diagnostic::error("xip-002", format!("expected `</{expected}>`, found `</{found}>`"))
        .at(found_at, format!("`<{expected}>` is still open"))
        .help(format!("close it with `</{expected}>`, or write it as `<{expected} …/>`"))
}

/// `xip-003`: a text that ends inside an element.
pub(crate) fn unclosed(end: Span) -> Diagnostic {
    Diagnostic::error("xip-003", "expected a closing tag, found the end of the file")
        .at(end, "something is still open here")
        .help("each element ends with `</NAME>` or `/>`, the whole file with `</xip>`")
}

/// `xip-004`: a text without any element.
pub(crate) fn no_element(place: Span) -> Diagnostic {
    Diagnostic::error("xip-004", "expected the element `<xip>`, found no element")
        .at(place, "nothing is described here")
        .help(root_example())
}

/// `xip-005`: an attribute that stands twice in its element.
pub(crate) fn attribute_twice(second: Span, name: &str) -> Diagnostic {
    Diagnostic::error("xip-005", format!("expected `{name}` once in an element"))
        .at(second, "a second one")
        .help("keep one of them")
}

/// `xip-006`: `&` that begins none of XML's own characters.
pub(crate) fn unknown_entity(found_at: Span, name: &str) -> Diagnostic {
    let found = if name.is_empty() { "`&`".to_owned() } else { format!("`&{name};`") };
    Diagnostic::error("xip-006", format!("expected a character after `&`, found {found}"))
        .at(found_at, "stands for nothing")
        .help("`&` is written `&amp;`; the others are `&lt;`, `&gt;`, `&quot;`, `&apos;` and numbers, `&#10;`")
}

/// `xip-007`: `<` between the quotes of an attribute.
pub(crate) fn tag_in_attribute(found_at: Span) -> Diagnostic {
    Diagnostic::error("xip-007", "expected `\"` before `<`")
        .at(found_at, "a quote is missing before this")
        .help("where `<` is meant, write `&lt;`")
}

/// `xip-008`: a document type, whose entities could grow without end, or be fetched from elsewhere.
pub(crate) fn document_type(found_at: Span) -> Diagnostic {
    Diagnostic::error("xip-008", "expected `<xip>`, found a document type")
        .at(found_at, "not read")
        .help("leave out `<!DOCTYPE …>`, and write what its entities stand for")
}

/// `xip-009`: more than any description needs.
pub(crate) fn too_large(found_at: Span, most: &str) -> Diagnostic {
    Diagnostic::error("xip-009", format!("expected at most {most}, found more"))
        .at(found_at, "not read")
        .help("describe the parts in files of their own")
}

// The root.

fn root_example() -> String {
    format!("a description is `<xip version=\"{VERSION}\" xmlns=\"{NAMESPACE}\">…</xip>`")
}

/// `xip-010`: another document than a description of pipes.
pub(crate) fn other_root(found_at: Span, found: &str) -> Diagnostic {
    Diagnostic::error("xip-010", format!("expected the element `<xip>`, found `<{found}>`"))
        .at(found_at, "another kind of document")
        .help(root_example())
}

/// `xip-011`: elements without the namespace that says whose they are.
pub(crate) fn other_namespace(found_at: Span, found: Option<&str>) -> Diagnostic {
    let found = found.map_or("none".to_owned(), |found| format!("`{}`", shown(found)));
    Diagnostic::error("xip-011", format!("expected the namespace `{NAMESPACE}`, found {found}"))
        .at(found_at, "of another namespace")
        .help(format!("add `xmlns=\"{NAMESPACE}\"`"))
}

/// `xip-012`: a version that this program does not know.
pub(crate) fn other_version(found_at: Span, found: &str) -> Diagnostic {
    Diagnostic::error("xip-012", format!("expected version `{VERSION}`, found `{}`", shown(found)))
        .at(found_at, "not known here")
        .help("a later version of whittle may read it")
}

// Elements.

/// `xip-013`: an element that does not stand here.
pub(crate) fn unknown_element(found_at: Span, parent: &str, found: &str, allowed: &[&str], help: String) -> Diagnostic {
    let expected = match allowed {
        [] => "nothing".to_owned(),
        _ => alternatives(allowed.iter().map(|name| format!("`<{name}>`")).collect()),
    };
    Diagnostic::error("xip-013", format!("expected {expected} in `<{parent}>`, found `<{}>`", shown(found)))
        .at(found_at, "does not stand here")
        .help(help)
}

/// `xip-014`: an attribute that its element does not have.
pub(crate) fn unknown_attribute(
    found_at: Span,
    element: &str,
    found: &str,
    known: &[&str],
    help: String,
) -> Diagnostic {
    let expected = match known {
        [] => "no attribute".to_owned(),
        _ => alternatives(known.iter().map(|name| format!("`{name}`")).collect()),
    };
    Diagnostic::error("xip-014", format!("expected {expected} of `<{element}>`, found `{}`", shown(found)))
        .at(found_at, "not an attribute of this element")
        .help(help)
}

/// `xip-015`: text between tags.
pub(crate) fn text(found_at: Span, element: &str) -> Diagnostic {
    Diagnostic::error("xip-015", format!("expected no text in `<{element}>`"))
        .at(found_at, "text")
        .help("everything is said in attributes; a remark is a comment, `<!-- … -->`")
}

/// `xip-016`: an element that stands twice where one is meant.
pub(crate) fn element_twice(second: Span, first: Span, name: &str, parent: &str) -> Diagnostic {
    Diagnostic::error("xip-016", format!("expected one `<{name}>` in `<{parent}>`"))
        .at(second, "a second one")
        .also(first, "the first one")
        .help("keep one of them")
}

/// `xip-017`: an element that leaves out what it must say.
pub(crate) fn missing_attribute(element_at: Span, element: &str, names: &[&str]) -> Diagnostic {
    let names = alternatives(names.iter().map(|name| format!("`{name}`")).collect());
    Diagnostic::error("xip-017", format!("expected {names} in `<{element}>`"))
        .at(element_at, "says too little")
        .help(format!("add {names}"))
}

/// `xip-018`: attributes that say different things.
pub(crate) fn conflict(second: Span, first: Span, names: [&str; 2]) -> Diagnostic {
    Diagnostic::error("xip-018", format!("expected `{}` or `{}`, found both", names[0], names[1]))
        .at(second, "says something else")
        .also(first, "than this")
        .help("keep one of them")
}

/// `xip-019`: an attribute that means nothing without another.
pub(crate) fn needs_other(found_at: Span, name: &str, other: &str) -> Diagnostic {
    Diagnostic::error("xip-019", format!("expected {other} beside `{name}`"))
        .at(found_at, "means nothing alone")
        .help(format!("add {other}, or leave out `{name}`"))
}

// What attributes say.

/// `xip-020`: something that cannot be a name in C.
pub(crate) fn not_a_name(found_at: Span, found: &str) -> Diagnostic {
    Diagnostic::error("xip-020", format!("expected a name, found `{}`", shown(found)))
        .at(found_at, "not a name")
        .help("a name is letters, digits and `_`, and begins with no digit")
}

/// `xip-021`: something that is neither an instance nor a port of one.
pub(crate) fn not_a_port(found_at: Span, found: &str) -> Diagnostic {
    Diagnostic::error("xip-021", format!("expected a port, found `{}`", shown(found)))
        .at(found_at, "not a port")
        .help("a port is `INSTANCE.PORT`, or `INSTANCE` alone")
}

/// `xip-022`: something that is no whole number, or one of more than 64 bits.
pub(crate) fn not_a_number(found_at: Span, found: &str) -> Diagnostic {
    Diagnostic::error("xip-022", format!("expected a number, found `{}`", shown(found)))
        .at(found_at, "not a number of 64 bits")
        .help("a number is decimal digits, and less than 2 to the power of 64")
}

/// `xip-023`: something that is no length of time.
pub(crate) fn not_a_time(found_at: Span, found: &str) -> Diagnostic {
    Diagnostic::error("xip-023", format!("expected a time, found `{}`", shown(found)))
        .at(found_at, "not a time")
        .help("a time is a number and `us`, `ms` or `s`: `50 ms`")
}

/// `xip-024`: something that is no rate.
pub(crate) fn not_a_rate(found_at: Span, found: &str) -> Diagnostic {
    Diagnostic::error("xip-024", format!("expected a rate, found `{}`", shown(found)))
        .at(found_at, "not a rate")
        .help("a rate is a number, perhaps a unit, and `/s`: `30/s`, `10 MB/s`")
}

/// `xip-025`: a word that is none of those that mean something here.
pub(crate) fn unknown_word(found_at: Span, found: &str, known: &[&str], near: Option<&str>) -> Diagnostic {
    let all = alternatives(known.iter().map(|word| format!("`{word}`")).collect());
    let help = near.map_or_else(|| format!("write {all}"), |near| format!("did you mean `{near}`?"));
    Diagnostic::error("xip-025", format!("expected {all}, found `{}`", shown(found)))
        .at(found_at, "not one of these")
        .help(help)
}

/// `xip-026`: a backslash that begins no escape.
pub(crate) fn wrong_escape(found_at: Span, found: &str) -> Diagnostic {
    Diagnostic::error("xip-026", format!("expected `\\\\` or `\\u{{…}}`, found `{}`", shown(found)))
        .at(found_at, "stands for nothing")
        .help("a backslash is written `\\\\`, the character of number 7 (hexadecimal) `\\u{7}`")
}

/// `one`, `one or two`, `one, two or three`.
fn alternatives(mut all: Vec<String>) -> String {
    let last = all.pop().unwrap_or_default();
    if all.is_empty() { last } else { format!("{} or {last}", all.join(", ")) }
}

/// As much of what was found as fits into a message.
fn shown(found: &str) -> String {
    const MOST: usize = 40;
    let start: String = found.chars().take(MOST).collect();
    if start.len() < found.len() { format!("{start}…") } else { start }
}
