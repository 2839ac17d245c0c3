//! What never leaves its process: local interfaces, native types, and all types that hold such (IDL 4.2 section
//! 7.4.6.4.2). Interfaces whose objects are elsewhere cannot send them, and values cannot carry them.

use super::Lowering;
use crate::errors;
use aoi::{DefinitionId, DefinitionKind, Structure, Type, Union};
use source::Span;

impl Lowering<'_, '_> {
    /// Notes what a definition turned out to be.
    pub(super) fn note_local(&mut self, id: DefinitionId) {
        let is_local = match &self.aoi.definitions[id].kind {
            DefinitionKind::Alias(ty) | DefinitionKind::ValueBox(ty) => self.is_local(ty),
            DefinitionKind::Structure(structure) | DefinitionKind::Exception(structure) => self.holds_local(structure),
            DefinitionKind::Union(union) => self.selects_local(union),
            DefinitionKind::Reference(reference) => reference.is_local,
            DefinitionKind::Native => true,
            DefinitionKind::Constant(_) | DefinitionKind::Enumeration(_) | DefinitionKind::Value(_) => false,
        };
        if is_local {
            self.locals.insert(id);
        }
    }

    fn is_local(&self, ty: &Type) -> bool {
        match ty {
            Type::Named(id) => self.locals.contains(id),
            Type::Array { element, .. } | Type::Sequence { element, .. } | Type::Optional(element) => {
                self.is_local(element)
            }
            Type::Structure(structure) => self.holds_local(structure),
            Type::Union(union) => self.selects_local(union),
            _ => false,
        }
    }

    fn holds_local(&self, structure: &Structure) -> bool {
        structure.fields.iter().any(|field| self.is_local(&field.ty))
    }

    fn selects_local(&self, union: &Union) -> bool {
        let cases = union.cases.iter().chain(union.default.as_deref());
        cases.filter_map(|case| case.body.as_ref()).any(|body| self.is_local(&body.ty))
    }

    /// Reports a type of what travels for `name` and cannot.
    pub(super) fn travels(&mut self, ty: &Type, at: Span, name: &str) {
        if self.stays_at_home {
            return;
        }
        if self.is_environment(ty) {
            self.looks_on = true;
        } else if self.is_local(ty) {
            self.findings.push(errors::local_sent_away(at, name));
        }
    }
}
