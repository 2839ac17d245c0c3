//! `chunks`: neighbouring accesses become one chunk with constant offsets, and the cursor moves once. In: a chunk for
//! each item. Out: a chunk for each stretch of fixed layout. Source: Flick (PLDI'97) section 3.2, "chunk".

use super::map_bodies;
use crate::plan::{Direction, Op, Part, Plan};

/// Joins neighbouring chunks.
pub(super) fn chunks(plan: Plan) -> Plan {
    map_bodies(plan, &mut |direction, body| joined(body, direction))
}

fn joined(body: Vec<Op>, direction: Direction) -> Vec<Op> {
    let mut result: Vec<Op> = Vec::new();
    for op in body {
        let op = op.map_bodies(&mut |body| joined(body, direction));
        // What is to be encoded is there from the start, so it may as well be looked at before the chunk.
        let looks = matches!(op, Op::Check { .. } | Op::Member { .. }) && direction == Direction::Encode;
        if looks && matches!(result.last(), Some(Op::Chunk { .. })) {
            result.insert(result.len() - 1, op);
            continue;
        }
        match (result.last_mut(), op) {
            (Some(Op::Chunk { size, parts }), Op::Chunk { size: more, parts: next }) => {
                let base = *size;
                parts.extend(next.into_iter().map(|part| Part { offset: base + part.offset, access: part.access }));
                *size += more;
            }
            (_, op) => result.push(op),
        }
    }
    result
}
