//! `whittle explain CODE`: what a diagnostic means, from the page that `cargo xtask errors` makes of the sources.

use crate::{Ending, print};

/// Every code under a heading `## CODE: title`.
const PAGE: &str = include_str!("../../../docs/errors.md");

pub(crate) fn run(code: Option<&str>) -> Ending {
    let Some(code) = code else { return list() };
    match section(&code.to_lowercase()) {
        Some(text) => print::output(&text),
        None => {
            print::error(&format!("error: there is no diagnostic `{code}`; `whittle explain` lists all\n"));
            Ending::CommandLineAtFault
        }
    }
}

fn sections() -> impl Iterator<Item = &'static str> {
    PAGE.split("\n## ").skip(1)
}

fn section(code: &str) -> Option<String> {
    let text = sections().find(|section| section.strip_prefix(code).is_some_and(|rest| rest.starts_with(':')))?;
    Some(format!("{}\n", text.trim_end()))
}

fn list() -> Ending {
    let titles: Vec<_> = sections().filter_map(|section| section.lines().next()).collect();
    print::output(&format!("{}\n", titles.join("\n")))
}
