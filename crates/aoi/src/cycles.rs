//! Types that no value can have: those that stand for themselves, and those that contain themselves.

use crate::{Aoi, DefinitionId, DefinitionKind, Structure, Type, Union};
use la_arena::ArenaMap;
use std::collections::BTreeSet;

/// Definitions that lead back to themselves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cycle {
    pub kind: CycleKind,
    /// In order of use; the last one uses the first.
    pub path: Vec<DefinitionId>,
}

/// What is wrong with a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CycleKind {
    /// Only aliases, so that the names stand for nothing.
    Alias,
    /// Each contains the next as a whole, so that no value ends.
    Value,
}

impl Cycle {
    /// Some value of its types ends, since a union chooses what contains none of them: messages could have it, and C not as a whole.
    pub fn can_end(&self, aoi: &Aoi) -> bool {
        let on_path: BTreeSet<DefinitionId> = self.path.iter().copied().collect();
        let mut endless = on_path.clone();
        // Each uses the next: from the last to the first most are found at once.
        loop {
            let before = endless.len();
            for id in self.path.iter().rev() {
                if ends(aoi, *id, &endless) {
                    endless.remove(id);
                }
            }
            if endless.len() == before || endless.is_empty() {
                return endless.is_empty();
            }
        }
    }
}

fn ends(aoi: &Aoi, id: DefinitionId, endless: &BTreeSet<DefinitionId>) -> bool {
    match definition_kind(aoi, id) {
        DefinitionKind::Alias(ty) => type_ends(ty, endless),
        DefinitionKind::Structure(structure) | DefinitionKind::Exception(structure) => {
            structure.fields.iter().all(|field| type_ends(&field.ty, endless))
        }
        DefinitionKind::Union(union) => union_ends(union, endless),
        _ => true,
    }
}

fn type_ends(ty: &Type, endless: &BTreeSet<DefinitionId>) -> bool {
    match ty {
        Type::Named(id) => !endless.contains(id),
        Type::Array { element, .. } => type_ends(element, endless),
        Type::Structure(structure) => structure.fields.iter().all(|field| type_ends(&field.ty, endless)),
        Type::Union(union) => union_ends(union, endless),
        _ => true,
    }
}

fn union_ends(union: &Union, endless: &BTreeSet<DefinitionId>) -> bool {
    let cases = union.cases.iter().chain(union.default.as_deref());
    cases.map(|case| &case.body).any(|body| body.as_ref().is_none_or(|body| type_ends(&body.ty, endless)))
}

/// All cycles of both kinds, each once.
pub fn cycles(aoi: &Aoi) -> Vec<Cycle> {
    let mut found = search(aoi, CycleKind::Alias, alias_uses);
    let in_aliases: BTreeSet<DefinitionId> = found.iter().flat_map(|cycle| cycle.path.iter().copied()).collect();
    let by_value = search(aoi, CycleKind::Value, value_uses);
    // A cycle of aliases may be one by value, too; once is enough.
    found.extend(by_value.into_iter().filter(|cycle| !cycle.path.iter().any(|id| in_aliases.contains(id))));
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
                    found.push(Cycle { kind, path: path[first..].iter().map(|(id, _)| *id).collect() });
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
        Type::Array { element, .. } | Type::Sequence { element, .. } | Type::Optional(element) => {
            mentioned(element, uses);
        }
        // A structure gives the cycle a ground to stand on.
        _ => {}
    }
}

/// The types that a type contains as a whole.
fn value_uses(aoi: &Aoi, id: DefinitionId) -> Vec<DefinitionId> {
    let mut uses = Vec::new();
    match definition_kind(aoi, id) {
        DefinitionKind::Alias(ty) => contained(ty, &mut uses),
        DefinitionKind::Structure(structure) | DefinitionKind::Exception(structure) => {
            contained_by_structure(structure, &mut uses);
        }
        DefinitionKind::Union(union) => contained_by_union(union, &mut uses),
        // Values and objects are behind references.
        DefinitionKind::Constant(_)
        | DefinitionKind::Enumeration(_)
        | DefinitionKind::Reference(_)
        | DefinitionKind::Value(_)
        | DefinitionKind::ValueBox(_)
        | DefinitionKind::Native => {}
    }
    // The path is a stack: reversed, so that the search goes in the order of the text.
    uses.reverse();
    uses
}

fn contained(ty: &Type, uses: &mut Vec<DefinitionId>) {
    match ty {
        Type::Named(id) => uses.push(*id),
        Type::Array { element, .. } => contained(element, uses),
        Type::Structure(structure) => contained_by_structure(structure, uses),
        Type::Union(union) => contained_by_union(union, uses),
        _ => {}
    }
}

fn contained_by_structure(structure: &Structure, uses: &mut Vec<DefinitionId>) {
    structure.fields.iter().for_each(|field| contained(&field.ty, uses));
}

fn contained_by_union(union: &Union, uses: &mut Vec<DefinitionId>) {
    contained(&union.discriminant.ty, uses);
    let bodies = union.cases.iter().chain(union.default.as_deref()).filter_map(|case| case.body.as_ref());
    bodies.for_each(|body| contained(&body.ty, uses));
}

fn definition_kind(aoi: &Aoi, id: DefinitionId) -> &DefinitionKind {
    &aoi.definitions[id].kind
}
