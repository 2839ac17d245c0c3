//! Files of a language beside what is made of them. In: a folder of inputs. Out: each in a map of its own; what came of
//! it is compared with the file of the same name and another extension, or with `BLESS=1` written there.

use std::fs;
use std::path::{Path, PathBuf};

use source::{FileId, SourceMap};

/// The inputs of a folder by their extension, by name.
///
/// # Panics
/// Where there are none: a folder without tests is a mistake.
pub fn inputs(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder of tests exists");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a readable folder").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|found| found == extension));
    paths.sort();
    assert!(!paths.is_empty(), "there are tests in {}", folder.display());
    paths
}

/// The text of a file.
///
/// # Panics
/// Where it is no text.
pub fn read(path: &Path) -> String {
    fs::read_to_string(path).expect("a test is UTF-8")
}

/// The file as its test wants it read: what begins with line markers counts as preprocessed, and `NAME.d` holds the
/// original files.
///
/// # Panics
/// Where it is no text.
pub fn load(path: &Path) -> (SourceMap, FileId) {
    let text = read(path);
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let mut map = SourceMap::new();
    for entry in fs::read_dir(path.with_extension("d")).into_iter().flatten() {
        let original = entry.expect("a readable folder");
        map.add_original(original.file_name().to_string_lossy(), read(&original.path()));
    }
    let file = if text.starts_with("# ") { map.add_preprocessed(name, text) } else { map.add(name, text) };
    (map, file)
}

/// What does not hold, all of it reported at once.
#[derive(Debug, Default)]
pub struct Failures(Vec<String>);

impl Failures {
    /// Notes one.
    pub fn add(&mut self, failure: String) {
        self.0.push(failure);
    }

    /// Compares with the file beside the input, or rewrites that; an absent file is an empty one.
    ///
    /// # Panics
    /// Where an expectation cannot be written.
    pub fn compare(&mut self, path: &Path, extension: &str, actual: &str) {
        let expectation = path.with_extension(extension);
        let expected = fs::read_to_string(&expectation).unwrap_or_default();
        if expected == actual {
            return;
        }
        if std::env::var_os("BLESS").is_none() {
            let diff = similar::TextDiff::from_lines(expected.as_str(), actual);
            self.add(format!("{}\n{}", expectation.display(), diff.unified_diff()));
        } else if actual.is_empty() {
            fs::remove_file(&expectation).expect("the expectation can be removed");
        } else {
            fs::write(&expectation, actual).expect("the expectation can be written");
        }
    }

    /// Fails with all of them.
    ///
    /// # Panics
    /// Where there are any.
    #[track_caller]
    pub fn report(&self, package: &str) {
        assert!(self.0.is_empty(), "{}\nto accept: BLESS=1 cargo test -p {package}", self.0.join("\n"));
    }
}
