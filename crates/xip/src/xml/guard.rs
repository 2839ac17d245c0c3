//! What is refused before the text is parsed, because parsing it could take memory or time without measure.
//!
//! In: the text. Out: a finding, or nothing. Document types go because of what their entities can grow to, and what
//! they can fetch; the other limits are far beyond what a description needs.

use source::{Diagnostic, FileId, Span};

use super::errors;

/// The longest text, in bytes.
const BYTES_MOST: usize = 16 << 20;
/// The attributes of one element; the parser compares each with each.
const ATTRIBUTES_MOST: usize = 64;
/// Declarations of namespaces in the whole text; elements inherit them by copy.
const NAMESPACES_MOST: usize = 256;

/// Looks through the markup once.
pub(super) fn check(text: &str, file: FileId) -> Option<Diagnostic> {
    if text.len() > BYTES_MOST {
        return Some(errors::too_large(Span::new(file, 0, 0), "16 MiB of text"));
    }
    let place = |start: usize, length: usize| Span::new(file, offset(start), offset(start + length));
    let mut namespaces = 0;
    let mut at = 0;
    while let Some(found) = text[at..].find('<') {
        let start = at + found;
        let rest = &text[start..];
        if rest.starts_with("<!DOCTYPE") {
            return Some(errors::document_type(place(start, "<!DOCTYPE".len())));
        }
        let skipped = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")];
        at = match skipped.iter().find(|(open, _)| rest.starts_with(open)) {
            Some((open, close)) => start + rest[open.len()..].find(close).map_or(rest.len(), |end| open.len() + end),
            None => {
                let tag = tag(rest);
                namespaces += tag.namespaces;
                if tag.attributes > ATTRIBUTES_MOST {
                    return Some(errors::too_large(place(start, 1), "64 attributes of an element"));
                }
                if namespaces > NAMESPACES_MOST {
                    return Some(errors::too_large(place(start, 1), "256 declarations of namespaces"));
                }
                start + tag.length
            }
        };
    }
    None
}

/// What a tag holds.
struct Tag {
    length: usize,
    attributes: usize,
    namespaces: usize,
}

/// Goes to the end of a tag, past its quoted values.
fn tag(rest: &str) -> Tag {
    let mut tag = Tag { length: 1, attributes: 0, namespaces: 0 };
    loop {
        let behind = &rest[tag.length..];
        let Some(found) = behind.find(['>', '"', '\'']) else {
            return Tag { length: rest.len(), ..tag };
        };
        let quote = &behind[found..=found];
        tag.length += found + 1;
        if quote == ">" {
            return tag;
        }
        tag.attributes += 1;
        tag.namespaces += usize::from(behind[..found].contains("xmlns"));
        let Some(end) = rest[tag.length..].find(quote) else {
            return Tag { length: rest.len(), ..tag };
        };
        tag.length += end + 1;
    }
}

/// Offsets of texts within [`BYTES_MOST`] always fit.
fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}
