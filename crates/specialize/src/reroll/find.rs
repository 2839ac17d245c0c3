//! Finds the runs of a function that are to become loops.
//!
//! In: a function. Out: runs of which no two share a statement, in an order in which they can be folded one after the
//! other.

use std::collections::BTreeSet;

use core_c::{BlockId, Function, Program};

use super::bulk::bulk;
use super::classes::{Class, Trouble, classes};
use super::counter::Counter;
use super::fold::Foldable;
use super::mentions::Mentions;
use super::outline::Outliner;
use super::repeats::{Repeat, crossings, repeats};
use super::run::Run;
use super::spine::{Spine, Spines};
use super::tree::{Position, Tree};
use super::{Policy, cost};

/// Starts that are tried within one period.
const ROTATIONS: usize = 4;
/// Attempts at one run whose registers make trouble.
const ATTEMPTS: usize = 6;

struct Finder<'a> {
    program: &'a mut Program,
    function: &'a Function,
    policy: &'a Policy,
    tree: Tree,
    mentions: Mentions,
    /// Blocks of runs that are found already.
    taken: BTreeSet<BlockId>,
}

/// A run on its spine.
struct Found {
    first: usize,
    end: usize,
    foldable: Foldable,
}

/// All runs of one level.
pub(super) fn find(program: &mut Program, function: &Function, policy: &Policy) -> Vec<Foldable> {
    let tree = Tree::of(function);
    let spines = Spines::of(Outliner::new(program, function), &tree);
    let mentions = Mentions::of(function);
    let mut finder = Finder { program, function, policy, tree, mentions, taken: BTreeSet::new() };
    let mut all = Vec::new();
    for spine in &spines {
        let mut found = finder.on_spine(spine);
        // What comes later is folded first: then positions before it stay valid.
        found.sort_by_key(|one| std::cmp::Reverse(one.first));
        for one in &found {
            finder.taken.extend(one.foldable.run.blocks.iter().flatten());
        }
        all.extend(found.into_iter().map(|one| one.foldable));
    }
    all
}

impl Finder<'_> {
    fn on_spine(&mut self, spine: &Spine) -> Vec<Found> {
        let mut found: Vec<Found> = Vec::new();
        let least = self.policy.least.max(3);
        let crossings = crossings(spine);
        for repeat in repeats(spine, self.policy.longest_period, least) {
            for part in outside(repeat, &found) {
                if part.end - part.first < least * part.period {
                    continue;
                }
                let mut here = Vec::new();
                for first in part.rotations(&crossings, ROTATIONS) {
                    here = self.in_repeat(spine, Repeat { first, ..part });
                    if !here.is_empty() {
                        break;
                    }
                }
                found.extend(here);
            }
        }
        found
    }

    /// Runs in a repeat, from its first token on.
    fn in_repeat(&mut self, spine: &Spine, repeat: Repeat) -> Vec<Found> {
        let mut found = Vec::new();
        let mut first = repeat.first;
        let mut failures = 0;
        while failures < ATTEMPTS && repeat.end.saturating_sub(first) >= self.policy.least.max(3) * repeat.period {
            let count = (repeat.end - first) / repeat.period;
            let starts: Vec<Position> = (0..=count).map(|at| spine[first + at * repeat.period].at).collect();
            match self.foldable(&starts) {
                Ok((skipped, foldable)) => {
                    let first_token = first + skipped * repeat.period;
                    let last = foldable.run.starts.last().and_then(|last| starts.iter().position(|at| at == last));
                    let end = first + last.unwrap_or(count) * repeat.period;
                    found.push(Found { first: first_token, end, foldable });
                    first = end;
                }
                Err(skip) => {
                    failures += 1;
                    first += skip.max(1) * repeat.period;
                }
            }
        }
        found
    }

    /// The longest run of these iterations and how many come before it; or how many to leave out before trying again.
    fn foldable(&mut self, starts: &[Position]) -> Result<(usize, Foldable), usize> {
        let mut skipped = 0;
        let mut starts = starts.to_vec();
        for _ in 0..ATTEMPTS {
            let run = Run::find(Outliner::new(self.program, self.function), &self.tree, &starts).ok_or(skipped + 1)?;
            let count = run.count();
            if run.blocks.iter().flatten().any(|block| self.taken.contains(block)) {
                return Err(skipped + count);
            }
            if count < self.policy.least.max(3) {
                return Err(skipped + count);
            }
            match classes(self.function, &self.tree, &self.mentions, &run) {
                Ok(classes) => {
                    let foldable = self.as_policy_says(run, classes);
                    return foldable.map(|foldable| (skipped, foldable)).ok_or(skipped + count);
                }
                Err(Trouble::Only(range)) if range.len() >= 3 => {
                    skipped += range.start;
                    starts = run.starts[range.start..=range.end].to_vec();
                }
                Err(Trouble::Only(_)) => return Err(skipped + count),
                Err(Trouble::None) => return Err(skipped + 1),
            }
        }
        Err(skipped + 1)
    }

    fn as_policy_says(&mut self, run: Run, classes: Vec<Class>) -> Option<Foldable> {
        let passes_on = |class: &Class| class.carried.is_some() || class.escapes.is_some();
        let bulk = bulk(self.program, self.function, &run, &self.policy.bulk);
        let bulk = bulk.filter(|_| !classes.iter().any(passes_on));
        let size = cost::iterations_at_a_time(self.program, self.function, self.policy, &run);
        let size = if bulk.is_some() { 1 } else { size? };
        let (run, classes) = if size == 1 { (run, classes) } else { self.chunked(&run, size)? };
        let counter = Counter::of(&mut self.program.types, &run.progressions, run.count())?;
        Some(Foldable { run, classes, counter, bulk })
    }

    /// A run with several iterations made one.
    fn chunked(&self, run: &Run, size: usize) -> Option<(Run, Vec<Class>)> {
        let starts: Vec<Position> = run.starts.iter().copied().step_by(size).collect();
        let run = Run::find(Outliner::new(self.program, self.function), &self.tree, &starts)?;
        let classes = classes(self.function, &self.tree, &self.mentions, &run).ok()?;
        Some((run, classes))
    }
}

/// The parts of a repeat that no run has taken.
fn outside(repeat: Repeat, found: &[Found]) -> Vec<Repeat> {
    let mut inside: Vec<(usize, usize)> = found.iter().map(|one| (one.first, one.end)).collect();
    inside.sort_unstable();
    let mut parts = Vec::new();
    let mut first = repeat.first;
    for (start, end) in inside {
        if start > first {
            parts.push(Repeat { first, end: start.min(repeat.end), ..repeat });
        }
        first = first.max(end);
    }
    parts.push(Repeat { first, ..repeat });
    parts.retain(|part| part.first < part.end);
    parts
}
