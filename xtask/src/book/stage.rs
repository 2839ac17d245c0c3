//! The book's pages, collected. In: the repository's files. Out: a folder that mdBook reads: the pages that `docs/SUMMARY.md` names
//! and the files that they lead to, with links that lead to the same there. A link to a folder is only its words,
//! since a book shows none, and so is one to the table of contents, which stands beside every page.

use std::collections::BTreeSet;
use std::path::Path;

use super::markdown;
use super::paths::{SUMMARY, in_book, relative, resolve};
use crate::tree::{self, File};

/// A file of the book, and what it holds.
type Staged = (String, Vec<u8>);

/// Writes the pages into a folder, and only them.
pub(super) fn write(files: &[File], folder: &Path) -> Result<(), Vec<String>> {
    let failed = |path: &Path, problem: std::io::Error| vec![format!("{}: {problem}", path.display())];
    if folder.exists() {
        std::fs::remove_dir_all(folder).map_err(|problem| failed(folder, problem))?;
    }
    for (place, content) in collected(files)? {
        let path = folder.join(place);
        let parent = path.parent().unwrap_or(folder);
        std::fs::create_dir_all(parent).map_err(|problem| failed(parent, problem))?;
        std::fs::write(&path, content).map_err(|problem| failed(&path, problem))?;
    }
    Ok(())
}

fn collected(files: &[File]) -> Result<Vec<Staged>, Vec<String>> {
    let find = |path: &str| files.iter().find(|file| file.path == path);
    let Some(summary) = find(SUMMARY) else { return Err(vec![format!("{SUMMARY} is not there")]) };
    let named = targets(summary);
    let pages = named.iter().filter_map(|path| find(path)).chain([summary]);
    let mut staged = Vec::new();
    let mut others: BTreeSet<String> = BTreeSet::new();
    for page in pages {
        staged.push((
            in_book(&page.path),
            rewritten(page, &|path| path != SUMMARY && find(path).is_some())?.into_bytes(),
        ));
        others.extend(targets(page).into_iter().filter(|path| !named.contains(path) && path != SUMMARY));
    }
    for other in others.iter().filter(|path| find(path).is_some()) {
        // As bytes: a picture may be no text.
        let content = std::fs::read(tree::root().join(other)).map_err(|problem| vec![format!("{other}: {problem}")])?;
        staged.push((in_book(other), content));
    }
    Ok(staged)
}

/// What a page leads to in the repository.
fn targets(page: &File) -> BTreeSet<String> {
    let links = markdown::links(&page.text).into_iter().filter(|link| !link.target.is_empty());
    links.filter_map(|link| link.within().map(|(path, _)| resolve(&page.path, path))).collect()
}

/// A page with the links of the book.
fn rewritten(page: &File, is_file: &dyn Fn(&str) -> bool) -> Result<String, Vec<String>> {
    let mut out = String::new();
    let mut done = 0;
    for link in markdown::links(&page.text) {
        let Some((path, heading)) = link.within().filter(|(path, _)| !path.is_empty()) else { continue };
        let whole = &page.text[link.range.clone()];
        let Some(at) = whole.rfind(&format!("]({}", link.target)) else {
            let place = format!("{}:{}", page.path, link.line);
            return Err(vec![format!(
                "{place}: write the target of this link behind its words: [words]({})",
                link.target
            )]);
        };
        // Pictures in links: the outer one is copied up to the inner one.
        if link.range.start < done {
            continue;
        }
        out.push_str(&page.text[done..link.range.start]);
        let target = resolve(&page.path, path);
        if is_file(&target) {
            let heading = heading.map(|heading| format!("#{heading}")).unwrap_or_default();
            let new = relative(&in_book(&page.path), &in_book(&target));
            out.push_str(&whole[..at + 2]);
            out.push_str(&format!("{new}{heading}"));
            out.push_str(&whole[at + 2 + link.target.len()..]);
        } else {
            out.push_str(&whole[1..at]);
        }
        done = link.range.end;
    }
    out.push_str(&page.text[done..]);
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_to_the_same_in_the_book() {
        let text = "[a](../ARCHITECTURE.md#map) [b](passes/README.md), [c](#here) [d](https://example.org/) [e](../tests/) ![f](p.svg \"t\")\n";
        let page = File { path: "docs/walk.md".into(), text: text.into() };
        let expected = "[a](repository/ARCHITECTURE.md#map) [b](passes/index.md), [c](#here) [d](https://example.org/) e ![f](p.svg \"t\")\n";
        assert_eq!(rewritten(&page, &|path| path != "tests").as_deref(), Ok(expected));
    }

    #[test]
    fn a_link_by_reference_is_refused() {
        let page = File { path: "docs/a.md".into(), text: "\n[b][c]\n\n[c]: d.md\n".into() };
        let problem = "docs/a.md:2: write the target of this link behind its words: [words](d.md)".to_owned();
        assert_eq!(rewritten(&page, &|_| true), Err(vec![problem]));
    }
}
