//! What may hang on values of a type. In: PRES_C, and one type of each cycle of types. Out: for each node whether it allocates more
//! than arrives, and whether a type that contains itself is part of it. Why: around such members the bytes that follow are owed, so
//! that they back no storage twice (as the pass `claims` has it for routines).

use std::collections::{BTreeMap, BTreeSet};

use pres::{NodeId, Pres, PresC, TypeStubId};

use super::fit::bodies;

/// Judges types, each once.
pub(super) struct Hangs<'a> {
    pres: &'a PresC,
    recursive: &'a BTreeSet<String>,
    amplify: BTreeMap<TypeStubId, bool>,
    nest: BTreeMap<TypeStubId, bool>,
}

impl<'a> Hangs<'a> {
    pub(super) fn new(pres: &'a PresC, recursive: &'a BTreeSet<String>) -> Hangs<'a> {
        Hangs { pres, recursive, amplify: BTreeMap::new(), nest: BTreeMap::new() }
    }

    /// The type contains itself, and breaks the cycle.
    pub(super) fn is_recursive(&self, id: TypeStubId) -> bool {
        self.recursive.contains(&self.pres.types[id].name)
    }

    /// Storage may hang on its values that is larger than the bytes it came in.
    pub(super) fn amplifies(&mut self, node: NodeId) -> bool {
        match &self.pres.nodes[node].pres {
            Pres::CountedArray { .. } | Pres::OptionalPointer { .. } | Pres::External { .. } => true,
            Pres::Structure(members) => members.iter().any(|member| self.amplifies(member.node)),
            Pres::Union { arms, default, .. } => bodies(arms, default).any(|member| self.amplifies(member.node)),
            Pres::FixedArray { element, .. } => self.amplifies(*element),
            Pres::Named(id) => {
                if let Some(known) = self.amplify.get(id) {
                    return *known;
                }
                let found = self.amplifies(self.pres.types[*id].node);
                self.amplify.insert(*id, found);
                found
            }
            _ => false,
        }
    }

    /// Values of a type that contains itself may hang on it, a thousand levels deep.
    pub(super) fn nests(&mut self, node: NodeId) -> bool {
        match &self.pres.nodes[node].pres {
            Pres::Structure(members) => members.iter().any(|member| self.nests(member.node)),
            Pres::Union { arms, default, .. } => bodies(arms, default).any(|member| self.nests(member.node)),
            Pres::FixedArray { element: inner, .. }
            | Pres::CountedArray { element: inner, .. }
            | Pres::OptionalPointer { target: inner, .. } => self.nests(*inner),
            Pres::Named(id) if self.is_recursive(*id) => true,
            Pres::Named(id) => {
                if let Some(known) = self.nest.get(id) {
                    return *known;
                }
                // Types of other branches may close a cycle that no routine here breaks.
                self.nest.insert(*id, true);
                let found = self.nests(self.pres.types[*id].node);
                self.nest.insert(*id, found);
                found
            }
            _ => false,
        }
    }
}
