//! `flatten`: aggregates have done their duty once runs are found. In: a plan with aggregates. Out: the same
//! operations, one after the other.

use super::map_bodies;
use crate::plan::{Op, Plan};

/// Puts the bodies of aggregates in their place.
pub(super) fn flatten(plan: Plan) -> Plan {
    map_bodies(plan, &mut |_, body| {
        let mut result = Vec::new();
        flat(body, &mut result);
        result
    })
}

fn flat(body: Vec<Op>, result: &mut Vec<Op>) {
    for op in body {
        match op {
            Op::Aggregate { body, .. } => flat(body, result),
            other => result.push(other.map_bodies(&mut |body| {
                let mut inner = Vec::new();
                flat(body, &mut inner);
                inner
            })),
        }
    }
}
