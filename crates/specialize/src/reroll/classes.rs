//! What becomes of the registers of a run in a loop.
//!
//! In: a run. Out: which registers are one iteration's own, which carry a value to the next iteration, and which are
//! needed after the last one; or, where a loop could not give what the code needs, iterations that have no such
//! trouble.

use std::collections::BTreeSet;
use std::ops::Range;

use core_c::graph::{LocalSet, step_over, step_over_end};
use core_c::{BlockId, Function, LocalId};

use super::mentions::Mentions;
use super::run::{Owners, Run};
use super::tree::{Position, Tree};

/// A register that differs between iterations, by its name in the first one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Class {
    pub(super) register: LocalId,
    /// Read before it is set: the register of the iteration before that holds the value.
    pub(super) carried: Option<LocalId>,
    /// The register that is read after the run for what this one holds then: the last iteration's or, for one that is
    /// carried, what the next iteration would know by its name.
    pub(super) escapes: Option<LocalId>,
}

/// Why a run is no loop as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Trouble {
    /// These iterations may do.
    Only(Range<usize>),
    None,
}

struct Classifier<'a> {
    function: &'a Function,
    tree: &'a Tree,
    mentions: &'a Mentions,
    run: &'a Run,
    owners: Owners,
    /// Registers that an iteration sets, by their names in the first one.
    set: BTreeSet<LocalId>,
}

pub(super) fn classes(function: &Function, tree: &Tree, mentions: &Mentions, run: &Run) -> Result<Vec<Class>, Trouble> {
    let set = run.items.iter().filter_map(|at| function.blocks[at.block].statements.get(at.index));
    let set = set.filter_map(|statement| statement.kind.written_register()).collect();
    let classifier = Classifier { function, tree, mentions, run, owners: Owners::of(run), set };
    let mut classes = classifier.carried()?;
    classifier.escapes(&mut classes)?;
    classifier.always_set(&classes)?;
    Ok(classes)
}

impl Classifier<'_> {
    /// All classes, and which of them come from the iteration before.
    fn carried(&self) -> Result<Vec<Class>, Trouble> {
        let exposed = self.exposed(&LocalSet::default());
        let mut classes = Vec::new();
        for register in self.run.registers[0].keys().copied().filter(|register| self.run.varies(*register)) {
            let mut class = Class { register, carried: None, escapes: None };
            if exposed.contains(register) {
                class.carried = Some(self.source(register)?);
            }
            classes.push(class);
        }
        Ok(classes)
    }

    /// The register whose value the next iteration knows by the name of `register`.
    fn source(&self, register: LocalId) -> Result<LocalId, Trouble> {
        let source = self.run.register(1, register).ok_or(Trouble::None)?;
        if self.set.contains(&register) || !self.run.registers[0].contains_key(&source) {
            return Err(Trouble::None);
        }
        let is_next = |at: &usize| self.run.register(*at, register) == self.run.register(*at - 1, source);
        match (1..self.run.count()).find(|at| !is_next(at)) {
            None => Ok(source),
            Some(bad) => Err(Trouble::Only(0..bad)),
        }
    }

    /// Which classes are read after the run; other reads outside mean trouble.
    fn escapes(&self, classes: &mut [Class]) -> Result<(), Trouble> {
        let last = self.run.count() - 1;
        let mut troubled = vec![false; self.run.count()];
        for at in 0..classes.len() {
            let class = classes[at].register;
            if !self.set.contains(&class) {
                continue;
            }
            for (iteration, troubled) in troubled.iter_mut().enumerate() {
                let Some(register) = self.run.register(iteration, class) else { continue };
                if !self.is_mentioned_outside(register) {
                    continue;
                }
                let is_held = |class: &Class| {
                    class.carried.is_some_and(|source| self.run.register(last, source) == Some(register))
                };
                let holder = if iteration == last { Some(at) } else { classes.iter().position(is_held) };
                match holder {
                    Some(holder) if self.is_only_read_after(register, iteration) => {
                        classes[holder].escapes = Some(register);
                    }
                    _ => *troubled = true,
                }
            }
        }
        if !troubled.contains(&true) {
            return Ok(());
        }
        // The longest stretch without trouble, or with some at its end alone: a shorter run's last iteration.
        let longest = stretches(&troubled).into_iter().max_by_key(|range| (range.len(), usize::MAX - range.start));
        match longest {
            Some(range) if range.len() < self.run.count() => Err(Trouble::Only(range)),
            _ => Err(Trouble::Only(0..last)),
        }
    }

    fn is_mentioned_outside(&self, register: LocalId) -> bool {
        self.mentions.of_register(register).iter().any(|mention| self.owners.of_position(mention.at).is_none())
    }

    /// True for a register that one iteration alone sets and that outside the run is only read, after it.
    fn is_only_read_after(&self, register: LocalId, setter: usize) -> bool {
        let end = self.run.starts[self.run.count()];
        !self.function.parameters.contains(&register)
            && self.mentions.of_register(register).iter().all(|mention| match self.owners.of_position(mention.at) {
                Some(iteration) => !mention.sets || iteration == setter,
                None => !mention.sets && self.tree.position_dominates(end, mention.at),
            })
    }

    /// Every path through an iteration sets what is needed after it.
    fn always_set(&self, classes: &[Class]) -> Result<(), Trouble> {
        let mut needed = LocalSet::default();
        for class in classes {
            if let Some(source) = class.carried.filter(|source| self.run.varies(*source)) {
                needed.insert(source);
            }
            if class.escapes.is_some() && class.carried.is_none() {
                needed.insert(class.register);
            }
        }
        let exposed = self.exposed(&needed);
        let is_missing = |register: LocalId| self.set.contains(&register) && exposed.contains(register);
        if needed.iter().any(is_missing) { Err(Trouble::None) } else { Ok(()) }
    }

    /// What the first iteration reads before it sets it, where it ends with `needed` being read.
    fn exposed(&self, needed: &LocalSet) -> LocalSet {
        let start = self.run.starts[0];
        let mut pieces: Vec<Position> = vec![start];
        pieces.extend(self.run.blocks[0].iter().map(|block| Position::start(*block)));
        let mut before = vec![LocalSet::default(); pieces.len()];
        loop {
            let mut changed = false;
            for at in (0..pieces.len()).rev() {
                let live = self.before(pieces[at], needed, &pieces, &before);
                changed |= before[at].add_all(&live);
            }
            if !changed {
                return before.swap_remove(0);
            }
        }
    }

    fn before(&self, from: Position, needed: &LocalSet, pieces: &[Position], before: &[LocalSet]) -> LocalSet {
        let end = self.run.starts[1];
        let block = &self.function.blocks[from.block];
        let mut live = LocalSet::default();
        let mut to = block.statements.len();
        if end.block == from.block && end.index >= from.index {
            live = needed.clone();
            to = end.index;
        } else {
            for target in block.end.targets().into_iter().map(|target: BlockId| Position::start(target)) {
                if target == end {
                    live.add_all(needed);
                } else if let Some(at) = pieces.iter().position(|piece| *piece == target) {
                    live.add_all(&before[at]);
                }
            }
            step_over_end(&block.end, &mut live);
        }
        block.statements[from.index..to].iter().rev().for_each(|statement| step_over(statement, &mut live));
        live
    }
}

/// Stretches of iterations of which only the last one has trouble, if any.
fn stretches(troubled: &[bool]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut first = 0;
    for at in 0..troubled.len() {
        if troubled[at] || at + 1 == troubled.len() {
            found.push(first..at + 1);
            first = at + 1;
        }
    }
    found
}
