//! A run: iterations that follow each other and are equal but for registers and evenly growing constants.
//!
//! In: where the iterations of a repeat may start. Out: how many of them are a run, what grows in it and how, and
//! whose registers are whose. What the registers mean for a loop is for the next step to say.

use std::collections::BTreeMap;

use core_c::{BlockId, Function, LocalId, TypeId};

use super::outline::Outliner;
use super::tree::{Position, Tree};
use super::walk::{Group, Walk, walk};

/// A constant of one iteration, as what it is in all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Progression {
    pub(super) first: i128,
    pub(super) stride: i128,
    pub(super) ty: TypeId,
    /// It chooses an element of an array.
    pub(super) index: bool,
}

#[derive(Debug)]
pub(super) struct Run {
    /// Where the iterations start, and where the last one ends.
    pub(super) starts: Vec<Position>,
    /// The first iteration's statements and ends.
    pub(super) items: Vec<Position>,
    /// Its constants, in the order of the items.
    pub(super) progressions: Vec<Progression>,
    /// By iteration: its registers, by the first one's.
    pub(super) registers: Vec<BTreeMap<LocalId, LocalId>>,
    /// By iteration: the blocks that are its own and are entered at their start.
    pub(super) blocks: Vec<Vec<BlockId>>,
}

impl Run {
    /// As many iterations as are alike, from the first start on; none where that are less than two.
    pub(super) fn find(outliner: Outliner<'_>, tree: &Tree, starts: &[Position]) -> Option<Run> {
        let group = |at: usize| Group { start: starts[at], end: starts[at + 1] };
        if starts.len() < 3 {
            return None;
        }
        let second = walk(outliner, group(0), group(1))?;
        let mut run = Run::of_two(&second);
        run.add(second);
        for at in 2..starts.len() - 1 {
            let Some(next) = walk(outliner, group(0), group(at)).filter(|next| run.fits(next)) else { break };
            run.add(next);
        }
        run.starts = starts[..=run.registers.len()].to_vec();
        while run.count() >= 2 {
            let Some(bad) = run.entered_elsewhere(tree) else { return Some(run) };
            run.shorten(bad);
        }
        None
    }

    fn of_two(second: &Walk) -> Run {
        let constants = second.left.iter().zip(&second.right);
        let progressions = constants.map(|(left, right)| Progression {
            first: left.value,
            stride: right - left.value,
            ty: left.ty,
            index: left.index,
        });
        Run {
            starts: Vec::new(),
            items: second.items.clone(),
            progressions: progressions.collect(),
            registers: vec![second.registers.keys().map(|register| (*register, *register)).collect()],
            blocks: vec![second.blocks.iter().map(|(left, _)| *left).collect()],
        }
    }

    /// The number of iterations.
    pub(super) fn count(&self) -> usize {
        self.registers.len()
    }

    /// What the first iteration's register is in another one.
    pub(super) fn register(&self, iteration: usize, register: LocalId) -> Option<LocalId> {
        self.registers.get(iteration)?.get(&register).copied()
    }

    /// True for a register that is not the same one in all iterations.
    pub(super) fn varies(&self, register: LocalId) -> bool {
        self.register(1, register) != Some(register)
    }

    /// True for a register that holds different things in the iterations.
    pub(super) fn sets_or_varies(&self, function: &Function, register: LocalId) -> bool {
        let mut statements = self.items.iter().filter_map(|at| function.blocks[at.block].statements.get(at.index));
        self.varies(register) || statements.any(|statement| statement.kind.written_register() == Some(register))
    }

    fn fits(&self, next: &Walk) -> bool {
        let at = i128::try_from(self.count()).unwrap_or(i128::MAX);
        let mut values = self.progressions.iter().zip(&next.right);
        let mut registers = next.registers.iter();
        next.right.len() == self.progressions.len()
            && values.all(|(progression, value)| {
                progression.stride.checked_mul(at).and_then(|grown| grown.checked_add(progression.first))
                    == Some(*value)
            })
            && registers.all(|(left, right)| self.varies(*left) || left == right)
    }

    fn add(&mut self, next: Walk) {
        self.blocks.push(next.blocks.into_iter().map(|(_, right)| right).collect());
        self.registers.push(next.registers);
    }

    /// Leaves the first iterations alone.
    pub(super) fn shorten(&mut self, count: usize) {
        self.starts.truncate(count + 1);
        self.registers.truncate(count);
        self.blocks.truncate(count);
    }

    /// The first iteration that control can enter other than at its start.
    fn entered_elsewhere(&self, tree: &Tree) -> Option<usize> {
        let owners = Owners::of(self);
        let Some(entry) = tree.graph.order().next() else { return Some(0) };
        let from = |block: BlockId, allowed: &[usize]| {
            let inside = |before: BlockId| owners.of_end(before).is_some_and(|owner| allowed.contains(&owner));
            block != entry && tree.graph.predecessors(block).all(inside)
        };
        let bad = |at: &usize| {
            let start = self.starts[*at];
            let own_start = *at > 0 && start.index == 0 && !from(start.block, &[*at - 1, *at]);
            own_start || self.blocks[*at].iter().any(|block| !from(*block, &[*at]))
        };
        (0..self.count()).find(bad)
    }
}

/// Which iteration of a run a place belongs to.
pub(super) struct Owners {
    /// By block: from which statement on it belongs to whom.
    pieces: BTreeMap<BlockId, Vec<(usize, Option<usize>)>>,
}

impl Owners {
    pub(super) fn of(run: &Run) -> Owners {
        let mut pieces: BTreeMap<BlockId, Vec<(usize, Option<usize>)>> = BTreeMap::new();
        for (iteration, blocks) in run.blocks.iter().enumerate() {
            for block in blocks {
                pieces.entry(*block).or_default().push((0, Some(iteration)));
            }
        }
        for (iteration, start) in run.starts.iter().enumerate() {
            let owner = Some(iteration).filter(|iteration| *iteration < run.count());
            pieces.entry(start.block).or_default().push((start.index, owner));
        }
        pieces.values_mut().for_each(|list| list.sort_by_key(|(from, _)| *from));
        Owners { pieces }
    }

    pub(super) fn of_position(&self, at: Position) -> Option<usize> {
        let list = self.pieces.get(&at.block)?;
        let after = list.partition_point(|(from, _)| *from <= at.index);
        list[..after].last().and_then(|(_, owner)| *owner)
    }

    fn of_end(&self, block: BlockId) -> Option<usize> {
        self.of_position(Position { block, index: usize::MAX })
    }
}
