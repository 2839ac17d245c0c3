//! `chunks`: neighbouring accesses become one chunk with constant offsets, and the cursor moves once. In: a chunk for
//! each item. Out: a chunk for each stretch of fixed layout. Source: Flick (PLDI'97) section 3.2, "chunk".

use super::map_bodies;
use crate::plan::{Op, Part, Plan};

/// Joins neighbouring chunks.
pub(super) fn chunks(plan: &Plan) -> Plan {
    map_bodies(plan, &mut |routine| joined(&routine.body))
}

fn joined(body: &[Op]) -> Vec<Op> {
    let mut result: Vec<Op> = Vec::new();
    for op in body {
        let op = op.map_bodies(&mut joined);
        if let (Some(Op::Chunk { size, parts }), Op::Chunk { size: more, parts: next }) = (result.last_mut(), &op) {
            let base = *size;
            parts.extend(next.iter().map(|part| Part { offset: base + part.offset, access: part.access.clone() }));
            *size += more;
        } else {
            result.push(op);
        }
    }
    result
}
