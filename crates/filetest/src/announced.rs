//! Findings that a file announces itself: a comment `//~ error[onc-014]` says what is expected on its line.

use std::path::PathBuf;

use source::{Diagnostic, FileId, Severity, SourceMap, render};

use crate::files::{Failures, load};

/// What the comments of a file expect: line and code, in order.
pub fn announced(text: &str) -> Vec<(usize, String)> {
    let mut expected = Vec::new();
    for (index, line) in text.lines().enumerate() {
        if let Some((_, list)) = line.split_once("//~") {
            expected.extend(list.split_whitespace().map(|finding| (index + 1, finding.to_owned())));
        }
    }
    expected.sort();
    expected
}

/// What was found, in the same form; line 0 is no place at all.
pub fn found(map: &SourceMap, findings: &[Diagnostic]) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for finding in findings {
        let word = match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let place = finding.primary.as_ref().and_then(|label| map.place(label.span));
        found.push((place.map_or(0, |place| place.line), format!("{word}[{}]", finding.code)));
    }
    found.sort();
    found
}

/// Reads files in which there is an error each: what is said stands beside them (`.stderr`), and what they announce is found.
/// Files with lines of a preprocessor announce nothing.
///
/// # Panics
/// Where that does not hold.
pub fn bad_files(package: &str, paths: Vec<PathBuf>, parse: impl Fn(&SourceMap, FileId) -> Vec<Diagnostic>) {
    let mut failures = Failures::default();
    for path in paths {
        let (map, file) = load(&path);
        let findings = parse(&map, file);
        if !findings.iter().any(Diagnostic::is_error) {
            failures.add(format!("{}: no error", path.display()));
        }
        failures.compare(&path, "stderr", &render::full(&map, &findings));
        let is_plain = map.marked_files(file).is_empty();
        let (expected, found) = (announced(map.text(file)), found(&map, &findings));
        if is_plain && expected != found {
            failures.add(format!("{}\nannounced: {expected:?}\nfound:     {found:?}", path.display()));
        }
    }
    failures.report(package);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_findings_meet() {
        let text = "a\nb //~ warning[x-002] error[x-001]\n";
        let mut map = SourceMap::new();
        let file = map.add("t", text);
        let at = source::Span::new(file, 2, 3);
        let findings = [Diagnostic::error("x-001", "").at(at, ""), Diagnostic::warning("x-002", "").at(at, "")];
        assert_eq!(announced(text), found(&map, &findings));
        assert_eq!(found(&map, &[Diagnostic::error("x-003", "")]), [(0, "error[x-003]".to_owned())]);
    }
}
