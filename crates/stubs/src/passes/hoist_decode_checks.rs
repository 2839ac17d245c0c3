//! `hoist-decode-checks`: what every arm of a union needs is checked before the union, together with what stands before
//! it. In: a check at the head of each arm. Out: one check for the discriminant and the least arm; arms that need more
//! check again for all of it. Where all arms take as many bytes, that check covers what stands behind the union, too.
//!
//! Source: the message spans of Flick's later releases (field notes, section 1.4); the paper has the encode side only.

use super::merge_checks::{LARGEST_SEGMENT, merge_checks};
use super::{map_bodies, sizes::unchecked_size};
use crate::plan::{Op, Otherwise, Plan};

/// Hoists the checks of arms, then merges what they met.
pub(super) fn hoist_decode_checks(plan: Plan) -> Plan {
    merge_checks(map_bodies(plan, &mut |_, body| hoisted(body)))
}

fn hoisted(body: Vec<Op>) -> Vec<Op> {
    let mut result: Vec<Op> = Vec::new();
    for op in body {
        let op = op.map_bodies(&mut hoisted);
        match common_check(&op) {
            Some(least) => {
                result.push(Op::Ensure(least));
                result.push(without_check(op, least));
            }
            None => result.push(op),
        }
    }
    result
}

/// The check that every arm begins with, at its least. An arm that only fails needs nothing.
fn common_check(op: &Op) -> Option<u64> {
    let Op::Switch { arms, otherwise, .. } = op else { return None };
    let first = |body: &[Op]| match body.first() {
        Some(Op::Ensure(size)) => *size,
        _ => 0,
    };
    let mut least = arms.iter().map(|arm| first(&arm.body)).min().unwrap_or(0);
    if let Otherwise::Body(body) = otherwise {
        least = least.min(first(body));
    }
    let bodies = op.bodies();
    let splits = bodies.iter().all(|body| split_after(body.get(1..).unwrap_or(&[]), least, first(body)).is_some());
    (least > 0 && least <= LARGEST_SEGMENT && splits).then_some(least)
}

/// The arms without the checks that the hoisted one covers in full. An arm that needs more takes what was checked for
/// it first, and then checks for the rest.
fn without_check(op: Op, least: u64) -> Op {
    op.map_bodies(&mut |body| match body.split_first() {
        Some((Op::Ensure(size), rest)) => split_after(rest, least, *size).unwrap_or_else(|| body.clone()),
        _ => body,
    })
}

/// `body`, of which `covered` bytes are checked for, with a check for the rest of `size` where those end; `None` where
/// an operation straddles that place.
fn split_after(body: &[Op], covered: u64, size: u64) -> Option<Vec<Op>> {
    if covered == size {
        return Some(body.to_vec());
    }
    let mut moved = 0;
    for (at, op) in body.iter().enumerate() {
        if moved == covered {
            let check = Op::Ensure(size.checked_sub(covered)?);
            return Some(body[..at].iter().cloned().chain([check]).chain(body[at..].iter().cloned()).collect());
        }
        moved += unchecked_size(op)?;
        if moved > covered {
            return None;
        }
    }
    None
}
