//! The files of `tests/mig`: good ones are read without a word, bad ones stand beside what is said of them (`.stderr`), and `../direct`
//! has one that is only data, beside its interface (`.aoi`).
//!
//! In bad files a comment `//~ error[mig-014]` says what is expected on its line. `BLESS=1` rewrites the
//! expectations; read them before you commit.

use std::path::{Path, PathBuf};

use filetest::announced::bad_files;
use filetest::files::{Failures, load};
use source::{Diagnostic, SourceMap, render};

fn inputs(name: &str) -> Vec<PathBuf> {
    filetest::files::inputs(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/mig").join(name), "defs")
}

fn parse(map: &SourceMap, file: source::FileId) -> (mig::Subsystem, Vec<Diagnostic>) {
    front_mig::parse(map, file, &front_mig::Options::default())
}

#[test]
fn good_files_are_read_without_a_word() {
    let mut failures = Failures::default();
    for path in inputs("good") {
        let (map, file) = load(&path);
        let (subsystem, findings) = parse(&map, file);
        if !findings.is_empty() || subsystem.routines.is_empty() {
            failures.add(format!("{}\n{}", path.display(), render::full(&map, &findings)));
        }
    }
    failures.report("front-mig");
}

#[test]
fn bad_files_get_the_errors_beside_them() {
    bad_files("front-mig", inputs("bad"), |map, file| parse(map, file).1);
}

/// The interface that any link can carry.
fn parse_data(map: &SourceMap, file: source::FileId) -> (aoi::Aoi, Vec<Diagnostic>) {
    front_mig::parse_data(map, file, &front_mig::Options::default())
}

#[test]
fn data_becomes_an_interface() {
    let mut failures = Failures::default();
    for path in inputs("../direct") {
        let (map, file) = load(&path);
        let (interface, findings) = parse_data(&map, file);
        if !findings.is_empty() || !aoi::verify(&interface).is_empty() {
            failures.add(format!("{}\n{}", path.display(), render::full(&map, &findings)));
        }
        failures.compare(&path, "aoi", &aoi::text::print(&interface));
    }
    failures.report("front-mig");
}

#[test]
fn what_is_no_data_is_refused_as_written_beside_it() {
    bad_files("front-mig", inputs("no_data"), |map, file| parse_data(map, file).1);
}

#[test]
fn places_follow_line_markers() {
    let mut map = SourceMap::new();
    let text = "# 1 \"main.defs\"\nsubsystem demo 500;\n# 7 \"types.defs\" 1\ntype count_t = nope_t;\n";
    let file = map.add_preprocessed("<stdin>", text);
    let (_, findings) = parse(&map, file);
    let place = findings[0].primary.as_ref().and_then(|label| map.place(label.span)).expect("a place");
    assert_eq!((place.file, place.line), ("types.defs", 7));
}

#[test]
fn nesting_is_bounded() {
    // As much as the command has would be too much for a test; as little as a test has is too little for an unoptimized one.
    let thread = std::thread::Builder::new().stack_size(64 << 20).spawn(deep_texts).expect("a thread");
    thread.join().expect("no panic");
}

fn deep_texts() {
    for piece in ["^", "array[2] of ", "struct { ", "("] {
        let text = format!("subsystem x 1;\ntype t = {}int;", piece.repeat(200_000));
        let mut map = SourceMap::new();
        let file = map.add("deep.defs", text.as_str());
        assert!(parse(&map, file).1.iter().any(Diagnostic::is_error), "{piece}");
    }
    let sum = format!("subsystem x 1;\ntype t = array[{}1] of int;", "(".repeat(200_000));
    let mut map = SourceMap::new();
    let file = map.add("deep.defs", sum.as_str());
    assert!(parse(&map, file).1.iter().any(|finding| finding.code == "limit-001"));
}
