//! Types that no value can have: those that stand for themselves, and those that contain themselves.

use crate::recursion;
use crate::{Aoi, DefinitionId, DefinitionKind, Structure, Type, Union};
use la_arena::ArenaMap;
use std::collections::BTreeSet;

/// Definitions that lead back to themselves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cycle {
    pub kind: CycleKind,
    /// In order of use; the last one uses the first.
    pub path: Vec<DefinitionId>,
    /// Values of its types end, since a union may choose what contains none of them: messages could have them, and C not as a whole.
    pub can_end: bool,
}

/// What is wrong with a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CycleKind {
    /// Only aliases, so that the names stand for nothing.
    Alias,
    /// Each contains the next as a whole, so that no value ends.
    Value,
}

/// All cycles of both kinds, each once.
pub fn cycles(aoi: &Aoi) -> Vec<Cycle> {
    let mut found = search(aoi, CycleKind::Alias, alias_uses);
    let in_aliases: BTreeSet<DefinitionId> = found.iter().flat_map(|cycle| cycle.path.iter().copied()).collect();
    let by_value = search(aoi, CycleKind::Value, |aoi, id| value_uses(aoi, id, false));
    // A cycle of aliases may be one by value, too; once is enough.
    found.extend(by_value.into_iter().filter(|cycle| !cycle.path.iter().any(|id| in_aliases.contains(id))));
    let through_unions = || search(aoi, CycleKind::Value, |aoi, id| value_uses(aoi, id, true));
    if found.is_empty() && through_unions().is_empty() {
        return found;
    }
    let endless = recursion::endless(aoi);
    if found.is_empty() {
        let path = recursion::circle(aoi, &endless);
        found.extend(path.map(|path| Cycle { kind: CycleKind::Value, path, can_end: false }));
    }
    for cycle in &mut found {
        cycle.can_end = !cycle.path.iter().any(|id| endless.contains(id));
    }
    found
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    OnPath,
    Done,
}

/// Depth-first search, on a stack of its own: chains of definitions may be long.
fn search(aoi: &Aoi, kind: CycleKind, uses: fn(&Aoi, DefinitionId) -> Vec<DefinitionId>) -> Vec<Cycle> {
    let mut found = Vec::new();
    let mut states: ArenaMap<DefinitionId, State> = ArenaMap::default();
    for (start, _) in aoi.definitions.iter() {
        if states.get(start).is_some() {
            continue;
        }
        states.insert(start, State::OnPath);
        let mut path = vec![(start, uses(aoi, start))];
        while let Some((current, open)) = path.last_mut() {
            let Some(next) = open.pop() else {
                states.insert(*current, State::Done);
                path.pop();
                continue;
            };
            match states.get(next) {
                Some(State::Done) => {}
                Some(State::OnPath) => {
                    let first = path.iter().position(|(id, _)| *id == next).unwrap_or(0);
                    found.push(Cycle { kind, path: path[first..].iter().map(|(id, _)| *id).collect(), can_end: false });
                }
                None => {
                    states.insert(next, State::OnPath);
                    let further = uses(aoi, next);
                    path.push((next, further));
                }
            }
        }
    }
    found
}

/// The aliases that an alias mentions in any way.
fn alias_uses(aoi: &Aoi, id: DefinitionId) -> Vec<DefinitionId> {
    let mut uses = Vec::new();
    if let DefinitionKind::Alias(ty) = definition_kind(aoi, id) {
        mentioned(ty, &mut uses);
    }
    uses.retain(|&id| matches!(definition_kind(aoi, id), DefinitionKind::Alias(_)));
    uses
}

fn mentioned(ty: &Type, uses: &mut Vec<DefinitionId>) {
    match ty {
        Type::Named(id) => uses.push(*id),
        Type::Array { element, .. }
        | Type::Sequence { element, .. }
        | Type::Optional(element)
        | Type::Recursive(element) => {
            mentioned(element, uses);
        }
        // A structure gives the cycle a ground to stand on.
        _ => {}
    }
}

/// The types that a type contains as a whole; those that are marked as recursive only where that is asked for.
pub(crate) fn value_uses(aoi: &Aoi, id: DefinitionId, recursive: bool) -> Vec<DefinitionId> {
    let mut uses = Uses { recursive, found: Vec::new() };
    match definition_kind(aoi, id) {
        DefinitionKind::Alias(ty) => uses.ty(ty),
        DefinitionKind::Structure(structure) | DefinitionKind::Exception(structure) => uses.structure(structure),
        DefinitionKind::Union(union) => uses.union(union),
        // Values and objects are behind references.
        DefinitionKind::Constant(_)
        | DefinitionKind::Enumeration(_)
        | DefinitionKind::Reference(_)
        | DefinitionKind::Value(_)
        | DefinitionKind::ValueBox(_)
        | DefinitionKind::Native => {}
    }
    // The path is a stack: reversed, so that the search goes in the order of the text.
    uses.found.reverse();
    uses.found
}

struct Uses {
    recursive: bool,
    found: Vec<DefinitionId>,
}

impl Uses {
    fn ty(&mut self, ty: &Type) {
        match ty {
            Type::Named(id) => self.found.push(*id),
            Type::Array { element, .. } => self.ty(element),
            Type::Recursive(element) if self.recursive => self.ty(element),
            Type::Structure(structure) => self.structure(structure),
            Type::Union(union) => self.union(union),
            _ => {}
        }
    }

    fn structure(&mut self, structure: &Structure) {
        structure.fields.iter().for_each(|field| self.ty(&field.ty));
    }

    fn union(&mut self, union: &Union) {
        self.ty(&union.discriminant.ty);
        let bodies = union.cases.iter().chain(union.default.as_deref()).filter_map(|case| case.body.as_ref());
        bodies.for_each(|body| self.ty(&body.ty));
    }
}

fn definition_kind(aoi: &Aoi, id: DefinitionId) -> &DefinitionKind {
    &aoi.definitions[id].kind
}
