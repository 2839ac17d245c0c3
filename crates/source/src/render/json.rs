//! One JSON object for each finding, one per line, for other programs to read.
//!
//! | field | type | meaning |
//! |---|---|---|
//! | `severity` | string | `error`, `warning` or `note` |
//! | `code` | string or null | such as `onc-014`; never reused for another meaning. Null: of the command line, or of a program that runs |
//! | `message` | string | what is wrong, in one sentence |
//! | `place` | object or null | where: see below |
//! | `others` | array of objects | other places that matter |
//! | `notes` | array of strings | |
//! | `help` | string or null | how to mend it |
//!
//! A place has `file` (string), `line` (number, from 1), `column` (number, in characters from 1, or null where a
//! macro hides it), `end_line` and `end_column` (of the place behind the last character; null with `column`), and
//! `label` (string, may be empty).

use serde::Serialize;

use super::severity_word;
use crate::{Diagnostic, Label, SourceMap};

/// A finding, its fields in the order in which they are written.
#[derive(Serialize)]
struct Finding<'a> {
    severity: &'static str,
    code: Option<&'a str>,
    message: &'a str,
    place: Option<Place<'a>>,
    others: Vec<Option<Place<'a>>>,
    notes: &'a [String],
    help: Option<&'a str>,
}

#[derive(Serialize)]
struct Place<'a> {
    file: &'a str,
    line: usize,
    column: Option<usize>,
    end_line: Option<usize>,
    end_column: Option<usize>,
    label: &'a str,
}

/// One object and a line end for each diagnostic.
pub fn json(map: &SourceMap, diagnostics: &[Diagnostic]) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics {
        let finding = Finding {
            severity: severity_word(diagnostic.severity),
            code: Some(diagnostic.code),
            message: &diagnostic.message,
            place: diagnostic.primary.as_ref().and_then(|label| place(map, label)),
            others: diagnostic.secondary.iter().map(|label| place(map, label)).collect(),
            notes: &diagnostic.notes,
            help: diagnostic.help.as_deref(),
        };
        out.push_str(&line(&finding));
    }
    out
}

/// The same for a message that has neither a code nor a place.
pub fn json_message(severity: &'static str, message: &str, help: Option<&str>) -> String {
    let (code, place, others, notes) = (None, None, Vec::new(), &[][..]);
    line(&Finding { severity, code, message, place, others, notes, help })
}

/// A value as one line. Texts, numbers and lists of them always have a form. What a terminal would obey is written by its number: such
/// characters stand in strings alone.
pub fn line(value: &impl Serialize) -> String {
    let mut out = String::new();
    for character in serde_json::to_string(value).unwrap_or_default().chars() {
        if escape::is_deceptive(character) {
            character.encode_utf16(&mut [0; 2]).iter().for_each(|unit| out.push_str(&format!("\\u{unit:04x}")));
        } else {
            out.push(character);
        }
    }
    out.push('\n');
    out
}

fn place<'a>(map: &'a SourceMap, label: &'a Label) -> Option<Place<'a>> {
    let resolved = map.resolve(label.span)?;
    let end = resolved.range.as_ref().map(|range| range.end);
    let lines_further = |end| resolved.text.line_at(end).saturating_sub(resolved.line_in_text);
    Some(Place {
        file: resolved.file,
        line: resolved.line,
        column: resolved.column(),
        end_line: end.map(|end| resolved.line + lines_further(end)),
        end_column: end.map(|end| resolved.text.column_at(end)),
        label: &label.text,
    })
}
