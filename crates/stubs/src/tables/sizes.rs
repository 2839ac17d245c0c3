//! About how many bytes of object code types come to on 64-bit machines at -O2: as rpcgen writes them, and as routines of
//! their own. In: PRES, or a plan. Out: bytes. Measured on the interfaces of Debian's packages; they only have to rank.

use std::collections::BTreeSet;

use pres::{DefaultArm, NodeId, Pres, PresC};

use crate::emit::needed;
use crate::plan::{Direction, Op, Plan, RoutineId};

/// The walk that all tables share, and what routines have beside it.
pub(super) const WALK: u64 = 5_200;

/// A routine of rpcgen's, which calls the library for each part.
pub(super) fn of_rpcgen(pres: &PresC, node: NodeId) -> u64 {
    46 + calls(pres, node)
}

fn calls(pres: &PresC, node: NodeId) -> u64 {
    match &pres.nodes[node].pres {
        Pres::Void => 0,
        Pres::Structure(members) => members.iter().map(|member| calls(pres, member.node)).sum(),
        Pres::Union { arms, default, .. } => {
            let bodies = arms.iter().filter_map(|arm| arm.member.as_ref());
            let last = if let DefaultArm::Body(Some(member)) = default { Some(member) } else { None };
            50 + bodies.chain(last).map(|member| 12 + calls(pres, member.node)).sum::<u64>()
        }
        Pres::CountedArray { .. } | Pres::FixedArray { .. } => 45,
        Pres::OptionalPointer { .. } | Pres::CountedBytes { .. } => 35,
        _ => 24,
    }
}

/// The routines of a type, and those that they call.
pub(super) fn of_routines(plan: &Plan, name: &str) -> u64 {
    let own = |id: &RoutineId| id.name == name;
    let mut part = Plan::default();
    let mut open = vec![name.to_string()];
    let mut seen = BTreeSet::new();
    while let Some(name) = open.pop() {
        if !seen.insert(name.clone()) {
            continue;
        }
        for direction in [Direction::Encode, Direction::Decode, Direction::Release] {
            let id = RoutineId { name: name.clone(), direction };
            if let Some(routine) = plan.routines.get(&id) {
                crate::emit::mentions(&routine.body, direction, &mut open);
                part.routines.insert(id, routine.clone());
            }
        }
    }
    needed(part, &own).routines.values().map(|routine| 90 + of_ops(&routine.body)).sum()
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
        _ => 20,
    };
    own + op.bodies().into_iter().map(of_ops).sum::<u64>()
}
