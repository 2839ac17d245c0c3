//! Where everything is known, nothing is left but constants and effects. What stays undecided all the same (a volatile
//! read, a function that is called as it stands) is the exception: a run fails where too many residual programs have a
//! test or a loop.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Of a hundred residual programs, so many are nothing but constants and effects, at least.
const PERCENT: usize = 30;

/// Fewer programs say nothing.
const ENOUGH: usize = 20;

static PLAIN: AtomicUsize = AtomicUsize::new(0);
static ALL: AtomicUsize = AtomicUsize::new(0);

/// Takes note of what is left of a program of which everything is known.
pub(crate) fn note(residual: &str) {
    ALL.fetch_add(1, Ordering::Relaxed);
    let is_plain = !["if (", "for (", "while (", "switch (", "goto "].iter().any(|word| residual.contains(word));
    if is_plain {
        PLAIN.fetch_add(1, Ordering::Relaxed);
    }
}

/// What is wrong with that, after all trials.
pub(crate) fn too_few() -> Option<String> {
    let (plain, all) = (PLAIN.load(Ordering::Relaxed), ALL.load(Ordering::Relaxed));
    let few = all >= ENOUGH && plain * 100 < all * PERCENT;
    few.then(|| format!("{plain} of {all} residual programs of known ones are nothing but constants and effects"))
}
