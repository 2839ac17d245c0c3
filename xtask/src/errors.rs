//! `docs/errors.md`: every diagnostic's code and explanation, from the places where they are made.
//!
//! In: comments that begin "`code-001`: what is wrong.", and the `.md` files beside them, where a section `## code-001`
//! says what the message means, with a wrong example and the right one. Out: one page in order of code, which
//! `whittle explain` reads; a test of `cli` runs the examples.

use crate::tree::{self, File};

const PAGE: &str = "docs/errors.md";

const INTRODUCTION: &str = "\
# Diagnostics

After this page you know what each error code means, with a wrong example and the right one. `whittle explain CODE` prints a section.
A code never changes its meaning. The page is made by `cargo xtask errors` from the sources; `cargo test -p whittle --test explanations`
runs the examples.
";

/// One code and what is said about it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Explanation {
    pub(crate) code: String,
    /// What is wrong, in a sentence.
    title: String,
    /// The rest, perhaps empty.
    text: String,
}

/// What a file beside the sources says about a code: its meaning and its examples.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Example {
    pub(crate) code: String,
    pub(crate) text: String,
}

impl Example {
    /// True where both examples are there, or the reason why there are none.
    pub(crate) fn is_complete(&self) -> bool {
        let has = |word: &str| self.text.lines().any(|line| line.starts_with(word));
        has("No example:") || (has("Wrong:") && has("Right:"))
    }
}

/// Writes the page; when `check_only`, says whether it is up to date.
pub(crate) fn run(check_only: bool) -> Result<(), Vec<String>> {
    let page = page(&tree::files()?);
    let path = tree::root().join(PAGE);
    let present = std::fs::read_to_string(&path).unwrap_or_default();
    if present == page {
        Ok(())
    } else if check_only {
        Err(vec![format!("{PAGE} is out of date: cargo xtask errors")])
    } else {
        std::fs::write(path, page).map_err(|problem| vec![format!("{PAGE}: {problem}")])
    }
}

fn page(files: &[File]) -> String {
    let mut all: Vec<Explanation> = files.iter().flat_map(explanations).collect();
    all.sort_by(|one, other| one.code.cmp(&other.code));
    let examples: Vec<Example> = files.iter().flat_map(examples).collect();
    let mut page = INTRODUCTION.to_owned();
    for Explanation { code, title, text } in all {
        page.push_str(&format!("\n## {code}: {title}\n"));
        let example = examples.iter().find(|example| example.code == code).map_or("", |example| &example.text);
        for part in [text.as_str(), example].into_iter().filter(|part| !part.is_empty()) {
            page.push_str(&format!("\n{part}\n"));
        }
    }
    page
}

/// The sections of a file beside the sources.
pub(crate) fn examples(file: &File) -> Vec<Example> {
    if !file.path.starts_with("crates/") || !file.path.contains("/src/") || !file.path.ends_with(".md") {
        return Vec::new();
    }
    let sections = file.text.split("\n## ").skip(1);
    let example = |section: &str| {
        let (code, text) = section.split_once('\n').unwrap_or((section, ""));
        Example { code: code.trim().to_owned(), text: text.trim().to_owned() }
    };
    sections.map(example).collect()
}

/// The explanations in one source file.
pub(crate) fn explanations(file: &File) -> Vec<Explanation> {
    if !file.path.starts_with("crates/") || !file.path.ends_with(".rs") {
        return Vec::new();
    }
    let mut found: Vec<Explanation> = Vec::new();
    let mut open: Option<(String, Vec<&str>)> = None;
    for line in file.text.lines().chain([""]) {
        let comment = line.trim_start().strip_prefix("///").map(str::trim);
        open = match (open, comment) {
            (Some((code, mut lines)), Some(comment)) => {
                lines.push(comment);
                Some((code, lines))
            }
            (Some((code, lines)), None) => {
                found.push(explanation(code, &lines.join(" ")));
                None
            }
            (None, Some(comment)) => code_of(comment).map(|(code, rest)| (code.to_owned(), vec![rest])),
            (None, None) => None,
        };
    }
    found
}

/// The code that a comment begins with, and what follows it.
fn code_of(comment: &str) -> Option<(&str, &str)> {
    let (code, rest) = comment.strip_prefix('`')?.split_once("`: ")?;
    let (_, number) = code.rsplit_once('-')?;
    (number.len() == 3 && number.bytes().all(|byte| byte.is_ascii_digit())).then_some((code, rest))
}

/// The first sentence is the title.
fn explanation(code: String, text: &str) -> Explanation {
    let (title, rest) = match text.split_once(". ") {
        Some((title, rest)) => (title, rest),
        None => (text.trim_end_matches('.'), ""),
    };
    Explanation { code, title: title.to_owned(), text: rest.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_with_a_code_becomes_a_section() {
        let text = "//! x\n/// `abc-002`: a bound is\n/// missing. Arrays need one.\nfn f() {}\n/// `abc-001`: plain.\nfn g() {}\n";
        let page = page(&[File { path: "crates/a/src/errors.rs".into(), text: text.into() }]);
        assert_eq!(
            page.strip_prefix(INTRODUCTION),
            Some("\n## abc-001: plain\n\n## abc-002: a bound is missing\n\nArrays need one.\n")
        );
    }

    #[test]
    fn what_stands_beside_the_sources_comes_after_the_comment() {
        let source = File { path: "crates/a/src/errors.rs".into(), text: "/// `abc-001`: a thing. More.\n".into() };
        let text = "Above.\n\n## abc-001\nMeaning.\n\nWrong:\n```x\n1\n```\nRight:\n\n## abc-002\nOther.\n";
        let beside = File { path: "crates/a/src/errors.md".into(), text: text.into() };
        let found = examples(&beside);
        assert_eq!(found.iter().map(Example::is_complete).collect::<Vec<_>>(), [true, false]);
        let page = page(&[source, beside]);
        let expected = "\n## abc-001: a thing\n\nMore.\n\nMeaning.\n\nWrong:\n```x\n1\n```\nRight:\n";
        assert_eq!(page.strip_prefix(INTRODUCTION), Some(expected));
    }

    #[test]
    fn other_comments_are_left_alone() {
        assert_eq!(code_of("`abc`: no number"), None);
        assert_eq!(code_of("abc-001: no quotes"), None);
    }
}
