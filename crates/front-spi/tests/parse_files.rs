//! The files of `tests/spi`: good ones beside the XIP that they are (`.xip`), bad ones beside what is said of them
//! (`.stderr`). Warnings of good files stand in a `.stderr` too.
//!
//! In bad files a comment `//~ error[spi-014]` says what is expected on its line. `BLESS=1` rewrites the
//! expectations; read them before you commit.

mod files;

use files::inputs;
use filetest::announced::bad_files;
use filetest::files::{Failures, load};
use source::{Diagnostic, SourceMap, render};

fn parse(map: &SourceMap, file: source::FileId) -> (xip::Xip, Vec<Diagnostic>) {
    front_spi::parse(map, file, &front_spi::Options::default())
}

#[test]
fn good_files_are_what_stands_beside_them() {
    let mut failures = Failures::default();
    for path in inputs("good") {
        let (map, file) = load(&path);
        let (xip, findings) = parse(&map, file);
        let shown = render::full(&map, &findings);
        if findings.iter().any(Diagnostic::is_error) {
            failures.add(format!("{}\n{shown}", path.display()));
        }
        failures.compare(&path, "xip", &xip::xml::write(&xip));
        failures.compare(&path, "stderr", &shown);
    }
    failures.report("front-spi");
}

#[test]
fn good_flows_hold_to_what_they_promise() {
    let mut failures = Failures::default();
    for path in inputs("good") {
        let (map, file) = load(&path);
        let (xip, _) = parse(&map, file);
        if xip.imports().count() > 0 {
            // Their types are the driver's to find.
            continue;
        }
        let checked = xip::checks::check(
            &xip,
            &[],
            &xip::checks::Options { encodings: &["xdr", "protobuf"], limits: source::Limits::default() },
        );
        if checked.findings.iter().any(Diagnostic::is_error) {
            failures.add(format!("{}\n{}", path.display(), render::full(&map, &checked.findings)));
        }
    }
    failures.report("front-spi");
}

#[test]
fn bad_files_get_the_errors_beside_them() {
    bad_files("front-spi", inputs("bad"), |map, file| parse(map, file).1);
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
