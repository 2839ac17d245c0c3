//! `flatten`: aggregates have done their duty once runs are found. In: a plan with aggregates. Out: the same
//! operations, one after the other.

use super::map_bodies;
use crate::plan::{Op, Plan};

/// Puts the bodies of aggregates in their place.
pub(super) fn flatten(plan: &Plan) -> Plan {
    map_bodies(plan, &mut |routine| flat(&routine.body))
}

fn flat(body: &[Op]) -> Vec<Op> {
    let mut result = Vec::new();
    for op in body {
        match op {
            Op::Aggregate { body, .. } => result.extend(flat(body)),
            other => result.push(other.map_bodies(&mut flat)),
        }
    }
    result
}
