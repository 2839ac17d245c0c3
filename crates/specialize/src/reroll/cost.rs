//! Whether a loop pays.
//!
//! Measured on x86-64 with gcc 12 and clang 14 at -O2, encoding and decoding of 20 to 5000 integers: a loop of single
//! iterations takes up to three times as long as straight code (gcc neither unrolls nor vectorizes it), one that stores
//! 8 times a round takes 1.1 times as long, and one that stores 16 times as long as straight code, which gets slower
//! itself where it no longer fits the cache of instructions (from 1000 integers on).

use core_c::{Callee, Function, Program, StatementKind};

use super::run::Run;
use super::{Policy, Unrolling};

/// So many stores stay straight code at any rate.
const SHORT: usize = 32;
/// So many stores make a round of a loop.
const LEAST_STORES: usize = 8;
const MOST_STORES: usize = 16;

/// How many of the iterations make one round of the loop; none where they had better stay as they are.
pub(super) fn iterations_at_a_time(
    program: &Program,
    function: &Function,
    policy: &Policy,
    run: &Run,
) -> Option<usize> {
    let count = run.count();
    if count < policy.least.max(3) {
        return None;
    }
    match policy.unrolling {
        Unrolling::Keep => None,
        Unrolling::Fold => Some(1),
        Unrolling::Chunk(size) => Some(size.max(1)).filter(|size| count / size >= 2),
        Unrolling::Auto => by_stores(count, stores(program, function, run)),
    }
}

/// The size of a round that leaves the fewest iterations over, the largest one of equals.
fn by_stores(count: usize, stores: Option<usize>) -> Option<usize> {
    let Some(stores) = stores else { return Some(1) };
    if count * stores <= SHORT {
        return None;
    }
    let (least, most) = ((LEAST_STORES / stores).max(1), (MOST_STORES / stores).max(1));
    (least..=most).rev().min_by_key(|size| count % size)
}

/// How much an iteration writes; none where it does what makes a loop's own work nothing beside it: calls, tests,
/// inner loops.
fn stores(program: &Program, function: &Function, run: &Run) -> Option<usize> {
    let mut stores = 0;
    for at in &run.items {
        match &function.blocks[at.block].statements.get(at.index)?.kind {
            StatementKind::Call { callee: Callee::Function(id), .. }
                if program.functions[*id].name.starts_with("__") => {}
            StatementKind::Call { .. } | StatementKind::Assembly { .. } => return None,
            StatementKind::Set { .. } | StatementKind::Begin { .. } => {}
            StatementKind::Store { .. }
            | StatementKind::LoadVolatile { .. }
            | StatementKind::Copy { .. }
            | StatementKind::Zero { .. } => stores += 1,
        }
    }
    Some(stores.max(1))
}

#[cfg(test)]
mod tests {
    use super::by_stores;

    #[test]
    fn rounds_have_the_measured_size() {
        assert_eq!(by_stores(20, Some(1)), None, "short enough as it is");
        assert_eq!(by_stores(100, Some(1)), Some(10), "nothing is left over");
        assert_eq!(by_stores(2000, Some(1)), Some(16));
        assert_eq!(by_stores(101, Some(2)), Some(5));
        assert_eq!(by_stores(100, Some(40)), Some(1), "large enough as it is");
        assert_eq!(by_stores(8, None), Some(1), "calls");
    }
}
