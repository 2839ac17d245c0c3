//! A whole translation unit: its text is cut into declarations, and clang's cursors are put to them.

use std::collections::BTreeMap;
use std::ops::Range;

use cast::{Declaration, File, TypeTable, Unit};
use source::{Diagnostic, Span};

use crate::clang::{Cursor, kinds};
use crate::declarations::names;
use crate::groups::Group;
use crate::importer::{Importer, Question};
use crate::lex::Kind;
use crate::pragmas::Packs;
use crate::tags::Tag;
use crate::text::Text;

/// One unit with provisional names.
pub(crate) struct Imported {
    pub(crate) unit: Unit,
    pub(crate) types: TypeTable,
    pub(crate) findings: Vec<Diagnostic>,
}

/// A declaration of the text: up to its semicolon, or a function with its body.
struct Item {
    tokens: Range<usize>,
    /// The token that opens the body of a function.
    body: Option<usize>,
    /// `#pragma`, alone.
    is_pragma: bool,
}

/// Reads a unit that clang has parsed.
pub(crate) fn read(
    path: &str,
    text: &Text,
    question: Question,
    tags: BTreeMap<usize, Tag>,
    types: TypeTable,
    root: Cursor,
) -> Imported {
    let cursors: Vec<Cursor> = root.children().into_iter().filter(|cursor| cursor.location().is_some()).collect();
    let bodies: Vec<Body> = cursors.iter().filter_map(|cursor| Body::of(text, *cursor)).collect();
    let items = items(text, &bodies);
    let mut of_item: Vec<Vec<Cursor>> = items.iter().map(|_| Vec::new()).collect();
    for cursor in cursors {
        let index = text.index_at(cursor.location().unwrap_or(0));
        let at = items.partition_point(|item| item.tokens.end <= index);
        if let Some(list) = of_item.get_mut(at) {
            list.push(cursor);
        }
    }
    let groups: Vec<Group> = items
        .iter()
        .zip(&of_item)
        .map(|(item, cursors)| Group::of(text, item.tokens.clone(), &names(cursors)))
        .collect();
    let mut importer = Importer::new(text, question, tags, types);
    let packs = Packs::of(text);
    for group in &groups {
        let whole = || format!("{};", text.lines(group.tokens.clone()));
        let declaration = packs.around(group.tokens.start, group.type_text.clone().unwrap_or_else(whole));
        importer.type_texts.push((text.bytes(&group.tokens), declaration));
    }
    let mut declarations = Vec::new();
    for ((item, cursors), group) in items.iter().zip(&of_item).zip(&groups) {
        declarations.extend(importer.item(item, cursors, group));
    }
    importer.place_types();
    let Importer { types, findings, .. } = importer;
    Imported { unit: Unit { path: path.to_owned(), file: File { declarations } }, types, findings }
}

/// The body of a function.
fn body_of(cursor: Cursor) -> Option<Cursor> {
    let is_function = cursor.kind() == kinds::CXCursor_FunctionDecl;
    cursor.children().into_iter().rfind(|child| is_function && child.kind() == kinds::CXCursor_CompoundStmt)
}

/// The body of a function, by token, and where the function's head begins.
struct Body {
    head: usize,
    open: usize,
    end: usize,
}

impl Body {
    fn of(text: &Text, function: Cursor) -> Option<Body> {
        let body = text.indices(&body_of(function)?.range());
        Some(Body { head: text.index_at(function.range().start), open: body.start, end: body.end })
    }
}

/// Cuts a text into declarations. Old-style functions have semicolons in their heads.
fn items(text: &Text, bodies: &[Body]) -> Vec<Item> {
    let mut items = Vec::new();
    let (mut at, mut start) = (0, None);
    let mut bodies = bodies.iter().peekable();
    while at < text.tokens.len() {
        if text.kind_at(at) == Some(Kind::Directive) {
            if start.is_none() {
                items.push(Item { tokens: at..at + 1, body: None, is_pragma: true });
            }
            at += 1;
            continue;
        }
        let begin = *start.get_or_insert(at);
        while bodies.next_if(|body| body.open < at).is_some() {}
        if let Some(body) = bodies.next_if(|body| body.head <= at) {
            items.push(Item { tokens: begin..body.end, body: Some(body.open), is_pragma: false });
            (at, start) = (body.end.max(at + 1), None);
            continue;
        }
        match text.at(at) {
            ";" => {
                if begin < at {
                    items.push(Item { tokens: begin..at, body: None, is_pragma: false });
                }
                (at, start) = (at + 1, None);
            }
            "(" | "[" | "{" => at = text.closing(at, text.tokens.len()) + 1,
            _ => at += 1,
        }
    }
    items
}

impl<'u> Importer<'u> {
    fn item(&mut self, item: &Item, cursors: &[Cursor<'u>], group: &Group) -> Vec<Declaration> {
        self.statement_start = self.text.bytes(&item.tokens).start;
        if item.is_pragma {
            return vec![Declaration::Verbatim(self.text.at(item.tokens.start).to_owned())];
        }
        let defined = cursors.iter().find_map(|cursor| Some((*cursor, body_of(*cursor)?)));
        if let (Some(open), Some((cursor, body))) = (item.body, defined) {
            let function = self.define(cursor, body, item.tokens.start..open);
            return vec![Declaration::Function(function)];
        }
        let is_declaration = cursors
            .iter()
            .any(|cursor| !matches!(cursor.kind(), kinds::CXCursor_UnexposedDecl | kinds::CXCursor_StaticAssert));
        if !is_declaration {
            // `asm`, `_Static_assert`.
            return vec![Declaration::Verbatim(format!("{};", self.text.lines(item.tokens.clone())))];
        }
        self.declare(group, cursors)
    }

    /// Tells every type of the table where and how it is declared, which is known only now.
    fn place_types(&mut self) {
        let mut texts = std::mem::take(&mut self.type_texts);
        // Local declarations come after the functions they are in, and are the closer ones.
        texts.sort_by_key(|(range, _)| range.start);
        let text = self.text;
        let typedefs = self.types.typedefs.values_mut().map(|typedef| &mut typedef.declaration);
        let records = self.types.records.values_mut().map(|record| &mut record.declaration);
        let enumerations = self.types.enumerations.values_mut().map(|enumeration| &mut enumeration.declaration);
        for declaration in typedefs.chain(records).chain(enumerations) {
            let Some(Span { start, .. }) = declaration.span else { continue };
            let offset = start as usize;
            let from = texts.partition_point(|(range, _)| range.start <= offset);
            let found = texts[..from].iter().rev().find(|(range, _)| range.contains(&offset));
            let Some((range, content)) = found else { continue };
            let inside = self.functions.iter().find(|(range, _)| range.contains(&offset));
            declaration.function = inside.map(|(_, name)| name.clone());
            declaration.text.clone_from(content);
            declaration.header = text.headers.at(offset).map(str::to_owned);
            declaration.span = Some(text.span(range));
            declaration.order = u32::try_from(range.start).unwrap_or(u32::MAX);
        }
    }
}
