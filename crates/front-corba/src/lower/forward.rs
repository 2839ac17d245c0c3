//! Structures and unions that are declared first and defined later, and those that are being defined: until the end of
//! the definition they may be used in sequences only (IDL 4.2 section 7.4.1.4.4.4.4).

use super::scopes::{Meaning, ScopeId, ScopeKind};
use super::{BROKEN, Lowering};
use crate::errors;
use crate::syntax::{Name, Type};
use aoi::{DefinitionId, DefinitionKind};
use source::Span;

/// What is known of a type that is not defined to the end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Incomplete {
    /// `struct` or `union`.
    word: &'static str,
    /// Where it was declared, if its definition has not begun.
    promised: Option<Span>,
}

impl<'a> Lowering<'_, 'a> {
    /// `struct name;`
    pub(super) fn forward_type(&mut self, word: &'static str, name: Name<'a>) {
        match self.scopes.own(name.text).map(|entry| (entry.name, entry.meaning)) {
            // Saying it again does no harm, before the definition or after it.
            Some((known, Meaning::Type(id, Some(_)))) if known == name.text && self.is_defined_by(id, word) => {}
            _ => {
                let (id, _) = self.declare_type(word, name);
                self.incomplete.insert(id, Incomplete { word, promised: Some(name.span) });
            }
        }
    }

    fn is_defined_by(&self, id: DefinitionId, word: &str) -> bool {
        match (self.incomplete.get(&id), &self.aoi.definitions[id].kind) {
            (Some(incomplete), _) => incomplete.word == word,
            (None, DefinitionKind::Structure(_)) => word == "struct",
            (None, DefinitionKind::Union(_)) => word == "union",
            (None, _) => false,
        }
    }

    fn declare_type(&mut self, word: &'static str, name: Name<'a>) -> (DefinitionId, ScopeId) {
        let id = self.allocate(name, DefinitionKind::Native, Vec::new());
        let scope = self.scopes.add(name.text, ScopeKind::Type);
        self.scopes.define(name, Meaning::Type(id, Some(scope)));
        self.incomplete.insert(id, Incomplete { word, promised: None });
        (id, scope)
    }

    /// Begins the definition of a structure or a union, which a forward declaration may have announced.
    pub(super) fn begin_type(&mut self, word: &'static str, name: Name<'a>) -> (DefinitionId, ScopeId) {
        let own = self.scopes.own(name.text).filter(|entry| entry.name == name.text);
        if let Some(Meaning::Type(id, Some(scope))) = own.map(|entry| entry.meaning) {
            let incomplete = self.incomplete.get_mut(&id).filter(|incomplete| incomplete.word == word);
            if let Some(incomplete) = incomplete.filter(|incomplete| incomplete.promised.is_some()) {
                incomplete.promised = None;
                self.same_prefix(id, name);
                let origin = self.origin(name.span);
                let definition = &mut self.aoi.definitions[id];
                (definition.span, definition.origin) = (name.span, origin);
                return (id, scope);
            }
        }
        self.declare_type(word, name)
    }

    /// Ends what [`Lowering::begin_type`] began.
    pub(super) fn end_type(&mut self, id: DefinitionId, kind: DefinitionKind, annotations: Vec<aoi::Annotation>) {
        self.incomplete.remove(&id);
        self.aoi.definitions[id].kind = kind;
        let of_members = self.ended_members();
        self.aoi.definitions[id].annotations = annotations.into_iter().chain(of_members).collect();
        self.note_local(id);
        self.items.push(aoi::Item::Definition(id));
    }

    /// A type that can be data as it is.
    pub(super) fn complete_type(&mut self, ty: &Type<'a>) -> aoi::Type {
        let lowered = self.ty(ty);
        match lowered {
            aoi::Type::Named(id) if self.incomplete.contains_key(&id) => {
                let definition = &self.aoi.definitions[id];
                self.findings.push(errors::incomplete(ty.span, &definition.name, definition.span));
                BROKEN
            }
            _ => lowered,
        }
    }

    /// Declarations that no definition followed. An interface may be known by its name alone.
    pub(super) fn never_defined(&mut self) {
        for (id, incomplete) in &self.incomplete {
            if let Some(span) = incomplete.promised {
                let name = &self.aoi.definitions[*id].name;
                self.findings.push(errors::never_defined(span, incomplete.word, name));
            }
        }
    }
}
