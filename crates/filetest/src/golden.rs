//! Goldens: an input, its expectations beside it, a difference when they part.

use std::fs;
use std::path::{Path, PathBuf};

use libtest_mimic::Failed;
use similar::TextDiff;

/// An input and one expectation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Golden {
    pub input: PathBuf,
    pub expectation: PathBuf,
    /// The expectation's extension: what is tested.
    pub kind: String,
    /// What the input's first line says: `/* whittle: -N --strict */`.
    pub options: Vec<String>,
}

impl Golden {
    /// The case's name: where the expectation is, seen from `root`.
    pub fn name(&self, root: &Path) -> String {
        self.expectation.strip_prefix(root).unwrap_or(&self.expectation).display().to_string()
    }
}

/// Every golden below `folder`: a file whose name ends with `.input_extension`, and each file beside it that has the
/// same stem and another extension.
pub fn find(folder: &Path, input_extension: &str) -> Vec<Golden> {
    let mut found = Vec::new();
    for input in files_below(folder).into_iter().filter(|path| extension(path) == input_extension) {
        let options = options(&String::from_utf8_lossy(&fs::read(&input).unwrap_or_default()));
        for expectation in files_below(input.parent().unwrap_or(folder)) {
            let kind = extension(&expectation);
            if kind != input_extension && expectation.with_extension("") == input.with_extension("") {
                found.push(Golden { input: input.clone(), expectation, kind, options: options.clone() });
            }
        }
    }
    found
}

fn extension(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().into_owned()
}

/// Every file below a folder, in order of its path.
pub fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files_below(&path));
        } else {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The words after `whittle:` on the first line, up to the end of the comment.
fn options(text: &str) -> Vec<String> {
    let first = text.lines().next().unwrap_or_default();
    let Some((_, rest)) = first.split_once("whittle:") else { return Vec::new() };
    let words = rest.split("*/").next().unwrap_or_default();
    words.split_whitespace().map(str::to_owned).collect()
}

/// Compares, or, with `BLESS=1`, rewrites the expectation.
pub fn check(golden: &Golden, actual: &str, bless_command: &str) -> Result<(), Failed> {
    if std::env::var_os("BLESS").is_some_and(|value| value == "1") {
        return fs::write(&golden.expectation, actual).map_err(|problem| problem.to_string().into());
    }
    let expected = fs::read_to_string(&golden.expectation)
        .map_err(|problem| format!("{}: {problem}; to write it: {bless_command}", golden.expectation.display()))?;
    if expected == actual {
        return Ok(());
    }
    let difference = difference(&expected, actual);
    Err(format!("{}\n{difference}\nto accept it: {bless_command}", golden.expectation.display()).into())
}

/// What changed, with some lines around.
pub fn difference(expected: &str, actual: &str) -> String {
    TextDiff::from_lines(expected, actual).unified_diff().context_radius(3).header("expected", "actual").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_stand_in_a_comment_on_the_first_line() {
        assert_eq!(options("/* whittle: -N --strict */\nconst A = 1;\n"), ["-N", "--strict"]);
        assert_eq!(options("// whittle: rpcgen -h\n"), ["rpcgen", "-h"]);
        assert_eq!(options("const A = 1; \n/* whittle: -N */\n"), Vec::<String>::new());
    }

    #[test]
    fn a_difference_shows_both_sides() {
        let text = difference("a\nb\n", "a\nc\n");
        assert!(text.contains("-b\n+c\n"), "{text}");
    }
}
