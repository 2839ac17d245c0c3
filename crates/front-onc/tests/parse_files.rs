//! The files of `tests/parse/onc`: good ones beside the AOI that they are (`.aoi`), bad ones beside what is said of
//! them (`.stderr`). Warnings of good files stand in a `.stderr` too.
//!
//! In bad files a comment `//~ error[onc-014]` says what is expected on its line. `BLESS=1` rewrites the
//! expectations; read them before you commit.

use source::{Diagnostic, FileId, Severity, SourceMap, render};
use std::fs;
use std::path::{Path, PathBuf};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/parse/onc").join(name)
}

/// The `.x` files of a folder, by name.
fn inputs(name: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder(name)).expect("the folder of tests exists");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a readable folder").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "x"));
    paths.sort();
    assert!(!paths.is_empty(), "there are tests in {name}");
    paths
}

/// The file as its test wants it read: what begins with line markers counts as preprocessed, and `NAME.d` holds the
/// original files.
fn load(path: &Path) -> (SourceMap, FileId) {
    let text = fs::read_to_string(path).expect("a test is UTF-8");
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let mut map = SourceMap::new();
    let originals = path.with_extension("d");
    if let Ok(entries) = fs::read_dir(originals) {
        for entry in entries {
            let original = entry.expect("a readable folder");
            let content = fs::read_to_string(original.path()).expect("a test is UTF-8");
            map.add_original(original.file_name().to_string_lossy(), content);
        }
    }
    let file = if text.starts_with("# ") { map.add_preprocessed(name, text) } else { map.add(name, text) };
    (map, file)
}

/// Compares with the file beside the input, or rewrites that; an absent file is an empty one.
fn compare(path: &Path, extension: &str, actual: &str, failures: &mut Vec<String>) {
    let expectation = path.with_extension(extension);
    let expected = fs::read_to_string(&expectation).unwrap_or_default();
    if expected == actual {
        return;
    }
    if std::env::var_os("BLESS").is_some() {
        if actual.is_empty() {
            fs::remove_file(&expectation).expect("the expectation can be removed");
        } else {
            fs::write(&expectation, actual).expect("the expectation can be written");
        }
        return;
    }
    let diff = similar::TextDiff::from_lines(expected.as_str(), actual);
    failures.push(format!("{}\n{}", expectation.display(), diff.unified_diff()));
}

#[track_caller]
fn report(failures: &[String]) {
    assert!(failures.is_empty(), "{}\nto accept: BLESS=1 cargo test -p front-onc", failures.join("\n"));
}

#[test]
fn good_files_are_what_stands_beside_them() {
    let mut failures = Vec::new();
    for path in inputs("good") {
        let (map, file) = load(&path);
        let (aoi, findings) = front_onc::parse(&map, file, &front_onc::Options::default());
        let shown = render::full(&map, &findings);
        if findings.iter().any(Diagnostic::is_error) {
            failures.push(format!("{}\n{shown}", path.display()));
        }
        let text = aoi::text::print(&aoi);
        compare(&path, "aoi", &text, &mut failures);
        compare(&path, "stderr", &shown, &mut failures);

        let broken = aoi::verify(&aoi);
        if !broken.is_empty() {
            failures.push(format!("{} is not good AOI: {broken:?}", path.display()));
        }
        let (read, errors) = aoi::text::parse(&text);
        if !errors.is_empty() || read != aoi.without_spans() {
            failures.push(format!("{}: the text form reads back differently: {errors:?}", path.display()));
        }
    }
    report(&failures);
}

#[test]
fn bad_files_are_told_what_stands_beside_them() {
    let mut failures = Vec::new();
    for path in inputs("bad") {
        let (map, file) = load(&path);
        let (_, findings) = front_onc::parse(&map, file, &front_onc::Options::default());
        if !findings.iter().any(Diagnostic::is_error) {
            failures.push(format!("{}: no error", path.display()));
        }
        compare(&path, "stderr", &render::full(&map, &findings), &mut failures);
        let is_plain = map.marked_files(file).is_empty();
        let (expected, found) = (announced(map.text(file)), places(&map, &findings));
        if is_plain && expected != found {
            failures.push(format!("{}\nannounced: {expected:?}\nfound:     {found:?}", path.display()));
        }
    }
    report(&failures);
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
