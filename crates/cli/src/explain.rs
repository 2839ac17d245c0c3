//! `whittle explain CODE`: what a diagnostic means, from the page that `cargo xtask errors` makes of the sources.

use crate::{Ending, print};

/// Every code under a heading `## CODE: title`.
const PAGE: &str = include_str!("../../../docs/errors.md");

/// Explains each code, an empty line between two.
pub(crate) fn run(codes: &[String]) -> Ending {
    if codes.is_empty() {
        return list();
    }
    let mut texts = Vec::new();
    for code in codes {
        match section(&code.to_lowercase()) {
            Some(text) => texts.push(text),
            None => {
                print::refuse(&format!("there is no diagnostic `{code}`; `whittle explain` lists all"));
                return Ending::CommandLineAtFault;
            }
        }
    }
    print::output(&texts.join("\n"))
}

fn sections() -> impl Iterator<Item = &'static str> {
    PAGE.split("\n## ").skip(1)
}

fn section(code: &str) -> Option<String> {
    let text = sections().find(|section| section.strip_prefix(code).is_some_and(|rest| rest.starts_with(':')))?;
    Some(plain(text.trim_end()))
}

/// Without the fences around examples, which stand indented in their place.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    let mut is_example = false;
    for line in text.lines() {
        if line.starts_with("```") {
            is_example = !is_example;
            continue;
        }
        plain.push_str(if is_example && !line.is_empty() { "    " } else { "" });
        plain.push_str(line);
        plain.push('\n');
    }
    plain
}

fn list() -> Ending {
    let titles: Vec<_> = sections().filter_map(|section| section.lines().next()).collect();
    print::output(&format!("{}\n", titles.join("\n")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_indented() {
        assert_eq!(plain("a\n\nWrong:\n```x\nb\n\nc\n```\nRight:"), "a\n\nWrong:\n    b\n\n    c\nRight:\n");
    }
}
