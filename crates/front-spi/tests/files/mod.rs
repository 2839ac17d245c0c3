//! The files of `tests/spi`, and what stands beside them.

use source::{FileId, SourceMap};
use std::fs;
use std::path::{Path, PathBuf};

/// The `.spi` files of a folder, by name.
pub(crate) fn inputs(name: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/spi").join(name);
    let entries = fs::read_dir(folder).expect("the folder of tests exists");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a readable folder").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "spi"));
    paths.sort();
    assert!(!paths.is_empty(), "there are tests in {name}");
    paths
}

/// The text of a file.
pub(crate) fn read(path: &Path) -> String {
    fs::read_to_string(path).expect("a test is UTF-8")
}

/// The file in a map of its own.
#[allow(dead_code, reason = "not every test that shares this file reads single ones")]
pub(crate) fn load(path: &Path) -> (SourceMap, FileId) {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let mut map = SourceMap::new();
    let file = map.add(name, read(path));
    (map, file)
}

/// Compares with the file beside the input, or rewrites that; an absent file is an empty one.
#[allow(dead_code, reason = "not every test that shares this file compares")]
pub(crate) fn compare(path: &Path, extension: &str, actual: &str, failures: &mut Vec<String>) {
    let expectation = path.with_extension(extension);
    let expected = fs::read_to_string(&expectation).unwrap_or_default();
    if expected == actual {
        return;
    }
    if std::env::var_os("BLESS").is_none() {
        let diff = similar::TextDiff::from_lines(expected.as_str(), actual);
        failures.push(format!("{}\n{}", expectation.display(), diff.unified_diff()));
    } else if actual.is_empty() {
        fs::remove_file(&expectation).expect("the expectation can be removed");
    } else {
        fs::write(&expectation, actual).expect("the expectation can be written");
    }
}

/// Fails with all that was found.
#[allow(dead_code, reason = "not every test that shares this file compares")]
#[track_caller]
pub(crate) fn report(failures: &[String]) {
    assert!(failures.is_empty(), "{}\nto accept: BLESS=1 cargo test -p front-spi", failures.join("\n"));
}
