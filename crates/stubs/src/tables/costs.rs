//! What each type of a file costs. In: what was chosen, and PRES_C. Out: about the bytes of object code of each type's marshalling, as
//! [`sizes`] estimates them, beside what rpcgen's comes to.

use std::collections::BTreeMap;

use pres::PresC;

use super::choose::{Chosen, Why};
use super::{Group, sizes};
use crate::plan::Direction;
use crate::runtime;

/// A file's types in the order of its header, and what they share.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Costs {
    pub types: Vec<Cost>,
    /// What walks through the tables; 0 where there are none.
    pub walk: u64,
    /// What routines call; 0 where there are none.
    pub helpers: u64,
}

/// About the bytes of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cost {
    pub name: String,
    pub why: Why,
    /// Of its table; 0 where it has none.
    pub table: u64,
    /// Of its routines; a type with a table has them, too, where those of other types call them.
    pub routines: u64,
    /// Of rpcgen's routine.
    pub rpcgen: u64,
}

/// What was chosen costs so much.
pub fn costs(chosen: &Chosen, pres: &PresC) -> Costs {
    let tables: BTreeMap<&str, u64> = chosen.tables.groups.values().flat_map(of_tables).collect();
    let mut routines: BTreeMap<&str, u64> = BTreeMap::new();
    for (id, routine) in &chosen.plan.routines {
        // What hangs on a member has routines of its own: `T.next`.
        let of = id.name.split('.').next().unwrap_or_default();
        let is_entry = id.direction == Direction::Encode && !routine.entry.is_empty();
        let entry = if is_entry { sizes::ENTRY_OF_ROUTINES } else { 0 };
        *routines.entry(of).or_default() += sizes::of_routine(routine) + entry;
    }
    let cost = |stub: &pres::TypeStub| {
        Some(Cost {
            name: stub.name.clone(),
            why: *chosen.whys.get(&stub.name)?,
            table: tables.get(stub.name.as_str()).copied().unwrap_or_default(),
            routines: routines.get(stub.name.as_str()).copied().unwrap_or_default(),
            rpcgen: sizes::of_rpcgen(pres, stub.node),
        })
    };
    Costs {
        types: pres.types.iter().filter_map(|(_, stub)| cost(stub)).collect(),
        walk: if chosen.tables.is_empty() { 0 } else { sizes::of_walk(&runtime::walk(&chosen.tables.walk())) },
        helpers: sizes::of_helpers(&chosen.plan),
    }
}

/// The tables of a branch: those of a type's cases and items come behind its own.
fn of_tables(group: &Group) -> Vec<(&str, u64)> {
    let mut sizes: Vec<(&str, u64)> = Vec::new();
    for form in &group.forms {
        if let Some(name) = &form.name {
            sizes.push((name, sizes::ENTRY));
        }
        if let Some((_, size)) = sizes.last_mut() {
            *size += sizes::PART * form.parts.len() as u64;
        }
    }
    sizes
}
