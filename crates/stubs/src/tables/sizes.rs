//! About how many bytes of object code types come to on 64-bit machines at -O2: as rpcgen writes them, and as routines of
//! their own. In: PRES, or a plan. Out: bytes. Measured on the interfaces of Debian's packages; they only have to rank.

use std::collections::BTreeSet;

use pres::{NodeId, Pres, PresC};

use super::fit::bodies;

use crate::plan::references::references;
use crate::plan::{Direction, Op, Plan, Routine, RoutineId};

/// The walk that all tables of a file share, where it has all kinds of parts.
pub(super) const WALK: u64 = 4_000;

/// A part in a table.
pub(super) const PART: u64 = 8;

/// The routine that has a table walked through.
pub(super) const ENTRY: u64 = 12;

/// What users call of a type with routines.
pub(super) const ENTRY_OF_ROUTINES: u64 = 90;

/// What routines call, in most files, and what moves long runs of words of one width.
const HELPERS: u64 = 2_500;
const HELPERS_OF_RUNS: u64 = 1_900;

/// The same where a file has all kinds of types.
pub(super) const SHARED: u64 = 6_000;

/// Files of few types may be as large as this, whatever rpcgen's are.
pub(super) const SMALL_FILE: u64 = 15_000;

/// A walk of that text.
pub(super) fn of_walk(text: &str) -> u64 {
    350 + text.lines().count() as u64 * 15 / 2
}

/// What the routines of a plan call.
pub(super) fn of_helpers(plan: &Plan) -> u64 {
    let mut widths = BTreeSet::new();
    plan.routines.values().for_each(|routine| widths_of_runs(&routine.body, &mut widths));
    if plan.routines.is_empty() { 0 } else { HELPERS + HELPERS_OF_RUNS * widths.len() as u64 }
}

fn widths_of_runs(body: &[Op], widths: &mut BTreeSet<u64>) {
    for op in body {
        if let Op::Order { word, .. } | Op::CountedOrder { word, .. } = op {
            widths.insert(word.bytes());
        }
        op.bodies().into_iter().for_each(|body| widths_of_runs(body, widths));
    }
}

/// How much there may be of routines beside the tables of a file, so that its code comes to about rpcgen's.
pub(super) fn most(pres: &PresC) -> u64 {
    let rpcgen: u64 = pres.types.iter().map(|(_, stub)| of_rpcgen(pres, stub.node)).sum();
    rpcgen.max(SMALL_FILE).saturating_sub(WALK + SHARED + rpcgen * 2 / 3)
}

/// A routine of rpcgen's, which calls the library for each part.
pub(super) fn of_rpcgen(pres: &PresC, node: NodeId) -> u64 {
    32 + calls(pres, node) * 7 / 10
}

fn calls(pres: &PresC, node: NodeId) -> u64 {
    match &pres.nodes[node].pres {
        Pres::Void => 0,
        Pres::Structure(members) => members.iter().map(|member| calls(pres, member.node)).sum(),
        Pres::Union { arms, default, .. } => {
            50 + bodies(arms, default).map(|member| 12 + calls(pres, member.node)).sum::<u64>()
        }
        Pres::CountedArray { .. } | Pres::FixedArray { .. } => 45,
        Pres::OptionalPointer { .. } | Pres::CountedBytes { .. } => 35,
        _ => 24,
    }
}

/// The routines of a type and those that they call, without those that are there: what they come to, and which they are. None
/// where that is more than so many bytes: nobody looks further, since types that call all types before them are many.
pub(super) fn of_routines(
    plan: &Plan,
    name: &str,
    there: &BTreeSet<RoutineId>,
    most: u64,
) -> Option<(u64, BTreeSet<RoutineId>)> {
    let directions = [Direction::Encode, Direction::Decode, Direction::Release];
    let mut open: Vec<RoutineId> = directions.map(|direction| RoutineId { name: name.to_string(), direction }).into();
    let (mut size, mut found) = (0, BTreeSet::new());
    while let Some(id) = open.pop() {
        let Some(routine) = plan.routines.get(&id).filter(|_| !there.contains(&id) && !found.contains(&id)) else {
            continue;
        };
        size += of_routine(routine);
        if size > most {
            return None;
        }
        open.extend(references(&routine.body, id.direction));
        found.insert(id);
    }
    Some((size, found))
}

/// All routines but those that are there.
pub(super) fn of_others(plan: &Plan, there: &BTreeSet<RoutineId>) -> u64 {
    plan.routines.iter().filter(|(id, _)| !there.contains(id)).map(|(_, routine)| of_routine(routine)).sum()
}

pub(super) fn of_routine(routine: &Routine) -> u64 {
    (90 + of_ops(&routine.body)) * 7 / 10
}

fn of_ops(body: &[Op]) -> u64 {
    body.iter().map(of_op).sum()
}

fn of_op(op: &Op) -> u64 {
    let own = match op {
        Op::Chunk { parts, .. } => 8 + 10 * parts.len() as u64,
        Op::Text { .. } | Op::Bytes { .. } | Op::CountedBytes { .. } | Op::CountedOrder { .. } | Op::Order { .. } => 45,
        Op::Items { .. } => 250,
        Op::Optional { .. } | Op::Again { .. } => 90,
        Op::Loop { .. } => 60,
        Op::Switch { arms, .. } => 20 + 12 * arms.len() as u64,
        Op::Call { .. } => 25,
        Op::External { .. } => 200,
        _ => 20,
    };
    own + op.bodies().into_iter().map(of_ops).sum::<u64>()
}
