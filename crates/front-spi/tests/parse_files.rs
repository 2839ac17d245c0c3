//! The files of `tests/spi`: good ones beside the XIP that they are (`.xip`), bad ones beside what is said of them
//! (`.stderr`). Warnings of good files stand in a `.stderr` too.
//!
//! In bad files a comment `//~ error[spi-014]` says what is expected on its line. `BLESS=1` rewrites the
//! expectations; read them before you commit.

mod files;

use files::{compare, inputs, load, report};
use source::{Diagnostic, Severity, SourceMap, render};

fn parse(map: &SourceMap, file: source::FileId) -> (xip::Xip, Vec<Diagnostic>) {
    front_spi::parse(map, file, &front_spi::Options::default())
}

#[test]
fn good_files_are_what_stands_beside_them() {
    let mut failures = Vec::new();
    for path in inputs("good") {
        let (map, file) = load(&path);
        let (xip, findings) = parse(&map, file);
        let shown = render::full(&map, &findings);
        if findings.iter().any(Diagnostic::is_error) {
            failures.push(format!("{}\n{shown}", path.display()));
        }
        compare(&path, "xip", &xip::xml::write(&xip), &mut failures);
        compare(&path, "stderr", &shown, &mut failures);
    }
    report(&failures);
}

#[test]
fn good_flows_hold_to_what_they_promise() {
    let mut failures = Vec::new();
    for path in inputs("good") {
        let (map, file) = load(&path);
        let (xip, _) = parse(&map, file);
        if xip.imports().count() > 0 {
            // Their types are the driver's to find.
            continue;
        }
        let checked = xip::checks::check(&xip, &[], &xip::checks::Options { encodings: &["xdr"] });
        if checked.findings.iter().any(Diagnostic::is_error) {
            failures.push(format!("{}\n{}", path.display(), render::full(&map, &checked.findings)));
        }
    }
    report(&failures);
}

#[test]
fn bad_files_are_told_what_stands_beside_them() {
    let mut failures = Vec::new();
    for path in inputs("bad") {
        let (map, file) = load(&path);
        let (_, findings) = parse(&map, file);
        if findings.is_empty() {
            failures.push(format!("{}: nothing is found", path.display()));
        }
        compare(&path, "stderr", &render::full(&map, &findings), &mut failures);
        let (expected, found) = (announced(map.text(file)), places(&map, &findings));
        if expected != found {
            failures.push(format!("{}\nannounced: {expected:?}\nfound:     {found:?}", path.display()));
        }
    }
    report(&failures);
}

#[test]
fn findings_stand_in_the_order_of_their_places() {
    for path in inputs("bad") {
        let (map, file) = load(&path);
        let starts: Vec<_> =
            parse(&map, file).1.iter().map(|finding| finding.primary.as_ref().map(|label| label.span.start)).collect();
        assert!(starts.is_sorted(), "{}", path.display());
    }
}

/// What the comments of a file expect: line and code.
fn announced(text: &str) -> Vec<(usize, String)> {
    let mut expected = Vec::new();
    for (index, line) in text.lines().enumerate() {
        if let Some((_, list)) = line.split_once("//~") {
            expected.extend(list.split_whitespace().map(|finding| (index + 1, finding.to_owned())));
        }
    }
    expected.sort();
    expected
}

fn places(map: &SourceMap, findings: &[Diagnostic]) -> Vec<(usize, String)> {
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
