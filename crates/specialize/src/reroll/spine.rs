//! The code as lines that one way of control follows: spines.
//!
//! In: a function. Out: for each spine its tokens: the statements on the way, and the branches that it passes, each
//! together with the blocks that only this branch leads to (the arms of an `if`, the body of a loop). The path goes
//! down the dominator tree: to where the arms meet, to the exit of a loop, past error exits to the larger part.

use std::collections::{BTreeMap, BTreeSet};

use core_c::{BlockId, LocalId, Terminator};

use super::outline::{Constant, Outline, Outliner};
use super::tree::{Position, Tree};

/// A statement, or a branch with what hangs on it.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) at: Position,
    /// Equal tokens have equal shapes; registers and constants do not count.
    pub(super) shape: usize,
    pub(super) constants: Vec<Constant>,
    pub(super) registers: Vec<LocalId>,
}

/// The last token ends the spine.
pub(super) type Spine = Vec<Token>;

/// What a way did at a branch: went to a successor by position, or to where the others meet.
type Choice = Option<usize>;

pub(super) struct Spines<'a> {
    outliner: Outliner<'a>,
    tree: &'a Tree,
    shapes: BTreeMap<String, usize>,
    /// The number of shapes so far, those that equal no other included.
    count: usize,
    /// By the text of a branch.
    choices: BTreeMap<String, Choice>,
}

impl<'a> Spines<'a> {
    /// All spines of a function; what hangs on another spine comes before it.
    pub(super) fn of(outliner: Outliner<'a>, tree: &'a Tree) -> Vec<Spine> {
        let mut spines = Spines { outliner, tree, shapes: BTreeMap::new(), count: 0, choices: BTreeMap::new() };
        let mut roots: Vec<BlockId> = tree.graph.order().take(1).collect();
        let mut found = Vec::new();
        while let Some(root) = roots.pop() {
            found.push(spines.spine(root, &mut roots));
        }
        found.reverse();
        found
    }

    fn spine(&mut self, root: BlockId, roots: &mut Vec<BlockId>) -> Spine {
        let mut spine = Spine::new();
        self.choices.clear();
        let mut block = root;
        loop {
            for (index, statement) in self.outliner.function.blocks[block].statements.iter().enumerate() {
                let outline = self.outliner.of_statement(statement);
                spine.push(self.token(Position { block, index }, outline));
            }
            let end = &self.outliner.function.blocks[block].end;
            let next = self.next(block);
            roots.extend(self.tree.graph.children(block).filter(|child| Some(*child) != next));
            if !(matches!(end, Terminator::Goto(_)) && next.is_some()) {
                spine.push(self.branch(block, next));
            }
            match next {
                Some(next) => block = next,
                None => return spine,
            }
        }
    }

    fn token(&mut self, at: Position, outline: Outline) -> Token {
        let fresh = self.count;
        let shape = if outline.alone { fresh } else { *self.shapes.entry(outline.text).or_insert(fresh) };
        self.count += usize::from(shape == fresh);
        Token { at, shape, constants: outline.constants, registers: outline.registers }
    }

    fn branch(&mut self, block: BlockId, next: Option<BlockId>) -> Token {
        let end = &self.outliner.function.blocks[block];
        let mut outline = self.outliner.of_end(&end.end);
        for child in self.tree.graph.children(block) {
            if Some(child) != next && self.is_exclusive(child, next) {
                outline.text.push('(');
                self.below(child, &mut outline);
                outline.text.push(')');
            }
        }
        outline.alone |= next.is_none();
        self.token(Position { block, index: end.statements.len() }, outline)
    }

    /// True for a block that the rest of the spine does not lead to.
    fn is_exclusive(&self, child: BlockId, next: Option<BlockId>) -> bool {
        let Some(next) = next else { return true };
        self.tree.graph.predecessors(child).all(|before| !self.tree.dominates(next, before))
    }

    /// Adds what hangs below a branch.
    fn below(&self, root: BlockId, out: &mut Outline) {
        let mut open = vec![root];
        while let Some(block) = open.pop() {
            let block_data = &self.outliner.function.blocks[block];
            block_data.statements.iter().for_each(|statement| self.outliner.statement(&statement.kind, out));
            self.outliner.end(&block_data.end, out);
            let children: Vec<BlockId> = self.tree.graph.children(block).collect();
            open.extend(children.into_iter().rev());
        }
    }

    /// Where the path goes on after a block.
    fn next(&mut self, block: BlockId) -> Option<BlockId> {
        let children: Vec<BlockId> = self.tree.graph.children(block).collect();
        let outside: Vec<BlockId> = match self.tree.loops.headed_by(block) {
            Some(cycle) => children.iter().copied().filter(|child| !self.tree.loops.holds(cycle, *child)).collect(),
            None => Vec::new(),
        };
        let children = if outside.is_empty() { children } else { outside };
        // The first one of the heaviest: equal code gives equal choices.
        let heaviest = children
            .iter()
            .copied()
            .reduce(|most, child| if self.tree.weight(child) > self.tree.weight(most) { child } else { most })?;
        if children.len() == 1 {
            return Some(heaviest);
        }
        let end = &self.outliner.function.blocks[block].end;
        let targets = end.targets();
        let choice = |child: BlockId| -> Choice {
            // Where paths from several successors meet, it is no matter which one is direct.
            let direct: BTreeSet<BlockId> = self.tree.graph.predecessors(child).collect();
            let position = targets.iter().position(|target| *target == child);
            position.filter(|_| direct.len() == 1)
        };
        // At the end of a row of tests the parts are alike; then the path goes on as it did before.
        let text = self.outliner.of_end(end).text;
        let before = self.choices.entry(text).or_insert_with(|| choice(heaviest));
        let usual = children.iter().copied().find(|child| choice(*child) == *before);
        let light = |child: &BlockId| self.tree.weight(*child) * 4 + 16 < self.tree.weight(heaviest);
        Some(usual.filter(|usual| !light(usual)).unwrap_or(heaviest))
    }
}
