//! Declarations of objects, functions and types, at file level and in blocks.

use std::ops::Range;

use cast::{Declaration, Function, Linkage, Parameter, Statement, Storage, Type, Variable};

use crate::clang::{Cursor, kinds};
use crate::errors;
use crate::groups::Group;
use crate::importer::{Importer, Object};
use crate::pragmas::pragmas;

impl<'u> Importer<'u> {
    /// A declaration at file level, in pieces: its type as text, then each object and function.
    pub(crate) fn declare(&mut self, group: &Group, cursors: &[Cursor<'u>]) -> Vec<Declaration> {
        let mut out = Vec::new();
        if group.is_typedef || group.declarators.is_empty() {
            cursors.iter().for_each(|cursor| self.note_type(*cursor));
            out.push(Declaration::Verbatim(format!("{};", self.text.lines(group.tokens.clone()))));
            return out;
        }
        out.extend(group.type_text.clone().map(Declaration::Verbatim));
        for cursor in cursors {
            let spelling = cursor.location().and_then(|name| group.declarator_of(self.text, name));
            let spelling = spelling.map(|declarator| group.spelling(self.text, declarator));
            match cursor.kind() {
                kinds::CXCursor_VarDecl => {
                    let variable = self.variable(*cursor, spelling);
                    out.push(Declaration::Variable(variable));
                }
                kinds::CXCursor_FunctionDecl => {
                    let function = self.signature(*cursor, spelling);
                    out.push(Declaration::Prototype(function));
                }
                _ => self.note_type(*cursor),
            }
        }
        out
    }

    /// Puts what a declaration of a type says into the table.
    fn note_type(&mut self, cursor: Cursor<'u>) {
        if matches!(
            cursor.kind(),
            kinds::CXCursor_TypedefDecl
                | kinds::CXCursor_StructDecl
                | kinds::CXCursor_UnionDecl
                | kinds::CXCursor_EnumDecl
        ) {
            self.convert(cursor.ty());
        }
    }

    /// A function with its body.
    pub(crate) fn define(&mut self, cursor: Cursor<'u>, body: Cursor<'u>, head: Range<usize>) -> Function {
        self.function = Some(cursor.spelling());
        self.report_pragmas(body);
        self.labels.clear();
        if self.has_jumping_assembly(body) {
            self.note_labels(body);
        }
        let mut function = self.signature(cursor, Some(self.text.flat(head)));
        self.compound_body(body, &mut function.body);
        self.functions.extend(self.function.take().map(|name| (cursor.range(), name)));
        function
    }

    fn has_jumping_assembly(&self, body: Cursor<'u>) -> bool {
        let is_asm = |word: &str| matches!(word.trim_matches('_'), "asm" | "volatile" | "inline");
        self.text
            .indices(&body.range())
            .any(|at| self.text.at(at) == "goto" && is_asm(self.text.at(at.saturating_sub(1))))
    }

    /// Pragmas in a function are not kept; those that only speak to a compiler about warnings or speed are not missed.
    fn report_pragmas(&mut self, body: Cursor<'u>) {
        let text = self.text;
        for (index, words) in pragmas(text, text.indices(&body.range())) {
            let is_missed = match words.as_slice() {
                ["GCC" | "clang", word, ..] => !matches!(*word, "diagnostic" | "unroll" | "ivdep" | "loop"),
                _ => true,
            };
            if let Some(token) = text.tokens.get(index).filter(|_| is_missed) {
                self.findings.push(errors::left_out(text.span(&token.range()), text.at(index)));
            }
        }
    }

    fn signature(&mut self, cursor: Cursor<'u>, spelling: Option<String>) -> Function {
        let ty = self.type_of(cursor);
        let (result, variadic) = match ty {
            Type::Function(function) => (function.result, function.variadic),
            // Declared through a typedef of a function type.
            other => match self.types.resolve(&other) {
                Type::Function(function) => (function.result.clone(), function.variadic),
                _ => (Type::Void, false),
            },
        };
        let parameters = cursor.parameters().into_iter().map(|parameter| self.parameter(parameter)).collect();
        let linkage = match (cursor.storage(), cursor.is_inline()) {
            (kinds::CX_SC_Static, true) => Linkage::StaticInline,
            (kinds::CX_SC_Static, false) => Linkage::Static,
            (kinds::CX_SC_Extern, _) => Linkage::Extern,
            _ => Linkage::Plain,
        };
        let span = self.span(cursor);
        let name = self.name_of(cursor);
        let header = self.header(cursor);
        Function { linkage, name, result, parameters, variadic, spelling, header, span, ..Function::default() }
    }

    fn parameter(&mut self, cursor: Cursor<'u>) -> Parameter {
        let mut bounds = self.bounds_of(cursor);
        let ty = self.convert_with(cursor.ty(), &mut bounds);
        let ty = self.adjusted(ty);
        let name = self.name_of(cursor);
        if cursor.spelling().is_empty() {
            return Parameter { name: None, ty };
        }
        self.remember(cursor, &name, &ty);
        Parameter { name: Some(name), ty }
    }

    fn remember(&mut self, cursor: Cursor<'u>, name: &str, ty: &Type) {
        if let Some(offset) = cursor.canonical().location() {
            self.objects.insert(offset, Object { name: name.to_owned(), ty: ty.clone() });
        }
    }

    /// The system header that a declaration comes from.
    fn header(&self, cursor: Cursor<'u>) -> Option<String> {
        self.text.headers.at(cursor.location()?).map(str::to_owned)
    }

    fn variable(&mut self, cursor: Cursor<'u>, spelling: Option<String>) -> Variable {
        let mut bounds = self.bounds_of(cursor);
        let ty = self.convert_with(cursor.ty(), &mut bounds);
        let name = self.name_of(cursor);
        let storage = match cursor.storage() {
            kinds::CX_SC_Static => Storage::Static,
            kinds::CX_SC_Extern | kinds::CX_SC_PrivateExtern => Storage::Extern,
            kinds::CX_SC_Register => Storage::Register,
            _ => Storage::Automatic,
        };
        if self.function.is_some() && cursor.linkage() == kinds::CXLinkage_NoLinkage {
            // Before its own initializer, which may name it.
            self.remember(cursor, &name, &ty);
        }
        let initial = cursor.initializer().map(|initial| self.expression(initial));
        let (thread_local, span) = (cursor.is_thread_local(), self.span(cursor));
        Variable { storage, name, ty, initial, thread_local, alignment: 0, spelling, header: self.header(cursor), span }
    }

    /// A declaration in a block.
    pub(crate) fn local_declarations(&mut self, statement: Cursor<'u>, out: &mut Vec<Statement>) {
        let cursors = statement.children();
        let indices = self.text.indices(&statement.range());
        let end = if self.text.at(indices.end.saturating_sub(1)) == ";" { indices.end - 1 } else { indices.end };
        let names = names(&cursors);
        let group = Group::of(self.text, indices.start..end, &names);
        let bytes = self.text.bytes(&group.tokens);
        let whole = format!("{};", self.text.lines(group.tokens.clone()));
        let type_text = group.type_text.clone().unwrap_or_else(|| whole.clone());
        self.type_texts.push((bytes, type_text));
        if group.is_typedef || group.declarators.is_empty() || cursors.is_empty() {
            cursors.iter().for_each(|cursor| self.note_type(*cursor));
            return out.push(Statement::Verbatim(whole));
        }
        out.extend(group.type_text.clone().map(Statement::Verbatim));
        for cursor in cursors {
            let spelling = cursor.location().and_then(|name| group.declarator_of(self.text, name));
            let spelling = spelling.map(|declarator| group.spelling(self.text, declarator));
            match cursor.kind() {
                kinds::CXCursor_VarDecl => {
                    let variable = self.variable(cursor, spelling);
                    out.push(Statement::Declare(variable));
                }
                kinds::CXCursor_FunctionDecl => {
                    out.push(Statement::Verbatim(format!("{};", spelling.unwrap_or_default())));
                }
                kinds::CXCursor_StructDecl | kinds::CXCursor_UnionDecl | kinds::CXCursor_EnumDecl => {
                    self.note_type(cursor);
                }
                // `__label__ name;`, whose names are declared where they stand.
                kinds::CXCursor_UnexposedDecl => return out.push(Statement::Verbatim(whole)),
                _ => {
                    self.findings.extend(self.span(cursor).map(|span| errors::kept_as_text(span, "a declaration")));
                    return out.push(Statement::Verbatim(whole));
                }
            }
        }
    }
}

/// Where the names stand that some cursors declare.
pub(crate) fn names(cursors: &[Cursor]) -> Vec<usize> {
    let declares = |cursor: &&Cursor| {
        matches!(cursor.kind(), kinds::CXCursor_VarDecl | kinds::CXCursor_FunctionDecl | kinds::CXCursor_TypedefDecl)
    };
    cursors.iter().filter(declares).filter_map(|cursor| cursor.location()).collect()
}
