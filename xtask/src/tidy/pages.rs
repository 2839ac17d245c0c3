//! The pages that people read. In: every Markdown file. Out: links that lead nowhere, pages that no table of contents names, pages
//! that do not open with what the reader will be able to do. Source: `docs/SUMMARY.md`, the book's table of contents.

use std::collections::BTreeMap;

use crate::book::markdown;
use crate::book::paths::{SUMMARY, is_in_book, resolve};
use crate::tree::File;

/// How a page of `docs/` opens: the rest of the sentence is what the reader can do then.
const OPENINGS: [&str; 2] = ["After this page you", "After this guide you"];

pub(crate) fn check(files: &[File]) -> Vec<String> {
    let is_page = |file: &&File| file.path.ends_with(".md") && !file.path.contains("/tests/data/");
    let pages: Vec<&File> = files.iter().filter(is_page).collect();
    let mut problems: Vec<String> = pages.iter().flat_map(|page| links(page, files)).collect();
    problems.extend(contents(&pages));
    problems.extend(pages.iter().filter_map(|page| opening(page)));
    problems
}

/// Links of a page that lead nowhere.
fn links(page: &File, files: &[File]) -> Vec<String> {
    let mut problems = Vec::new();
    for link in markdown::links(&page.text) {
        let Some((path, heading)) = link.within() else { continue };
        let place = format!("{}:{}", page.path, link.line);
        // A chapter of the table of contents that has no page yet.
        if link.target.is_empty() && page.path == SUMMARY {
            continue;
        }
        let target = resolve(&page.path, path);
        let file = files.iter().find(|file| file.path == target);
        let is_folder =
            || files.iter().any(|file| file.path.starts_with(&format!("{}/", target.trim_end_matches('/'))));
        match (file, heading) {
            (None, None) if is_folder() => {}
            (None, _) => problems.push(format!("{place}: `{}` leads to no file; `{target}` is not there", link.target)),
            (Some(file), Some(heading)) if !markdown::anchors(&file.text).iter().any(|known| known == heading) => {
                problems.push(format!("{place}: `{}` leads to no heading of `{target}`", link.target));
            }
            _ => {}
        }
    }
    problems
}

/// Each page of `docs/` stands once in the table of contents, and so does each that a page of the book leads to.
fn contents(pages: &[&File]) -> Vec<String> {
    let Some(summary) = pages.iter().find(|page| page.path == SUMMARY) else {
        return vec![format!("{SUMMARY}: the book has no table of contents")];
    };
    let mut named: BTreeMap<String, usize> = BTreeMap::new();
    for link in markdown::links(&summary.text) {
        *named.entry(resolve(SUMMARY, &link.target)).or_default() += 1;
    }
    let mut problems: Vec<String> = Vec::new();
    let twice = named.iter().filter(|(path, count)| path.ends_with(".md") && **count > 1);
    problems.extend(twice.map(|(path, count)| format!("{SUMMARY}: names `{path}` {count} times; once is enough")));
    for page in pages.iter().filter(|page| is_in_book(&page.path) && page.path != SUMMARY) {
        if !named.contains_key(&page.path) {
            problems.push(format!(
                "{SUMMARY}: does not name `{}`; give it a line below the task that it is for",
                page.path
            ));
        }
    }
    for page in pages.iter().filter(|page| named.contains_key(&page.path)) {
        for link in markdown::links(&page.text) {
            let target = link.within().map(|(path, _)| resolve(&page.path, path)).filter(|path| path.ends_with(".md"));
            if let Some(target) = target.filter(|target| !named.contains_key(target) && target != SUMMARY) {
                let place = format!("{}:{}", page.path, link.line);
                problems
                    .push(format!("{place}: leads to `{target}`, which {SUMMARY} does not name: the book lacks it"));
            }
        }
    }
    problems
}

/// A page of `docs/` says first what the reader will be able to do.
fn opening(page: &File) -> Option<String> {
    if !is_in_book(&page.path) || page.path == SUMMARY {
        return None;
    }
    let opening = markdown::opening(&page.text);
    let opens = OPENINGS.iter().any(|start| opening.starts_with(start));
    let wanted = OPENINGS[0];
    (!opens).then(|| format!("{}: the first paragraph says what the reader can do then: \"{wanted} can …\"", page.path))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(files: &[(&str, &str)]) -> Vec<String> {
        let file = |(path, text): &(&str, &str)| File { path: (*path).to_owned(), text: (*text).to_owned() };
        check(&files.iter().map(file).collect::<Vec<_>>())
    }

    const PAGE: &str = "# A\n\nAfter this page you can [read](#a) [more](ir/b.md#b).\n";
    const OTHER: &str = "# B\n\nAfter this page you know [A](../a.md).\n";

    #[test]
    fn a_good_book_has_no_problems() {
        let summary = "# Contents\n\n- [A](a.md)\n- [Several]()\n  - [B](ir/b.md)\n- [R](../README.md)\n";
        let files =
            [(SUMMARY, summary), ("docs/a.md", PAGE), ("docs/ir/b.md", OTHER), ("README.md", "[d](docs/ir/)\n")];
        assert_eq!(problems(&files), Vec::<String>::new());
    }

    #[test]
    fn each_kind_of_problem_is_found() {
        let summary = "# Contents\n\n- [A](a.md)\n- [A](a.md)\n- [C](c.md)\n";
        let page = "# A\n\nThis page is about [that](#b), [this](ir/b.md) and ![these](e.svg).\n";
        let found = problems(&[(SUMMARY, summary), ("docs/a.md", page), ("docs/ir/b.md", OTHER)]);
        let expected = [
            "docs/SUMMARY.md:5: `c.md` leads to no file; `docs/c.md` is not there",
            "docs/a.md:3: `#b` leads to no heading of `docs/a.md`",
            "docs/a.md:3: `e.svg` leads to no file; `docs/e.svg` is not there",
            "docs/SUMMARY.md: names `docs/a.md` 2 times; once is enough",
            "docs/SUMMARY.md: does not name `docs/ir/b.md`; give it a line below the task that it is for",
            "docs/a.md:3: leads to `docs/ir/b.md`, which docs/SUMMARY.md does not name: the book lacks it",
            "docs/a.md: the first paragraph says what the reader can do then: \"After this page you can …\"",
        ];
        assert_eq!(found, expected);
    }
}
