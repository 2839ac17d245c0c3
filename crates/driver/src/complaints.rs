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

/// Files that include each other without end. Each level has errors of its own; the first says all.
const TOO_DEEP: &str = "#include nested";
const GUARDS: &str = "a file includes itself, or files include each other: begin each of them with `#ifndef NAME` and \
                      `#define NAME`, and end it with `#endif`";

/// So many of the lines are shown that say which file included which.
const INCLUDERS: usize = 5;

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
    let mut is_too_deep = false;
    for complaint in &complaints {
        if complaint.message.starts_with(TOO_DEEP) && std::mem::replace(&mut is_too_deep, true) {
            continue;
        }
        if !files.iter().any(|(name, ..)| *name == complaint.file) {
            let Some(text) = text_of(complaint.file) else { return Vec::new() };
            let id = report.sources.add(complaint.file, text.as_str());
            files.push((complaint.file, text, id));
        }
        let text = files.iter().find(|(name, ..)| *name == complaint.file);
        let Some(finding) = text.and_then(|(_, text, id)| finding(failure, complaint, text, *id)) else {
            return Vec::new();
        };
        let shown = includers.iter().take(INCLUDERS).map(|note| note.trim_end_matches([':', ',']).to_owned());
        let more = includers.len().checked_sub(INCLUDERS).filter(|more| *more > 0);
        let more = more.map(|more| format!("and from {more} more"));
        findings.push(shown.chain(more).fold(finding, |finding, note| finding.note(note)));
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
    let is_too_deep = complaint.message.starts_with(TOO_DEEP);
    let (start, end) = match missing.and_then(|name| Some((name, line.find(name)?))) {
        // Its quotes belong to it.
        Some((name, at)) if at > 0 => (at - 1, (at + name.len() + 1).min(line.len())),
        // gcc points behind the name, clang at it.
        _ if is_too_deep => (line.find(['"', '<']).unwrap_or(0), line.trim_end().len()),
        _ => word_at(line, complaint.column),
    };
    let offset = |at: usize| u32::try_from(before + at).unwrap_or(u32::MAX);
    let span = Span::new(file, offset(start), offset(end));
    let message = match missing {
        Some(name) => format!("cannot find the included file `{name}`"),
        None if is_too_deep => "included files nest too deeply".to_owned(),
        None => format!("C preprocessor: {}", complaint.message),
    };
    let finding = Diagnostic { message, notes: Vec::new(), ..failure.clone() }.at(span, "");
    Some(match missing {
        Some(_) => {
            finding.help("name the folder that it is in with `-I FOLDER` (`whittle rpcgen`: `--include FOLDER`)")
        }
        None if is_too_deep => finding.help(GUARDS),
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
    fn files_that_include_each_other_are_reported_once() {
        let gcc = "a.x:2:16: error: #include nested depth 200 exceeds maximum of 200 (use -fmax-include-depth=DEPTH)";
        let expected = ["\"gone.x\": included files nest too deeply"];
        assert_eq!(shown(&[gcc, gcc, gcc]), expected);
        assert_eq!(shown(&["a.x:2:10: error: #include nested too deeply"]), expected);
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
