//! `#include`s, and the declarations of types as the source spells them, in its order.

use std::collections::{BTreeMap, BTreeSet};

use cast::{Declaration, ExpressionKind, Include, IncludePath, TypeDeclaration};

use super::super::walk;
use super::identifiers;
use super::needs::Needs;
use super::rename::Names;

/// Headers that define `NULL`.
const NULL_HEADERS: [&str; 9] =
    ["stddef.h", "stdio.h", "stdlib.h", "string.h", "time.h", "locale.h", "wchar.h", "unistd.h", "rpc/rpc.h"];

/// The `#include` lines, in the source's order.
pub(super) fn includes(needs: &Needs, out: &mut Vec<Declaration>) {
    let mut headers = needs.headers.clone();
    let (uses_null, uses_copies) = used_by_raised(needs);
    if uses_copies && !needs.rules_out_strings() {
        headers.insert("string.h".to_owned());
    }
    if uses_null && !NULL_HEADERS.iter().any(|header| headers.contains(*header)) {
        headers.insert("stddef.h".to_owned());
    }
    let places = places(needs);
    let mut list: Vec<&String> = headers.iter().collect();
    list.sort_by_key(|header| (!places.contains_key(header.as_str()), places.get(header.as_str()), *header));
    // A name that C cannot spell came from no `#include <…>`.
    let paths = list.into_iter().filter_map(|path| IncludePath::new(path).ok());
    out.extend(paths.map(|path| Declaration::Include(Include { path, system: true })));
    if !out.is_empty() {
        out.push(Declaration::Blank);
    }
}

/// Whether raised functions and objects use `NULL`, and raised functions `memcpy` or `memset` that the program does not declare.
pub(super) fn used_by_raised(needs: &Needs) -> (bool, bool) {
    let (mut null, mut copies) = (false, false);
    let initials = needs.objects.values().filter_map(|object| object.variable.initial.as_ref());
    initials.for_each(|initial| {
        walk::walk_all(initial, &mut |value| {
            null |= matches!(&value.kind, ExpressionKind::Name(name) if name == "NULL");
        });
    });
    for function in needs.defined.values() {
        walk::everything(
            &function.body,
            &mut |(), _| {},
            &mut |(), value| {
                if let ExpressionKind::Name(name) = &value.kind {
                    null |= name == "NULL";
                    copies |= matches!(name.as_str(), "memcpy" | "memset") && !needs.declares(name);
                }
            },
            &mut (),
        );
    }
    (null, copies)
}

/// Where each header is first declared from.
fn places<'a>(needs: &Needs<'a>) -> BTreeMap<&'a str, (usize, u32)> {
    let mut found: BTreeMap<&str, (usize, u32)> = BTreeMap::new();
    let mut note = |header: &'a Option<String>, unit: usize, span: Option<source::Span>| {
        if let (Some(header), Some(span)) = (header, span) {
            let place = (unit, span.start);
            found.entry(header).and_modify(|known| *known = (*known).min(place)).or_insert(place);
        }
    };
    let mut unit_of_file: BTreeMap<source::FileId, usize> = BTreeMap::new();
    for (at, unit) in needs.source.units.iter().enumerate() {
        for declaration in &unit.file.declarations {
            match declaration {
                Declaration::Function(function) | Declaration::Prototype(function) => {
                    unit_of_file.extend(function.span.map(|span| (span.file, at)));
                    note(&function.header, at, function.span);
                }
                Declaration::Variable(variable) => {
                    unit_of_file.extend(variable.span.map(|span| (span.file, at)));
                    note(&variable.header, at, variable.span);
                }
                _ => {}
            }
        }
    }
    for declaration in all_types(needs) {
        let unit = declaration.span.and_then(|span| unit_of_file.get(&span.file)).copied().unwrap_or(0);
        note(&declaration.header, unit, declaration.span);
    }
    found
}

fn all_types<'a>(needs: &Needs<'a>) -> impl Iterator<Item = &'a TypeDeclaration> {
    let table = &needs.source.types;
    let typedefs = table.typedefs.values().map(|typedef| &typedef.declaration);
    let records = table.records.values().map(|layout| &layout.declaration);
    let enumerations = table.enumerations.values().map(|layout| &layout.declaration);
    typedefs.chain(records).chain(enumerations)
}

/// The types of the program itself.
pub(super) fn declarations(needs: &Needs, names: &Names, out: &mut Vec<Declaration>) {
    let mut list: BTreeMap<(u32, String), ()> = BTreeMap::new();
    let mut add = |declaration: &TypeDeclaration, text: String| {
        if super::needs::header_of(declaration).is_none() && !text.is_empty() {
            list.insert((declaration.order, text), ());
        }
    };
    let table = &needs.source.types;
    for name in &needs.typedefs {
        let typedef = &table.typedefs[name];
        add(&typedef.declaration, names.typedef_text(needs, name, typedef));
    }
    for tag in &needs.tags {
        if let Some(layout) = table.records.get(tag) {
            add(&layout.declaration, names.record_text(tag, layout));
        } else if let Some(layout) = table.enumerations.get(tag) {
            add(&layout.declaration, layout.declaration.text.clone());
        }
    }
    let (mut seen, mut declared) = (BTreeSet::new(), BTreeSet::new());
    for ((_, text), ()) in list {
        if seen.insert(text.clone()) {
            let tags = tags_in(&text);
            // A tag that parameters mention first would be one of their own.
            let first = tags.iter().filter(|tag| tag.is_parameter && !declared.contains(&tag.words));
            let first: BTreeSet<&str> = first.map(|tag| tag.words.as_str()).collect();
            out.extend(first.into_iter().map(|words| Declaration::Verbatim(format!("{words};"))));
            declared.extend(tags.into_iter().map(|tag| tag.words));
            out.push(Declaration::Verbatim(cast::fold_lines(&text)));
        }
    }
}

/// `struct NAME` or `union NAME` in a declaration.
struct Tag {
    words: String,
    is_parameter: bool,
}

fn tags_in(text: &str) -> Vec<Tag> {
    let all = identifiers::in_text(text);
    let pairs = all.windows(2).filter(|pair| pair[1].is_tag && pair[0].text != "enum");
    let tag = |pair: &[identifiers::Identifier]| {
        let before = &text[..pair[0].range.start];
        let is_parameter = before.matches('(').count() > before.matches(')').count();
        Tag { words: format!("{} {}", pair[0].text, pair[1].text), is_parameter }
    };
    pairs.map(tag).collect()
}

#[cfg(test)]
mod tests {
    use super::tags_in;

    #[test]
    fn parameters_are_distinguished_from_members() {
        let text = "struct kind { float (*next)(const struct filter *filter, enum mode); struct other *one; };";
        let tags = tags_in(text);
        let shown: Vec<(&str, bool)> = tags.iter().map(|tag| (tag.words.as_str(), tag.is_parameter)).collect();
        assert_eq!(shown, [("struct kind", false), ("struct filter", true), ("struct other", false)]);
    }
}
