//! Which types get tables, and why. In: the finished plan and what is preferred. Out: the plan with routines for the others alone.

use std::collections::{BTreeMap, BTreeSet};

use pres::{NodeId, Pres, PresC, TypeStub, TypeStubId};

use super::fit::{Fit, bodies};
use super::{Tables, build, sizes};
use crate::encodings::Encoding;
use crate::lower::facts::Facts;
use crate::plan::references::needed;
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

/// Why a type has the form that it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// A table, as `--prefer size` says.
    Size,
    /// A table: nothing in the type repeats.
    Straight,
    /// A table: the type repeats, and its routines would make the file too large.
    Room,
    /// Routines, as `--prefer speed` says.
    Speed,
    /// Routines, which `--strict` needs.
    Strict,
    /// Routines: no table says all of the type.
    Beyond,
    /// Routines: the type repeats.
    Repeats,
    /// Routines: tables, and what walks through them, would be no smaller.
    Few,
}

/// What a file is to have.
pub struct Chosen {
    /// Without the types that get tables.
    pub plan: Plan,
    pub tables: Tables,
    /// For each type of this file, by name.
    pub whys: BTreeMap<String, Why>,
}

/// Chooses for each type.
pub fn choose(plan: Plan, pres: &PresC, encoding: &dyn Encoding, prefer: Prefer) -> Chosen {
    let fit = Fit::new(pres);
    let whys = whys(&plan, &fit, prefer);
    let tables = tables(&plan, &Facts::new(pres, encoding), &fit, &whys);
    let plan = if tables.is_empty() { plan } else { without_tables(plan, &whys) };
    Chosen { plan, tables, whys }
}

/// Those of included files have theirs there.
fn whys(plan: &Plan, fit: &Fit<'_>, prefer: Prefer) -> BTreeMap<String, Why> {
    let own = fit.pres.types.iter().filter(|(_, stub)| !stub.imported);
    let why = |stub: &TypeStub| match prefer {
        _ if fit.pres.strict_enumerations => Why::Strict,
        Prefer::Speed => Why::Speed,
        _ if !fit.has_table(stub.node) => Why::Beyond,
        Prefer::Size => Why::Size,
        Prefer::Balance if repeats(plan, fit.pres, stub) => Why::Room,
        Prefer::Balance => Why::Straight,
    };
    let mut whys: BTreeMap<String, Why> = own.map(|(_, stub)| (stub.name.clone(), why(stub))).collect();
    if prefer == Prefer::Balance && !fit.pres.strict_enumerations {
        fast(plan, fit.pres, &mut whys);
    }
    whys
}

impl Why {
    pub(super) fn is_table(self) -> bool {
        matches!(self, Why::Size | Why::Straight | Why::Room)
    }
}

fn without_tables(mut plan: Plan, whys: &BTreeMap<String, Why>) -> Plan {
    for (id, routine) in &mut plan.routines {
        if whys.get(&id.name).is_some_and(|why| why.is_table()) {
            routine.entry = String::new();
        }
    }
    let arenas: BTreeSet<String> = plan.arenas.iter().map(|arena| arena.routine.clone()).collect();
    let with_entries: BTreeSet<String> =
        plan.routines.iter().filter(|(_, routine)| !routine.entry.is_empty()).map(|(id, _)| id.name.clone()).collect();
    let has_entry = |id: &RoutineId| with_entries.contains(&id.name) || arenas.contains(&id.name);
    needed(plan, &has_entry)
}

/// The tables of each branch of the user's conditions. A routine of another branch may be the user's.
fn tables(plan: &Plan, facts: &Facts<'_>, fit: &Fit<'_>, whys: &BTreeMap<String, Why>) -> Tables {
    let recursive = plan.routines.iter().filter(|(_, routine)| routine.is_recursive || routine.is_loop);
    let recursive = recursive.map(|(id, _)| id.name.clone()).collect();
    let mut branches: BTreeMap<usize, Vec<TypeStubId>> = BTreeMap::new();
    let has_table = |stub: &TypeStub| whys.get(&stub.name).is_some_and(|why| why.is_table());
    for (id, stub) in fit.pres.types.iter().filter(|(_, stub)| has_table(stub)) {
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

/// Routines in place of tables: for types that repeat, the cheapest first, as far as the file's code comes to no more than
/// [`sizes::most`].
fn fast(plan: &Plan, pres: &PresC, whys: &mut BTreeMap<String, Why>) {
    let mut room = sizes::most(pres);
    let most = room.min(sizes::SMALL_FILE);
    let mut costs: Vec<(u64, String)> = Vec::new();
    for (name, _) in whys.iter().filter(|(_, why)| **why == Why::Room) {
        let found = sizes::of_routines(plan, name, &BTreeSet::new(), most);
        costs.extend(found.map(|(cost, _)| (cost, name.clone())));
    }
    costs.sort();
    // Routines that several types call are there once.
    let mut there = BTreeSet::new();
    for (_, name) in costs {
        let Some((cost, routines)) = sizes::of_routines(plan, &name, &there, room) else { break };
        room -= cost;
        there.extend(routines);
        whys.insert(name, Why::Repeats);
    }
    let has_routines = whys.values().any(|why| *why == Why::Repeats);
    let others = sizes::of_others(plan, &there) + if has_routines { 0 } else { sizes::SHARED };
    // Tables are not to cost more than they save.
    if others <= sizes::WALK {
        whys.values_mut().filter(|why| why.is_table()).for_each(|why| *why = Why::Few);
    }
}

/// Values are lists, or have arrays that are no type of their own.
fn repeats(plan: &Plan, pres: &PresC, stub: &TypeStub) -> bool {
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
