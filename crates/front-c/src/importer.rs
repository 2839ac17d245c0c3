//! One translation unit on its way into the tree: what all parts of the importer share.
//!
//! Names are *provisional* while a unit is read: `name@123` is a type or a static object declared at byte 123, and
//! `name@@123` an object or label of a function. [`crate::link`] makes them as short as they can be.

use std::collections::BTreeMap;
use std::ops::Range;

use cast::{Expression, ExpressionKind, Type, TypeDeclaration, TypeTable};
use source::{Diagnostic, Limits, Span};

use crate::clang::{ClangType, Cursor, Evaluated, kinds};
use crate::errors;
use crate::tags::Tag;
use crate::text::Text;

/// A variable or parameter that has been declared.
#[derive(Clone, Debug)]
pub(crate) struct Object {
    pub(crate) name: String,
    pub(crate) ty: Type,
}

/// What clang was given, for questions that only another look can answer.
#[derive(Clone, Copy)]
pub(crate) struct Question<'u> {
    pub(crate) content: &'u str,
    pub(crate) arguments: &'u [String],
    /// How much is wrong with it anyway.
    pub(crate) errors: usize,
    pub(crate) limits: &'u Limits,
}

/// The state of reading one unit.
pub(crate) struct Importer<'u> {
    pub(crate) text: &'u Text,
    pub(crate) question: Question<'u>,
    /// Where the present statement or declaration begins, as far as it stands in a block or at file level.
    pub(crate) statement_start: usize,
    /// How many nodes enclose the present one.
    pub(crate) depth: u32,
    /// What records without a tag are called, by the offset of their `{`.
    pub(crate) tags: BTreeMap<usize, Tag>,
    pub(crate) types: TypeTable,
    /// How many members each record has, those of its members counted.
    pub(crate) members: BTreeMap<String, u64>,
    /// Objects of functions, by the place of their declaration.
    pub(crate) objects: BTreeMap<usize, Object>,
    /// Declarations of types: the bytes of each, and its text.
    pub(crate) type_texts: Vec<(Range<usize>, String)>,
    /// The function that is being read.
    pub(crate) function: Option<String>,
    /// Labels of that function, where there is an `asm goto`.
    pub(crate) labels: BTreeMap<String, String>,
    /// The functions that have been read, and the bytes of each.
    pub(crate) functions: Vec<(Range<usize>, String)>,
    pub(crate) findings: Vec<Diagnostic>,
}

impl<'u> Importer<'u> {
    pub(crate) fn new(text: &'u Text, question: Question<'u>, tags: BTreeMap<usize, Tag>, types: TypeTable) -> Self {
        Importer {
            text,
            question,
            statement_start: 0,
            depth: 0,
            tags,
            types,
            members: BTreeMap::new(),
            objects: BTreeMap::new(),
            type_texts: Vec::new(),
            function: None,
            labels: BTreeMap::new(),
            functions: Vec::new(),
            findings: Vec::new(),
        }
    }

    pub(crate) fn span(&self, cursor: Cursor) -> Option<Span> {
        let range = cursor.range();
        (!range.is_empty()).then(|| self.text.span(&range))
    }

    /// The text of a cursor on one line.
    pub(crate) fn spelled(&self, cursor: Cursor) -> String {
        self.text.flat_bytes(&cursor.range())
    }

    pub(crate) fn make(&self, cursor: Cursor, kind: ExpressionKind, ty: Type) -> Expression {
        Expression { kind, ty, span: self.span(cursor) }
    }

    /// The name by which the tree knows what a declaration declares.
    pub(crate) fn name_of(&self, declaration: Cursor) -> String {
        let canonical = declaration.canonical();
        let name = declaration.spelling();
        match (declaration.linkage(), canonical.location()) {
            (kinds::CXLinkage_External | kinds::CXLinkage_UniqueExternal, _) | (_, None) => name,
            (kinds::CXLinkage_Internal, Some(offset)) => format!("{name}@{offset}"),
            (_, Some(offset)) => format!("{name}@@{offset}"),
        }
    }

    /// The value of an integer constant expression, where 64 bits hold it.
    pub(crate) fn constant(&self, cursor: Cursor<'u>) -> Option<i128> {
        let ty: ClangType = cursor.ty();
        if ty.size().is_none_or(|size| size > 8) {
            return None;
        }
        match cursor.evaluate() {
            Some(Evaluated::Integer(value)) => Some(value),
            _ => None,
        }
    }

    /// A constant expression, with its value where that is no literal.
    pub(crate) fn constant_expression(&mut self, cursor: Cursor<'u>) -> Expression {
        let value = self.expression(cursor);
        if cast::integer_value(&value).is_some() {
            return value;
        }
        match self.constant(cursor) {
            Some(constant) => {
                let spelling = cast::print_expression(&value);
                Expression { kind: ExpressionKind::Known { spelling, value: constant }, ..value }
            }
            None => value,
        }
    }

    /// A declaration of which only the place is known yet.
    pub(crate) fn placed(&self, offset: usize) -> TypeDeclaration {
        TypeDeclaration { span: Some(self.text.span(&(offset..offset))), ..TypeDeclaration::default() }
    }

    /// Says that something is kept as text, if it is the user's.
    pub(crate) fn note_text(&mut self, cursor: Cursor<'u>, what: &str) {
        let span = self.span(cursor).filter(|span| self.text.headers.at(span.start as usize).is_none());
        self.findings.extend(span.map(|span| errors::kept_as_text(span, what)));
    }

    /// Keeps an expression as text, and says so.
    pub(crate) fn verbatim(&mut self, cursor: Cursor<'u>, what: &str) -> Expression {
        self.note_text(cursor, what);
        let ty = self.type_of(cursor);
        self.make(cursor, ExpressionKind::Verbatim(self.spelled(cursor)), ty)
    }
}
