//! `wide`: routines that loop over items with texts, bytes or short runs of words get a version for wide vectors beside the one for
//! every machine; which of them runs is asked once a message. In: routines. Out: those that are worth it, marked. Routines that
//! call others are not: what they do in their loops is done elsewhere. Source: measurement (`make bench ONLY=ablation`).

use crate::plan::{Access, Direction, Op, Plan};

/// A vector's bytes: shorter runs gain nothing.
const VECTOR: u64 = 32;

/// Marks routines.
pub(super) fn wide(mut plan: Plan) -> Plan {
    for (id, routine) in &mut plan.routines {
        routine.is_wide = id.direction != Direction::Release && gains(&routine.body, false) && !calls(&routine.body);
    }
    plan
}

/// Whether there is anything for wide vectors in a loop.
fn gains(body: &[Op], in_loop: bool) -> bool {
    body.iter().any(|op| {
        let is_gain = match op {
            Op::Text { .. } | Op::Bytes { .. } | Op::CountedBytes { .. } => true,
            Op::Chunk { parts, .. } => parts.iter().any(|part| is_run(&part.access)),
            _ => false,
        };
        let inside = in_loop || matches!(op, Op::Loop { .. } | Op::Items { .. });
        in_loop && is_gain || op.bodies().into_iter().any(|body| gains(body, inside))
    })
}

fn is_run(access: &Access) -> bool {
    matches!(access, Access::Order { word, words, .. } if word.bytes() >= 4 && words * word.bytes() >= VECTOR)
}

fn calls(body: &[Op]) -> bool {
    body.iter().any(|op| matches!(op, Op::Call { .. } | Op::External { .. }) || op.bodies().into_iter().any(calls))
}
