//! What C must know of a type before it can pass it: fixed or variable length, array or not, and what releases it.
//! Source: OMG, C Language Mapping (formal/99-07-35), sections 1.20 to 1.23.

use std::collections::{BTreeMap, BTreeSet};

use aoi::{Aoi, DefinitionId, DefinitionKind, Type, Union};
use pres::Passing;

use super::names;

/// What is known of the definitions of one file, each found out once: types refer to each other, and a type may be part of
/// another in more ways than anybody can count.
pub(super) struct Kinds<'a> {
    aoi: &'a Aoi,
    /// Values hold what was allocated for them.
    variable: BTreeSet<DefinitionId>,
    /// Something in values, or in what they lead to, cannot lie in a message.
    kept: BTreeSet<DefinitionId>,
}

impl<'a> Kinds<'a> {
    pub(super) fn of(aoi: &'a Aoi) -> Self {
        let variable = reaching(aoi, &|ty| leads(aoi, ty, false));
        let kept = reaching(aoi, &|ty| leads(aoi, ty, true));
        Kinds { aoi, variable, kept }
    }

    /// Values hold what was allocated for them.
    pub(super) fn is_variable(&self, ty: &Type) -> bool {
        match leads(self.aoi, ty, false) {
            Leads::To(id) => self.variable.contains(&id),
            Leads::Yes => true,
            Leads::No => false,
        }
    }

    /// The same of a structure, union or exception.
    pub(super) fn is_variable_definition(&self, id: DefinitionId) -> bool {
        !is_alias(self.aoi, id) && self.variable.contains(&id)
    }

    /// How C passes a value of the type.
    pub(super) fn passing(&self, ty: &Type) -> Passing {
        let aoi = self.aoi;
        let record = || if self.is_variable(ty) { Passing::VariableRecord } else { Passing::FixedRecord };
        match aoi.resolve(ty) {
            Type::Text { .. } | Type::WideText { .. } => Passing::Text,
            Type::Opaque { .. } | Type::Sequence { .. } | Type::Optional(_) | Type::Any => Passing::VariableRecord,
            Type::Fixed { .. } => Passing::FixedRecord,
            Type::Array { .. } | Type::FixedOpaque { .. } if self.is_variable(ty) => Passing::VariableArray,
            Type::Array { .. } | Type::FixedOpaque { .. } => Passing::FixedArray,
            Type::Named(id) => match &aoi.definitions[*id].kind {
                DefinitionKind::Structure(_) | DefinitionKind::Union(_) | DefinitionKind::Exception(_) => record(),
                _ => Passing::Value,
            },
            _ => Passing::Value,
        }
    }

    /// What releases all that a value holds, given its address; `None` where it holds nothing.
    pub(super) fn release(&self, ty: &Type) -> Option<String> {
        let aoi = self.aoi;
        let known = |name: &str| Some(format!("whittle_release_{name}"));
        match ty {
            Type::Text { .. } => known("string"),
            Type::WideText { .. } => known("wstring"),
            Type::Opaque { .. } | Type::Sequence { .. } | Type::Optional(_) => known("sequence"),
            Type::Any => known("any"),
            Type::TypeCode => known("typecode"),
            Type::Object => known("object"),
            Type::Recursive(_) => known("state"),
            Type::Named(id) => {
                let last = aoi.definitions.last_alias(*id);
                match &aoi.definitions[last].kind {
                    DefinitionKind::Reference(_) => known("object"),
                    DefinitionKind::Value(_) => known("state"),
                    DefinitionKind::Alias(Type::Array { element, .. }) if self.is_variable(element) => {
                        known(&names::of_definition(aoi, last))
                    }
                    // What is no name, or names no alias; chains in circles were reported.
                    DefinitionKind::Alias(Type::Named(circle)) if is_alias(aoi, *circle) => None,
                    DefinitionKind::Alias(target) => self.release(target),
                    _ if self.is_variable_definition(last) => known(&names::of_definition(aoi, last)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Values may lie in the message while a call lasts: nothing in them is counted by references.
    pub(super) fn may_be_borrowed(&self, ty: &Type) -> bool {
        match leads(self.aoi, ty, true) {
            Leads::To(id) => !self.kept.contains(&id),
            Leads::Yes => false,
            Leads::No => true,
        }
    }
}

fn is_alias(aoi: &Aoi, id: DefinitionId) -> bool {
    matches!(aoi.definitions[id].kind, DefinitionKind::Alias(_))
}

/// What a type says of itself.
enum Leads {
    Yes,
    No,
    /// What this definition says.
    To(DefinitionId),
}

/// Whether values of a type hold what was allocated, or (`is_kept`) lead to what cannot lie in a message.
fn leads(aoi: &Aoi, ty: &Type, is_kept: bool) -> Leads {
    let mut ty = ty;
    loop {
        return match ty {
            Type::Any | Type::TypeCode | Type::Object | Type::WideText { .. } => Leads::Yes,
            Type::Text { .. } | Type::Opaque { .. } if !is_kept => Leads::Yes,
            Type::Sequence { element, .. } | Type::Optional(element) | Type::Recursive(element) => {
                if !is_kept {
                    return Leads::Yes;
                }
                ty = element;
                continue;
            }
            Type::Array { element, .. } => {
                ty = element;
                continue;
            }
            Type::Named(id) => match &aoi.definitions[*id].kind {
                DefinitionKind::Reference(_) => Leads::Yes,
                DefinitionKind::Structure(_)
                | DefinitionKind::Exception(_)
                | DefinitionKind::Union(_)
                | DefinitionKind::Alias(_) => Leads::To(*id),
                DefinitionKind::Enumeration(_) => Leads::No,
                DefinitionKind::Value(_) if is_kept => Leads::To(*id),
                DefinitionKind::Value(_) => Leads::Yes,
                _ if is_kept => Leads::Yes,
                _ => Leads::No,
            },
            _ => Leads::No,
        };
    }
}

/// The definitions that say yes themselves, or hold one that does.
fn reaching(aoi: &Aoi, leads: &dyn Fn(&Type) -> Leads) -> BTreeSet<DefinitionId> {
    let mut holders: BTreeMap<DefinitionId, Vec<DefinitionId>> = BTreeMap::new();
    let mut pending = Vec::new();
    for (id, definition) in aoi.definitions.iter() {
        let mut held = |ty: &Type| match leads(ty) {
            Leads::Yes => pending.push(id),
            Leads::No => {}
            Leads::To(part) => holders.entry(part).or_default().push(id),
        };
        match &definition.kind {
            DefinitionKind::Structure(structure) | DefinitionKind::Exception(structure) => {
                structure.fields.iter().for_each(|field| held(&field.ty));
            }
            DefinitionKind::Union(union) => bodies(union).for_each(held),
            DefinitionKind::Alias(ty) => held(ty),
            DefinitionKind::Value(value) => value.state.iter().for_each(|field| held(&field.ty)),
            DefinitionKind::Reference(_) => pending.push(id),
            _ => {}
        }
    }
    let mut found = BTreeSet::new();
    while let Some(id) = pending.pop() {
        if found.insert(id) {
            pending.extend(holders.get(&id).into_iter().flatten());
        }
    }
    found
}

/// The types of a union's bodies.
pub(super) fn bodies(union: &Union) -> impl Iterator<Item = &Type> {
    let cases = union.cases.iter().chain(union.default.as_deref());
    cases.filter_map(|case| case.body.as_ref()).map(|body| &body.ty)
}
