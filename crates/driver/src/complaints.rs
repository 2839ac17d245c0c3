//! What a C preprocessor complained of, as findings with a place: `FILE:LINE:COLUMN: error: MESSAGE` of gcc and clang.
//!
//! In: the finding that the host made of a failed run, each line of the preprocessor's a note. Out: one finding for
//! each error, of the same code; nothing where a line has no place that can be shown.

use source::{Diagnostic, FileId, Span};

use crate::Report;

/// One error of the preprocessor's.
#[derive(Debug, PartialEq, Eq)]
struct Complaint<'a> {
    file: &'a str,
    /// Both counted from 1.
    line: usize,
    column: usize,
    message: &'a str,
}

/// A file that is searched for and is not there.
const MISSING: [&str; 2] = [": No such file or directory", " file not found"];

/// The findings; `text_of` gives what a file holds. Empty where anything has no place, or the run was cut off.
pub(crate) fn placed(
    failure: &Diagnostic,
    mut text_of: impl FnMut(&str) -> Option<String>,
    report: &mut Report,
) -> Vec<Diagnostic> {
    let complaints: Vec<Complaint<'_>> = failure.notes.iter().filter_map(|note| complaint(note)).collect();
    let includers: Vec<&String> = failure.notes.iter().filter(|note| is_includer(note)).collect();
    let errors = failure.notes.iter().filter(|note| note.contains("error: ")).count();
    if failure.help.is_some() || complaints.len() < errors {
        return Vec::new();
    }
    let mut files: Vec<(&str, String, FileId)> = Vec::new();
    let mut findings = Vec::new();
    for complaint in &complaints {
        if !files.iter().any(|(name, ..)| *name == complaint.file) {
            let Some(text) = text_of(complaint.file) else { return Vec::new() };
            let id = report.sources.add(complaint.file, text.as_str());
            files.push((complaint.file, text, id));
        }
        let text = files.iter().find(|(name, ..)| *name == complaint.file);
        let Some(finding) = text.and_then(|(_, text, id)| finding(failure, complaint, text, *id)) else {
            return Vec::new();
        };
        findings.push(includers.iter().fold(finding, |finding, note| finding.note(note.trim_end_matches([':', ',']))));
    }
    findings
}

/// The lines before an error in an included file.
fn is_includer(note: &str) -> bool {
    note.starts_with("In file included from ") || note.trim_start().starts_with("from ")
}

fn complaint(note: &str) -> Option<Complaint<'_>> {
    let (place, message) = note.split_once(": fatal error: ").or_else(|| note.split_once(": error: "))?;
    let (place, column) = place.rsplit_once(':')?;
    let (file, line) = place.rsplit_once(':')?;
    Some(Complaint { file, line: line.parse().ok()?, column: column.parse().ok()?, message })
}

fn finding(failure: &Diagnostic, complaint: &Complaint<'_>, text: &str, file: FileId) -> Option<Diagnostic> {
    let before: usize = text.split_inclusive('\n').take(complaint.line.checked_sub(1)?).map(str::len).sum();
    let line = text.get(before..)?.lines().next()?;
    let missing = MISSING.iter().find_map(|end| complaint.message.strip_suffix(end));
    let missing = missing.map(|name| name.trim_matches('\''));
    let (start, end) = match missing.and_then(|name| Some((name, line.find(name)?))) {
        // Its quotes belong to it.
        Some((name, at)) if at > 0 => (at - 1, (at + name.len() + 1).min(line.len())),
        _ => word_at(line, complaint.column),
    };
    let offset = |at: usize| u32::try_from(before + at).unwrap_or(u32::MAX);
    let span = Span::new(file, offset(start), offset(end));
    let message = match missing {
        Some(name) => format!("cannot find the included file `{name}`"),
        None => format!("C preprocessor: {}", complaint.message),
    };
    let finding = Diagnostic { message, notes: Vec::new(), ..failure.clone() }.at(span, "");
    Some(match missing {
        Some(_) => {
            finding.help("name the folder that it is in with `-I FOLDER` (`whittle rpcgen`: `--include FOLDER`)")
        }
        None => finding,
    })
}

/// The word at a column, at least one character. gcc counts as a terminal shows it, with tabs of eight.
fn word_at(line: &str, column: usize) -> (usize, usize) {
    let mut shown = 0;
    let places = line.char_indices().map(|(at, character)| {
        let before = shown;
        shown = if character == '\t' { shown / 8 * 8 + 8 } else { shown + 1 };
        (before, at)
    });
    let start = places.take_while(|(before, _)| *before < column.max(1)).last().map_or(0, |(_, at)| at);
    let is_part = |character: char| character.is_ascii_alphanumeric() || character == '_';
    let rest = &line[start..];
    let first = rest.chars().next().map_or(0, char::len_utf8);
    (start, start + rest.find(|character| !is_part(character)).unwrap_or(rest.len()).max(first))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "const A = 1;\n#include \"gone.x\"\n#\terror two words\n";

    fn shown(notes: &[&str]) -> Vec<String> {
        let failure = notes.iter().fold(Diagnostic::error("host-003", "failed"), |all, note| all.note(*note));
        let mut report = Report::default();
        let text_of = |name: &str| (name == "a.x").then(|| TEXT.to_owned());
        let findings = placed(&failure, text_of, &mut report);
        let place =
            |finding: &Diagnostic| finding.primary.as_ref().map(|label| report.sources.slice(label.span).to_owned());
        findings.iter().map(|finding| format!("{}: {}", place(finding).unwrap_or_default(), finding.message)).collect()
    }

    #[test]
    fn a_missing_file_is_found_in_its_line_whoever_says_so() {
        let expected = ["\"gone.x\": cannot find the included file `gone.x`"];
        assert_eq!(
            shown(&["a.x:2:10: fatal error: gone.x: No such file or directory", "compilation terminated."]),
            expected
        );
        assert_eq!(shown(&["a.x:2:10: fatal error: 'gone.x' file not found"]), expected);
    }

    #[test]
    fn columns_that_count_tabs_stay_in_the_line() {
        assert_eq!(shown(&["a.x:3:9: error: #error two words"]), ["error: C preprocessor: #error two words"]);
        assert_eq!(shown(&["a.x:3:900: error: #error"]), ["s: C preprocessor: #error"]);
    }

    #[test]
    fn what_has_no_place_is_left_as_it_was() {
        assert!(shown(&["cpp: error: no such option"]).is_empty());
        assert!(shown(&["b.x:1:1: error: unknown"]).is_empty());
        assert!(shown(&["a.x:9:1: error: behind the end"]).is_empty());
        assert!(shown(&["a.x:1:1: error: one", "cc1: error: another"]).is_empty());
    }
}
