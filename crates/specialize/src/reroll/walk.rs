//! Two iterations of code, side by side.
//!
//! In: where each of the two starts and ends. Out: what differs between them, if they are equal otherwise. Both are
//! walked along all their paths, inner branches and loops included, up to where the next iteration begins or to code
//! that both share: exits.

use std::collections::BTreeMap;

use core_c::{BlockId, LocalId, Terminator};

use super::outline::{Constant, Outline, Outliner};
use super::tree::Position;

/// One iteration: from here to there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Group {
    pub(super) start: Position,
    pub(super) end: Position,
}

/// What two equal iterations have.
#[derive(Debug, Default)]
pub(super) struct Walk {
    /// The statements and ends of the left one, in the order of the walk.
    pub(super) items: Vec<Position>,
    /// In the same order.
    pub(super) left: Vec<Constant>,
    pub(super) right: Vec<i128>,
    /// By register of the left one: the right one's.
    pub(super) registers: BTreeMap<LocalId, LocalId>,
    /// Blocks that are entered at their start, those that exits lead to left out.
    pub(super) blocks: Vec<(BlockId, BlockId)>,
}

struct Walker<'a> {
    outliner: Outliner<'a>,
    left: Group,
    right: Group,
    walk: Walk,
    /// From right to left.
    registers_back: BTreeMap<LocalId, LocalId>,
    blocks: BTreeMap<BlockId, BlockId>,
    blocks_back: BTreeMap<BlockId, BlockId>,
    open: Vec<(Position, Position)>,
}

/// Compares two iterations; none where they differ in more than registers and constants.
pub(super) fn walk(outliner: Outliner<'_>, left: Group, right: Group) -> Option<Walk> {
    let mut walker = Walker {
        outliner,
        left,
        right,
        walk: Walk::default(),
        registers_back: BTreeMap::new(),
        blocks: BTreeMap::new(),
        blocks_back: BTreeMap::new(),
        open: vec![(left.start, right.start)],
    };
    while let Some((left, right)) = walker.open.pop() {
        walker.straight(left, right)?;
    }
    Some(walker.walk)
}

impl Walker<'_> {
    /// From two places to the ends of their blocks.
    fn straight(&mut self, mut left: Position, mut right: Position) -> Option<()> {
        let function = self.outliner.function;
        let (left_block, right_block) = (&function.blocks[left.block], &function.blocks[right.block]);
        loop {
            if left == self.left.end || right == self.right.end {
                return (left == self.left.end && right == self.right.end).then_some(());
            }
            match (left_block.statements.get(left.index), right_block.statements.get(right.index)) {
                (Some(one), Some(two)) => {
                    self.walk.items.push(left);
                    self.agree(self.outliner.of_statement(one), self.outliner.of_statement(two))?;
                }
                (None, None) => break,
                _ => return None,
            }
            left.index += 1;
            right.index += 1;
        }
        self.walk.items.push(left);
        self.agree(self.outliner.of_end(&left_block.end), self.outliner.of_end(&right_block.end))?;
        let (left_targets, right_targets) = (left_block.end.targets(), right_block.end.targets());
        if left_targets.len() != right_targets.len() || matches!(left_block.end, Terminator::GotoAddress { .. }) {
            return None;
        }
        left_targets.into_iter().zip(right_targets).try_for_each(|(left, right)| self.enter(left, right))
    }

    fn agree(&mut self, left: Outline, right: Outline) -> Option<()> {
        if left.alone || left.text != right.text {
            return None;
        }
        for (left, right) in left.registers.into_iter().zip(right.registers) {
            let (is, was) = (self.walk.registers.insert(left, right), self.registers_back.insert(right, left));
            if is.is_some_and(|is| is != right) || was.is_some_and(|was| was != left) {
                return None;
            }
        }
        self.walk.right.extend(right.constants.iter().map(|constant| constant.value));
        self.walk.left.extend(left.constants);
        Some(())
    }

    /// Goes along an edge.
    fn enter(&mut self, left: BlockId, right: BlockId) -> Option<()> {
        let (left_start, right_start) = (Position::start(left), Position::start(right));
        if left_start == self.left.end || right_start == self.right.end {
            return (left_start == self.left.end && right_start == self.right.end).then_some(());
        }
        // Back to the iteration's own start.
        if left_start == self.left.start || right_start == self.right.start {
            return (left_start == self.left.start && right_start == self.right.start).then_some(());
        }
        if left == right {
            // Both leave for code that they share.
            return (!self.blocks.contains_key(&left) && !self.blocks_back.contains_key(&right)).then_some(());
        }
        match (self.blocks.insert(left, right), self.blocks_back.insert(right, left)) {
            (None, None) => {
                self.walk.blocks.push((left, right));
                self.open.push((left_start, right_start));
                Some(())
            }
            (known, back) => (known == Some(right) && back == Some(left)).then_some(()),
        }
    }
}
