//! The built book, looked through. In: the folder that mdBook wrote. Out: links of its pages that lead to no file or no heading of it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::paths::resolve;

/// The problems of every page.
pub(super) fn check(folder: &Path) -> Vec<String> {
    let mut pages: BTreeMap<String, String> = BTreeMap::new();
    for path in files_below(folder).into_iter().filter(|path| path.extension().is_some_and(|end| end == "html")) {
        let name = path.strip_prefix(folder).unwrap_or(&path).to_string_lossy().into_owned();
        pages.insert(name, std::fs::read_to_string(&path).unwrap_or_default());
    }
    let mut problems = Vec::new();
    if !pages.contains_key("index.html") {
        problems.push(format!("{}: no index.html: the book has no first page", folder.display()));
    }
    for (name, text) in &pages {
        problems.extend(page(name, text, &pages, &|path| folder.join(path).is_file()));
    }
    problems
}

fn page(name: &str, text: &str, pages: &BTreeMap<String, String>, is_file: &dyn Fn(&str) -> bool) -> Vec<String> {
    let mut problems = Vec::new();
    for target in attributes(text, "href").chain(attributes(text, "src")) {
        if target.contains(':') || target.starts_with("//") {
            continue;
        }
        let (path, heading) = target.split_once('#').map_or((target, None), |(path, heading)| (path, Some(heading)));
        let place = resolve(name, path);
        if !is_file(&place) {
            problems.push(format!("{name}: `{target}` leads to no file of the book"));
        } else if let (Some(heading), Some(other)) = (heading.filter(|heading| !heading.is_empty()), pages.get(&place))
            && !attributes(other, "id").any(|id| id == heading)
        {
            problems.push(format!("{name}: `{target}` leads to no heading of the book"));
        }
    }
    problems
}

/// The values of an attribute, in order. mdBook writes them between double quotes.
fn attributes<'a>(text: &'a str, name: &'a str) -> impl Iterator<Item = &'a str> {
    let pieces = text.split('<').filter_map(|piece| piece.split('>').next());
    pieces.filter_map(move |tag| {
        let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
        rest.split('"').next()
    })
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() { found.extend(files_below(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_that_lead_nowhere_are_found() {
        let text = "<h2 id=\"a\"><a class=\"header\" href=\"#a\">A</a></h2><a href=\"b.html#c\">x</a><a href=\"d.html\">y</a>\
                    <img src=\"../p.svg\"><a href=\"https://example.org/\">z</a>";
        let pages = [("ir/a.html", text), ("ir/b.html", "")].map(|(name, text)| (name.to_owned(), text.to_owned()));
        let pages = BTreeMap::from(pages);
        let found = page("ir/a.html", text, &pages, &|path| path != "ir/d.html");
        let expected = [
            "ir/a.html: `b.html#c` leads to no heading of the book",
            "ir/a.html: `d.html` leads to no file of the book",
        ];
        assert_eq!(found, expected);
    }
}
