//! Diagnostic codes: each made in one place, explained there with an example, and met by a test.

use std::collections::{BTreeMap, BTreeSet};

use crate::errors::{Example, examples, explanations};
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
    let examples: Vec<Example> = files.iter().flat_map(examples).collect();
    for code in examples.iter().map(|example| &example.code).filter(|code| !explained.contains(code)) {
        problems.push(format!("`{code}` has an example, but no explanation where it is made"));
    }
    // A family without any example yet belongs to a stage that no command runs.
    let families: BTreeSet<&str> = examples.iter().map(|example| family(&example.code)).collect();
    for code in explained.iter().filter(|code| families.contains(family(code))) {
        if !examples.iter().any(|example| example.code == *code && example.is_complete()) {
            problems.push(format!("`{code}` has no example: a section `## {code}` of a `.md` file beside the source"));
        }
    }
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

/// The letters of a code, which its stage's codes share.
fn family(code: &str) -> &str {
    code.rsplit_once('-').map_or(code, |(family, _)| family)
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
        let source = file("crates/a/src/errors.rs", MADE);
        let example = file("crates/a/src/errors.md", "\n## abc-001\nSo.\n\nWrong:\nRight:\n");
        let golden = file("tests/a/b.stderr", "error[abc-001]: wrong\n");
        assert_eq!(check(&[source, example, golden]), Vec::<String>::new());
    }

    #[test]
    fn where_one_code_has_an_example_all_have() {
        let made = MADE.replace("abc-001", "abc-002") + &MADE[5..];
        let source = file("crates/a/src/errors.rs", &made);
        let example = file("crates/a/src/errors.md", "\n## abc-001\nSo.\n\nNo example: none.\n");
        let golden = file("tests/a/b.stderr", "abc-001 abc-002");
        let problems = check(&[source, example, golden]);
        assert!(problems.len() == 1 && problems[0].contains("`abc-002` has no example"), "{problems:?}");
    }

    #[test]
    fn a_code_without_a_test_or_made_twice_is_found() {
        let files = [file("crates/a/src/errors.rs", MADE), file("crates/b/src/errors.rs", MADE)];
        assert_eq!(check(&files).len(), 3);
    }
}
