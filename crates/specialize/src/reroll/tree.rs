//! The dominator tree of a function's blocks, with what lies below each.

use core_c::graph::{Graph, Loops};
use core_c::{Block, BlockId, Function};

use super::outline::number;

/// A place between two statements: before the one of that index, or before the block's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Position {
    pub(super) block: BlockId,
    pub(super) index: usize,
}

impl Position {
    pub(super) fn start(block: BlockId) -> Position {
        Position { block, index: 0 }
    }
}

pub(super) struct Tree {
    pub(super) graph: Graph<Block>,
    pub(super) loops: Loops<Block>,
    /// By block: when a walk over the tree comes to it, and when it has seen all below.
    enter: Vec<usize>,
    leave: Vec<usize>,
    /// By block: the statements and ends in it and below.
    weight: Vec<usize>,
}

impl Tree {
    pub(super) fn of(function: &Function) -> Tree {
        let graph = Graph::of(function);
        let loops = Loops::of(&graph);
        let count = function.blocks.len();
        let mut tree = Tree { graph, loops, enter: vec![0; count], leave: vec![0; count], weight: vec![0; count] };
        tree.number(function);
        tree
    }

    fn number(&mut self, function: &Function) {
        let Some(entry) = self.graph.order().next() else { return };
        let mut clock = 0;
        let mut open = vec![(entry, false)];
        while let Some((block, done)) = open.pop() {
            let at = number(block) as usize;
            let children: Vec<BlockId> = self.graph.children(block).collect();
            if done {
                let below: usize = children.iter().map(|child| self.weight[number(*child) as usize]).sum();
                self.weight[at] = function.blocks[block].statements.len() + 1 + below;
                self.leave[at] = clock;
                continue;
            }
            clock += 1;
            self.enter[at] = clock;
            open.push((block, true));
            open.extend(children.into_iter().rev().map(|child| (child, false)));
        }
    }

    pub(super) fn weight(&self, block: BlockId) -> usize {
        self.weight[number(block) as usize]
    }

    /// True where every path to `block` passes `above`.
    pub(super) fn dominates(&self, above: BlockId, block: BlockId) -> bool {
        let (above, block) = (number(above) as usize, number(block) as usize);
        self.enter[above] <= self.enter[block] && self.enter[block] <= self.leave[above]
    }

    /// True where every path to `position` passes `above`.
    pub(super) fn position_dominates(&self, above: Position, position: Position) -> bool {
        if above.block == position.block {
            return above.index <= position.index;
        }
        self.dominates(above.block, position.block)
    }
}
