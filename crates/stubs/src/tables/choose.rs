//! Which types get tables. In: the finished plan and what is preferred. Out: the plan with routines for the others alone.

use std::collections::BTreeSet;

use pres::{Pres, PresC};

use super::{Tables, build, sizes};
use crate::emit::needed;
use crate::encodings::Encoding;
use crate::lower::facts::Facts;
use crate::plan::{Direction, Plan, RoutineId};

/// What the marshalling file is to be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Prefer {
    /// Routines for every type.
    #[default]
    Speed,
    /// Routines where loops are, as far as they come to no more than twice rpcgen's code.
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
    // A routine under a condition may be the user's: all tables stand together, under none.
    let has_conditions = pres.lines.branches.values().any(|branch| *branch != 0);
    if prefer == Prefer::Speed || pres.strict_enumerations || has_conditions {
        return (plan, Tables::default());
    }
    let facts = Facts::new(pres, encoding);
    let routines = with_routines(&plan, pres, prefer);
    let tables = build::Builder::new(pres, &facts, &routines).tables();
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

/// The types with routines of their own; those of included files have theirs there.
fn with_routines(plan: &Plan, pres: &PresC, prefer: Prefer) -> BTreeSet<String> {
    let cannot = pres.types.iter().filter(|(_, stub)| stub.imported || !build::can_have_table(pres, stub.node));
    let mut chosen: BTreeSet<String> = cannot.map(|(_, stub)| stub.name.clone()).collect();
    if prefer == Prefer::Balance {
        chosen.extend(loops(plan, pres, &chosen));
    }
    chosen
}

/// Types that are arrays or lists, the cheapest first, as far as the file's code comes to no more than twice rpcgen's.
fn loops(plan: &Plan, pres: &PresC, without: &BTreeSet<String>) -> Vec<String> {
    let rpcgen: u64 = pres.types.iter().map(|(_, stub)| sizes::of_rpcgen(pres, stub.node)).sum();
    let Some(mut room) = (2 * rpcgen).checked_sub(sizes::WALK + rpcgen / 2) else { return Vec::new() };
    let mut costs: Vec<(u64, &String)> = pres
        .types
        .iter()
        .filter(|(_, stub)| !without.contains(&stub.name) && is_loop(plan, pres, &stub.name, stub.node))
        .map(|(_, stub)| (sizes::of_routines(plan, &stub.name), &stub.name))
        .collect();
    costs.sort();
    let affordable = costs.into_iter().take_while(|(cost, _)| match room.checked_sub(*cost) {
        Some(rest) => {
            room = rest;
            true
        }
        None => false,
    });
    affordable.map(|(_, name)| name.clone()).collect()
}

fn is_loop(plan: &Plan, pres: &PresC, name: &str, node: pres::NodeId) -> bool {
    let is_list = plan.routine(name, Direction::Encode).is_some_and(|routine| routine.is_loop);
    is_list || matches!(pres.nodes[node].pres, Pres::CountedArray { .. } | Pres::FixedArray { .. })
}
