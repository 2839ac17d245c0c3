//! Where a page is: in the repository, and in the book. In: paths relative to the root. Out: the same of what a link names.
//!
//! The pages of `docs/` are the book's own; what else it takes (`README.md`, the pages of `bench/`) stands below `repository/` there.

pub(crate) const DOCS: &str = "docs/";
pub(crate) const SUMMARY: &str = "docs/SUMMARY.md";
const OTHERS: &str = "repository/";

/// True for what the book must name.
pub(crate) fn is_in_book(path: &str) -> bool {
    path.starts_with(DOCS) && path.ends_with(".md")
}

/// What a link of `page` to `path` names.
pub(crate) fn resolve(page: &str, path: &str) -> String {
    if path.is_empty() {
        return page.to_owned();
    }
    let folder = page.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut steps: Vec<&str> = folder.split('/').filter(|step| !step.is_empty()).collect();
    for step in path.split('/') {
        match step {
            "" | "." => {}
            ".." if steps.last().is_some_and(|last| *last != "..") => {
                steps.pop();
            }
            step => steps.push(step),
        }
    }
    steps.join("/")
}

/// Where the book has a file of the repository. mdBook calls a folder's `README.md` its index; the repository's is the book's first
/// page, which mdBook wants in the uppermost folder.
pub(crate) fn in_book(path: &str) -> String {
    if path == "README.md" {
        return "index.md".to_owned();
    }
    let place = path.strip_prefix(DOCS).map_or_else(|| format!("{OTHERS}{path}"), str::to_owned);
    match place.strip_suffix("README.md") {
        Some(folder) if folder.is_empty() || folder.ends_with('/') => format!("{folder}index.md"),
        _ => place,
    }
}

/// The link from one file to another, both relative to the same folder.
pub(crate) fn relative(from: &str, to: &str) -> String {
    let folder: Vec<&str> = from.rsplit_once('/').map_or(Vec::new(), |(folder, _)| folder.split('/').collect());
    let target: Vec<&str> = to.split('/').collect();
    let common = folder.iter().zip(&target).take_while(|(one, other)| one == other).count();
    let mut steps = vec![".."; folder.len() - common];
    steps.extend(&target[common..]);
    steps.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_resolved_and_made_again() {
        assert_eq!(resolve("docs/ir/plan.md", "../passes/README.md"), "docs/passes/README.md");
        assert_eq!(resolve("docs/walk.md", "../ARCHITECTURE.md"), "ARCHITECTURE.md");
        assert_eq!(resolve("docs/walk.md", ""), "docs/walk.md");
        assert_eq!(resolve("README.md", "../x.md"), "../x.md");
        assert_eq!(relative("ir/plan.md", "passes/index.md"), "../passes/index.md");
        assert_eq!(relative("repository/bench/calls/index.md", "repository/bench/flows/index.md"), "../flows/index.md");
        assert_eq!(relative("walk.md", "walk.md"), "walk.md");
    }

    #[test]
    fn the_book_has_a_place_for_every_file() {
        assert_eq!(in_book("docs/passes/README.md"), "passes/index.md");
        assert_eq!(in_book("README.md"), "index.md");
        assert_eq!(in_book("bench/flows/README.md"), "repository/bench/flows/index.md");
        assert_eq!(in_book("crates/core-c/src/raise/mod.rs"), "repository/crates/core-c/src/raise/mod.rs");
    }
}
