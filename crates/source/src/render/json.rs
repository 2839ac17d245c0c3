//! One JSON object for each finding, one per line, for other programs to read.
//!
//! | field | type | meaning |
//! |---|---|---|
//! | `severity` | string | `error` or `warning` |
//! | `code` | string | such as `onc-014`; never reused for another meaning |
//! | `message` | string | what is wrong, in one sentence |
//! | `place` | object or null | where: see below |
//! | `others` | array of objects | other places that matter |
//! | `notes` | array of strings | |
//! | `help` | string or null | how to mend it |
//!
//! A place has `file` (string), `line` (number, from 1), `column` (number, in characters from 1, or null where a
//! macro hides it), `end_line` and `end_column` (of the place behind the last character; null with `column`), and
//! `label` (string, may be empty).

use super::severity_word;
use crate::{Diagnostic, Label, SourceMap};

/// One object and a line end for each diagnostic.
pub fn json(map: &SourceMap, diagnostics: &[Diagnostic]) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics {
        let others: Vec<String> = diagnostic.secondary.iter().map(|label| place(map, label)).collect();
        let notes: Vec<String> = diagnostic.notes.iter().map(|note| string(note)).collect();
        out.push_str(&format!(
            "{{\"severity\":{},\"code\":{},\"message\":{},\"place\":{},\"others\":[{}],\"notes\":[{}],\"help\":{}}}\n",
            string(severity_word(diagnostic.severity)),
            string(diagnostic.code),
            string(&diagnostic.message),
            diagnostic.primary.as_ref().map_or("null".to_owned(), |label| place(map, label)),
            others.join(","),
            notes.join(","),
            diagnostic.help.as_ref().map_or("null".to_owned(), |help| string(help)),
        ));
    }
    out
}

fn place(map: &SourceMap, label: &Label) -> String {
    let Some(resolved) = map.resolve(label.span) else { return "null".to_owned() };
    let number = |number: Option<usize>| number.map_or("null".to_owned(), |number| number.to_string());
    let end = resolved.range.as_ref().map(|range| range.end);
    let lines_further = |end| resolved.text.line_at(end).saturating_sub(resolved.line_in_text);
    format!(
        "{{\"file\":{},\"line\":{},\"column\":{},\"end_line\":{},\"end_column\":{},\"label\":{}}}",
        string(resolved.file),
        resolved.line,
        number(resolved.column()),
        number(end.map(|end| resolved.line + lines_further(end))),
        number(end.map(|end| resolved.text.column_at(end))),
        string(&label.text),
    )
}

/// A JSON string (RFC 8259 section 7).
pub fn string(content: &str) -> String {
    let mut out = String::from("\"");
    for character in content.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ if u32::from(character) < 0x20 => out.push_str(&format!("\\u{:04x}", u32::from(character))),
            _ => out.push(character),
        }
    }
    out.push('"');
    out
}
