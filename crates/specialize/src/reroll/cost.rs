//! Whether a loop pays.

use super::{Policy, Unrolling};

/// How many of the iterations make one round of the loop; none where they had better stay as they are.
pub(super) fn iterations_at_a_time(policy: &Policy, count: usize, weight: usize) -> Option<usize> {
    if count < policy.least.max(3) {
        return None;
    }
    match policy.unrolling {
        Unrolling::Keep => None,
        Unrolling::Fold => Some(1),
        Unrolling::Chunk(size) => Some(size.max(1)).filter(|size| count / size >= 2),
        Unrolling::Auto => (count * weight >= 64).then_some(1),
    }
}
