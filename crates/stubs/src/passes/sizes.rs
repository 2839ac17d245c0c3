//! How much of the message, and how much C, operations stand for.

use crate::plan::{Count, Op};

/// The bytes that an operation moves, where that is fixed and the operation checks nothing itself.
pub(super) fn unchecked_size(op: &Op) -> Option<u64> {
    match op {
        Op::Chunk { size, .. } => Some(*size),
        Op::Loop { count: Count::Known(count), body, strip: None, .. } => count.checked_mul(unchecked_sum(body)?),
        // Whichever arm it is; one that only fails moves as much as the others.
        Op::Switch { .. } => {
            let mut arms = op.bodies().into_iter().map(unchecked_sum);
            let first = arms.next().flatten()?;
            arms.all(|size| size == Some(first)).then_some(first)
        }
        // It fails or goes on; it moves nothing.
        Op::Check { .. } | Op::Member { .. } | Op::Allocate { .. } | Op::Capacity { .. } => Some(0),
        _ => None,
    }
}

/// The same of all of them.
pub(super) fn unchecked_sum(body: &[Op]) -> Option<u64> {
    body.iter().map(unchecked_size).try_fold(0u64, |sum, size| sum.checked_add(size?))
}

/// A measure of the C that operations become.
pub(super) fn weight(body: &[Op]) -> usize {
    body.iter()
        .map(|op| {
            let own = if let Op::Chunk { parts, .. } = op { parts.len() } else { 1 };
            own + op.bodies().into_iter().map(weight).sum::<usize>()
        })
        .sum()
}

/// How many bodies stand in each other.
pub(super) fn depth(body: &[Op]) -> usize {
    let deepest = body.iter().flat_map(Op::bodies).map(depth).max();
    deepest.map_or(0, |depth| depth + 1)
}
