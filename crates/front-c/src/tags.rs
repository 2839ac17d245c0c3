//! Records and enumerations without a tag: which of them a typedef names, and tags for those that nothing names.
//!
//! A residual program may have to declare a pointer to such a record, which only a name makes possible. Records of
//! system headers stay as they are: C that includes the header sees them so.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::lex::Kind;
use crate::text::Text;

/// How a record or enumeration is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Tag {
    /// By its tag, written or inserted.
    Named(String),
    /// `typedef struct { … } name;`, and where that name stands.
    Typedef(String, usize),
    /// Not at all.
    Anonymous,
}

/// Finds every record and enumeration of a text that has no tag, inserts tags where they are needed, and returns how
/// each is called, by the offset of its `{`.
pub(crate) fn name_records(text: &mut Text) -> BTreeMap<usize, Tag> {
    let mut tags = BTreeMap::new();
    let mut used: BTreeMap<String, u32> = BTreeMap::new();
    let mut insertions = BTreeMap::new();
    // The records that enclose the present token, with where they end.
    let mut enclosing: Vec<(usize, String)> = Vec::new();
    let end = text.tokens.len();
    for index in 0..end {
        enclosing.retain(|(close, _)| *close > index);
        if !matches!(text.at(index), "struct" | "union" | "enum") {
            continue;
        }
        let next = text.behind_attributes(index + 1, end);
        let open = if text.kind_at(next) == Some(Kind::Word) { text.behind_attributes(next + 1, end) } else { next };
        if text.at(open) != "{" {
            continue;
        }
        let close = text.closing(open, end);
        let outer = enclosing.last().map_or("", |(_, name)| name.as_str());
        let offset = text.tokens[open].start;
        let mut scope_name = text.at(next).to_owned();
        if open == next {
            let is_ours = text.headers.at(offset).is_none();
            let tag = match how_named(text, index, close) {
                Declared::Typedef(at) => Tag::Typedef(text.at(at).to_owned(), text.tokens[at].start),
                Declared::Name(name) if is_ours => {
                    let base = if outer.is_empty() { format!("whittle_{name}") } else { format!("{outer}_{name}") };
                    let count = used.entry(base.clone()).or_default();
                    *count += 1;
                    let tag = if *count == 1 { base } else { format!("{base}_{count}") };
                    insertions.insert(offset, format!("{tag} "));
                    Tag::Named(tag)
                }
                _ => Tag::Anonymous,
            };
            scope_name = match &tag {
                Tag::Named(name) | Tag::Typedef(name, _) => name.clone(),
                Tag::Anonymous => outer.to_owned(),
            };
            tags.insert(offset, tag);
        }
        let inner = if scope_name.starts_with("whittle_") { scope_name } else { format!("whittle_{scope_name}") };
        enclosing.push((close, inner));
    }
    text.insertions = insertions;
    tags
}

/// What a record without a tag is used for.
enum Declared {
    Nothing,
    /// By the token at this index.
    Typedef(usize),
    Name(String),
}

/// Looks at the declarators behind the record between the tokens `keyword` and `close`.
fn how_named(text: &Text, keyword: usize, close: usize) -> Declared {
    let end = text.tokens.len();
    let first = behind_qualifiers(text, close + 1, end);
    let stop = first..text.find(&[";", ")", "="], first, end);
    if is_typedef(text, keyword) || text.at(first) == "typedef" {
        let plain = plain_declarators(text, stop.clone()).next();
        if let Some(at) = plain {
            return Declared::Typedef(at);
        }
    }
    let name = stop.into_iter().find(|at| text.kind_at(*at) == Some(Kind::Word) && !is_qualifier(text.at(*at)));
    match name {
        Some(at) if !matches!(text.at(first), ";" | ")" | "," | ":") => Declared::Name(text.at(at).to_owned()),
        _ => Declared::Nothing,
    }
}

/// The declarators of a typedef that are nothing but a name.
fn plain_declarators(text: &Text, range: Range<usize>) -> impl Iterator<Item = usize> + '_ {
    let mut start = range.start;
    std::iter::from_fn(move || {
        while start < range.end {
            let begin = behind_qualifiers(text, start, range.end);
            let comma = text.find(&[","], begin, range.end);
            start = comma + 1;
            if text.kind_at(begin) == Some(Kind::Word) && text.behind_attributes(begin + 1, comma) == comma {
                return Some(begin);
            }
        }
        None
    })
}

fn is_qualifier(word: &str) -> bool {
    matches!(
        word,
        "const"
            | "volatile"
            | "restrict"
            | "__const"
            | "__volatile__"
            | "__volatile"
            | "__const__"
            | "static"
            | "extern"
    )
}

fn behind_qualifiers(text: &Text, mut index: usize, end: usize) -> usize {
    loop {
        let next = text.behind_attributes(index, end);
        let next = if is_qualifier(text.at(next)) { next + 1 } else { next };
        if next == index {
            return index;
        }
        index = next;
    }
}

/// Whether the declaration that the token `keyword` is in begins with `typedef`.
fn is_typedef(text: &Text, keyword: usize) -> bool {
    let mut depth = 0_usize;
    for at in (0..keyword).rev() {
        match text.at(at) {
            ")" => depth += 1,
            "(" if depth > 0 => depth -= 1,
            "typedef" => return true,
            ";" | "{" | "}" | "(" => return false,
            "," if depth == 0 => return false,
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use source::FileId;

    use super::{Tag, name_records};
    use crate::text::Text;

    fn named(content: &str) -> (Vec<Tag>, String) {
        let mut text = Text::new(FileId(0), content.to_owned());
        let tags = name_records(&mut text).into_values().collect();
        (tags, text.flat(0..text.tokens.len()))
    }

    #[test]
    fn a_record_gets_a_tag_only_where_nothing_else_names_it() {
        let named_by_typedef = "typedef struct { union { int a; }; } *p, t;";
        let (tags, text) = named(named_by_typedef);
        assert_eq!(tags, [Tag::Typedef("t".into(), 41), Tag::Anonymous]);
        assert_eq!(text, named_by_typedef);

        let (tags, text) = named("struct s { struct { int a; } in; } static table; enum { A } *e, f(void);");
        assert_eq!(tags, [Tag::Named("whittle_s_in".into()), Tag::Named("whittle_e".into())]);
        assert_eq!(
            text,
            "struct s { struct whittle_s_in { int a; } in; } static table; enum whittle_e { A } *e, f(void);"
        );
    }

    #[test]
    fn a_tag_is_a_word_of_its_own() {
        let (_, text) = named("struct{int a;} s; enum{A} e;");
        assert_eq!(text, "struct whittle_s {int a;} s; enum whittle_e {A} e;");
    }

    #[test]
    fn a_record_in_a_cast_stays_without_a_tag() {
        let (tags, _) = named("int f(void) { return ((struct { int a; }) { 1 }).a; }");
        assert_eq!(tags, [Tag::Anonymous]);
    }

    #[test]
    fn system_headers_stay_as_they_are() {
        let (tags, _) = named("# 1 \"a.c\"\n# 1 \"/usr/include/x.h\" 1 3\nstruct s { struct { int a; } in; };\n");
        assert_eq!(tags, [Tag::Anonymous]);
    }
}
