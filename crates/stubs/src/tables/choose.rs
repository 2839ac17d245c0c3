//! Which types get tables. In: the finished plan and what is preferred. Out: the plan with routines for the others alone.

use std::collections::{BTreeMap, BTreeSet};

use pres::{NodeId, Pres, PresC, TypeStub, TypeStubId};

use super::fit::{Fit, bodies};
use super::{Tables, build, sizes};
use crate::emit::needed;
use crate::encodings::Encoding;
use crate::lower::facts::Facts;
use crate::plan::{Direction, Plan, RoutineId};

/// What the marshalling file is to be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Prefer {
    /// Routines for every type.
    Speed,
    /// Routines for types that loop, as far as the file comes to about rpcgen's code, and tables for the others.
    #[default]
    Balance,
    /// Tables for every type that can have one.
    Size,
}

impl Prefer {
    /// As the command line names it.
    pub fn of_name(name: &str) -> Option<Prefer> {
        match name {
            "speed" => Some(Prefer::Speed),
            "balance" => Some(Prefer::Balance),
            "size" => Some(Prefer::Size),
            _ => None,
        }
    }
}

/// The plan without the types that get tables, and the tables.
pub fn choose(mut plan: Plan, pres: &PresC, encoding: &dyn Encoding, prefer: Prefer) -> (Plan, Tables) {
    if prefer == Prefer::Speed || pres.strict_enumerations {
        return (plan, Tables::default());
    }
    let facts = Facts::new(pres, encoding);
    let fit = Fit::new(pres);
    // Those of included files have theirs there.
    let others = pres.types.iter().filter(|(_, stub)| stub.imported || !fit.has_table(stub.node));
    let mut routines: BTreeSet<String> = others.map(|(_, stub)| stub.name.clone()).collect();
    if prefer == Prefer::Balance {
        routines.extend(fast(&plan, &fit, &routines));
    }
    let tables = tables(&plan, &facts, &fit, &routines);
    if tables.is_empty() {
        return (plan, tables);
    }
    for (id, routine) in &mut plan.routines {
        if !routines.contains(&id.name) {
            routine.entry = String::new();
        }
    }
    let arenas: BTreeSet<String> = plan.arenas.iter().map(|arena| arena.routine.clone()).collect();
    let with_entries: BTreeSet<String> =
        plan.routines.iter().filter(|(_, routine)| !routine.entry.is_empty()).map(|(id, _)| id.name.clone()).collect();
    let has_entry = |id: &RoutineId| with_entries.contains(&id.name) || arenas.contains(&id.name);
    (needed(plan, &has_entry), tables)
}

/// The tables of each branch of the user's conditions. A routine of another branch may be the user's.
fn tables(plan: &Plan, facts: &Facts<'_>, fit: &Fit<'_>, routines: &BTreeSet<String>) -> Tables {
    let recursive = plan.routines.iter().filter(|(_, routine)| routine.is_recursive || routine.is_loop);
    let recursive = recursive.map(|(id, _)| id.name.clone()).collect();
    let mut branches: BTreeMap<usize, Vec<TypeStubId>> = BTreeMap::new();
    for (id, stub) in fit.pres.types.iter().filter(|(_, stub)| !routines.contains(&stub.name)) {
        let branch = fit.pres.lines.branches.get(&stub.name).copied().unwrap_or(0);
        branches.entry(branch).or_default().push(id);
    }
    let mut tables = Tables::default();
    for (branch, types) in branches {
        let own = types.iter().map(|id| fit.pres.types[*id].name.clone()).collect();
        tables.groups.insert(branch, build::Builder::new(facts, fit, &own, &recursive).tables(&types));
    }
    tables
}

/// The types that have routines in place of tables: those that loop, the cheapest first, as far as the file's code comes to no more
/// than [`sizes::most`].
fn fast(plan: &Plan, fit: &Fit<'_>, without: &BTreeSet<String>) -> BTreeSet<String> {
    let pres = fit.pres;
    let is_candidate = |stub: &TypeStub| !without.contains(&stub.name) && loops(plan, pres, stub);
    let candidates = pres.types.iter().filter(|(_, stub)| is_candidate(stub));
    let mut room = sizes::most(pres);
    let most = room.min(sizes::SMALL_FILE);
    let mut costs: Vec<(u64, &String)> = Vec::new();
    for (_, stub) in candidates {
        let found = sizes::of_routines(plan, &stub.name, &BTreeSet::new(), most);
        costs.extend(found.map(|(cost, _)| (cost, &stub.name)));
    }
    costs.sort();
    // Routines that several types call are there once.
    let mut there = BTreeSet::new();
    let mut chosen = BTreeSet::new();
    for (_, name) in costs {
        let Some((cost, routines)) = sizes::of_routines(plan, name, &there, room) else { break };
        room -= cost;
        there.extend(routines);
        chosen.insert(name.clone());
    }
    let others = sizes::of_others(plan, &there) + if chosen.is_empty() { sizes::SHARED } else { 0 };
    // Tables are not to cost more than they save.
    if others <= sizes::WALK {
        chosen.extend(pres.types.iter().map(|(_, stub)| stub.name.clone()));
    }
    chosen
}

/// Values are lists, or have arrays that are no type of their own.
fn loops(plan: &Plan, pres: &PresC, stub: &TypeStub) -> bool {
    plan.routine(&stub.name, Direction::Encode).is_some_and(|routine| routine.is_loop) || has_array(pres, stub.node)
}

fn has_array(pres: &PresC, node: NodeId) -> bool {
    match &pres.nodes[node].pres {
        Pres::CountedArray { .. } => true,
        Pres::FixedArray { element, .. } => build::word_of(pres, *element).is_none(),
        Pres::Structure(members) => members.iter().any(|member| has_array(pres, member.node)),
        Pres::Union { arms, default, .. } => bodies(arms, default).any(|member| has_array(pres, member.node)),
        _ => false,
    }
}
