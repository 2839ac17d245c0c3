//! What the book needs to know of a page. In: Markdown. Out: its links with their places, the names of its headings, its opening.
//! Source: CommonMark, by `pulldown-cmark`, which mdBook reads pages with, too.

use std::collections::BTreeMap;
use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// A link or a picture.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Link {
    /// What stands between the parentheses, without a title.
    pub(crate) target: String,
    /// The whole of it: `[words](target)`.
    pub(crate) range: Range<usize>,
    pub(crate) line: usize,
    pub(crate) is_picture: bool,
}

impl Link {
    /// The path, relative to the page, and the heading; none for an address of the net.
    pub(crate) fn within(&self) -> Option<(&str, Option<&str>)> {
        if self.target.contains("://") || self.target.starts_with("mailto:") {
            return None;
        }
        Some(self.target.split_once('#').map_or((&*self.target, None), |(path, heading)| (path, Some(heading))))
    }
}

fn events(text: &str) -> impl Iterator<Item = (Event<'_>, Range<usize>)> {
    Parser::new_ext(text, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH).into_offset_iter()
}

/// All links of a page, in order.
pub(crate) fn links(text: &str) -> Vec<Link> {
    let link = |(event, range): (Event<'_>, Range<usize>)| {
        let (target, is_picture) = match event {
            Event::Start(Tag::Link { dest_url, .. }) => (dest_url, false),
            Event::Start(Tag::Image { dest_url, .. }) => (dest_url, true),
            _ => return None,
        };
        let line = text[..range.start].matches('\n').count() + 1;
        Some(Link { target: target.to_string(), range, line, is_picture })
    };
    events(text).filter_map(link).collect()
}

/// What `#…` may name in a page: its headings as forges and mdBook spell them there.
pub(crate) fn anchors(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut heading: Option<String> = None;
    for (event, _) in events(text) {
        match event {
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::Text(words) | Event::Code(words) => heading.iter_mut().for_each(|heading| heading.push_str(&words)),
            Event::End(TagEnd::Heading(_)) => {
                let name = anchor(&heading.take().unwrap_or_default());
                let earlier = seen.entry(name.clone()).or_default();
                found.push(if *earlier == 0 { name } else { format!("{name}-{earlier}") });
                *earlier += 1;
            }
            _ => {}
        }
    }
    found
}

fn anchor(heading: &str) -> String {
    let kept = heading.trim().chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// The first paragraph below the title.
pub(crate) fn opening(text: &str) -> &str {
    let mut has_title = false;
    for (event, range) in events(text) {
        match event {
            Event::End(TagEnd::Heading(_)) => has_title = true,
            Event::Start(Tag::Paragraph) if has_title => return &text[range],
            Event::Start(Tag::Table(_) | Tag::CodeBlock(_) | Tag::List(_) | Tag::BlockQuote(_)) => return "",
            _ => {}
        }
    }
    ""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_found_with_their_places_and_not_in_code() {
        let found = links("a [b](c.md#d) e\n`[f](g)`\n\n```\n[h](i)\n```\n![j](k.svg)\n");
        let shown: Vec<_> = found.iter().map(|link| (&*link.target, link.line, link.is_picture)).collect();
        assert_eq!(shown, [("c.md#d", 1, false), ("k.svg", 7, true)]);
        assert_eq!(found[0].within(), Some(("c.md", Some("d"))));
        assert_eq!(links("[a](https://example.org/)")[0].within(), None);
    }

    #[test]
    fn headings_are_spelt_as_forges_spell_them() {
        let text = "# `--emit`: a stage's tree\n## Twice\n## Twice\n```\n# no heading\n```\n";
        assert_eq!(anchors(text), ["--emit-a-stages-tree", "twice", "twice-1"]);
    }

    #[test]
    fn an_opening_is_the_paragraph_below_the_title() {
        assert_eq!(opening("# A\n\nAfter this page\nyou can.\n\nMore.\n").trim_end(), "After this page\nyou can.");
        assert_eq!(opening("# A\n\n| a |\n|---|\n\nText.\n"), "");
    }
}
