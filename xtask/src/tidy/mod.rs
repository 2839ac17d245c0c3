//! What no compiler checks: layering, size, wording, codes. Each check is a file; all of them run as tests, too.

mod circles;
mod codes;
mod gluing;
mod layers;
mod pages;
mod text;
mod transports;

pub(crate) use pages::check as pages;

use crate::tree;

/// Every check over the whole tree; the problems, when there are some.
pub(crate) fn run() -> Result<(), Vec<String>> {
    let files = tree::files()?;
    let mut problems = layers::check()?;
    problems.extend(files.iter().flat_map(text::check));
    problems.extend(files.iter().flat_map(gluing::check));
    problems.extend(files.iter().flat_map(transports::check));
    problems.extend(codes::check(&files));
    problems.extend(circles::check(&files));
    problems.extend(pages::check(&files));
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_tree_is_tidy() {
        if let Err(problems) = super::run() {
            panic!("{}\n(cargo xtask tidy)", problems.join("\n"));
        }
    }

    #[test]
    fn the_charts_are_what_the_tables_say() {
        if let Err(problems) = crate::charts::run(true) {
            panic!("{}", problems.join("\n"));
        }
    }

    #[test]
    fn the_page_of_errors_is_what_the_sources_say() {
        if let Err(problems) = crate::errors::run(true) {
            panic!("{}", problems.join("\n"));
        }
    }
}
