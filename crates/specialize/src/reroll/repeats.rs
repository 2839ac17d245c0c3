//! Stretches of a spine that repeat themselves.
//!
//! In: a spine. Out: where tokens are equal a period apart and their constants grow evenly; registers are looked at
//! later. Linear in the spine's length for each period.

use std::collections::BTreeMap;

use core_c::LocalId;

use super::spine::{Spine, Token};

/// Tokens from `first` to before `end`, in groups of `period` (the last one may be incomplete).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Repeat {
    pub(super) period: usize,
    pub(super) first: usize,
    pub(super) end: usize,
}

/// All longest stretches with at least `least` groups, short periods first.
pub(super) fn repeats(spine: &Spine, longest_period: usize, least: usize) -> Vec<Repeat> {
    let mut found = Vec::new();
    // The last token ends the spine: no group holds it.
    let count = spine.len().saturating_sub(1);
    for period in 1..=longest_period.min(count / least.max(2)) {
        let mut first = 0;
        for at in 0..=count {
            let goes_on = at + 2 * period < count && even(&spine[at], &spine[at + period], &spine[at + 2 * period]);
            if goes_on {
                continue;
            }
            // Without three groups there is no progression to be seen, only equality of two.
            let end = (at + 2 * period).min(count);
            if at > first && end - first >= least.max(3) * period {
                found.push(Repeat { period, first, end });
            }
            first = at + 1;
        }
    }
    found
}

/// Equal shapes, and constants that grow by as much from the second to the third as from the first to the second.
fn even(one: &Token, two: &Token, three: &Token) -> bool {
    one.shape == two.shape
        && two.shape == three.shape
        && one
            .constants
            .iter()
            .zip(&two.constants)
            .zip(&three.constants)
            .all(|((a, b), c)| Some(b.value - a.value) == c.value.checked_sub(b.value))
}

/// By token: how many registers are known before it and needed from it on.
pub(super) fn crossings(spine: &Spine) -> Vec<usize> {
    let mut spans: BTreeMap<LocalId, (usize, usize)> = BTreeMap::new();
    for (at, token) in spine.iter().enumerate() {
        for register in &token.registers {
            spans.entry(*register).or_insert((at, at)).1 = at;
        }
    }
    let mut change = vec![0_isize; spine.len() + 1];
    for (first, last) in spans.into_values().filter(|(first, last)| first < last) {
        change[first + 1] += 1;
        change[last + 1] -= 1;
    }
    let running = change.into_iter().scan(0, |sum, change| {
        *sum += change;
        Some(usize::try_from(*sum).unwrap_or(0))
    });
    running.collect()
}

impl Repeat {
    /// First tokens to try, those first at which fewest registers pass from one group to the next.
    pub(super) fn rotations(&self, crossings: &[usize], most: usize) -> Vec<usize> {
        let mut starts: Vec<usize> = (self.first..self.first + self.period).collect();
        starts.sort_by_key(|start| (crossings.get(start + self.period).copied().unwrap_or(usize::MAX), *start));
        starts.truncate(most);
        starts
    }
}
