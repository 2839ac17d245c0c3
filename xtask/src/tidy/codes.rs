//! Diagnostic codes: each made in one place, explained there, and met by a test.

use std::collections::{BTreeMap, BTreeSet};

use crate::errors::explanations;
use crate::tree::File;

pub(super) fn check(files: &[File]) -> Vec<String> {
    let mut problems = Vec::new();
    let mut made: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for file in files.iter().filter(|file| is_product(&file.path)) {
        for code in codes_made(product_text(&file.text)) {
            made.entry(code).or_default().push(file.path.clone());
        }
    }
    for (code, paths) in &made {
        if paths.len() > 1 {
            problems.push(format!("`{code}` is made in several places: {}", paths.join(", ")));
        }
    }
    let explained: Vec<String> = files.iter().flat_map(explanations).map(|explanation| explanation.code).collect();
    let mut once = BTreeSet::new();
    problems.extend(
        explained
            .iter()
            .filter(|code| !once.insert(*code))
            .map(|code| format!("`{code}` is explained in several places")),
    );
    let tests: Vec<&str> = files.iter().map(test_text).filter(|text| !text.is_empty()).collect();
    for code in made.keys() {
        if !explained.contains(code) {
            problems.push(format!("`{code}` has no explanation: a comment \"/// `{code}`: …\" where it is made"));
        }
        if !tests.iter().any(|text| text.contains(code.as_str())) {
            problems.push(format!("`{code}` has no test that names it"));
        }
    }
    problems
}

fn is_product(path: &str) -> bool {
    path.ends_with(".rs") && path.starts_with("crates/") && path.contains("/src/") && !path.ends_with("/tests.rs")
}

/// The part of a file before its tests.
fn product_text(text: &str) -> &str {
    text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(text)
}

/// The part of a file that is test, or a golden.
fn test_text(file: &File) -> &str {
    if file.path.starts_with("tests/") || file.path.contains("/tests/") || file.path.ends_with("/tests.rs") {
        return &file.text;
    }
    if is_product(&file.path) {
        return &file.text[product_text(&file.text).len()..];
    }
    ""
}

/// The codes that a text gives to diagnostics.
fn codes_made(text: &str) -> Vec<String> {
    let mut codes = Vec::new();
    for call in ["Diagnostic::error(", "Diagnostic::warning("] {
        for (at, _) in text.match_indices(call) {
            let argument = text[at + call.len()..].trim_start();
            let code = argument.strip_prefix('"').and_then(|rest| rest.split('"').next());
            codes.extend(code.map(str::to_owned));
        }
    }
    codes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> File {
        File { path: path.into(), text: text.into() }
    }

    const MADE: &str = "//! x\n/// `abc-001`: a thing is wrong.\nfn f() { Diagnostic::error(\"abc-001\", \"\") }\n";

    #[test]
    fn a_code_that_is_explained_and_tested_is_fine() {
        let files = [file("crates/a/src/errors.rs", MADE), file("tests/a/b.stderr", "error[abc-001]: wrong\n")];
        assert_eq!(check(&files), Vec::<String>::new());
    }

    #[test]
    fn a_code_without_a_test_or_made_twice_is_found() {
        let files = [file("crates/a/src/errors.rs", MADE), file("crates/b/src/errors.rs", MADE)];
        assert_eq!(check(&files).len(), 3);
    }
}
