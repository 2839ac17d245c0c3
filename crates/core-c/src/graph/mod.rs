//! The shape of control flow: who comes before whom.
//!
//! In: which nodes follow which. Out: predecessors, reverse post-order and dominators (Cooper, Harvey and Kennedy, "A
//! Simple, Fast Dominance Algorithm", 2001); loops and liveness in the modules below. Side tables, to be made again
//! when the graph changes.

mod liveness;
mod loops;
#[cfg(test)]
mod tests;

pub use liveness::{Liveness, LocalSet, step_over, step_over_end};
pub use loops::{Loop, Loops};

use std::marker::PhantomData;

use la_arena::{Idx, RawIdx};

use crate::{Block, Function};

/// A flow graph over the nodes of an arena; node 0 is the entry.
#[derive(Clone, Debug)]
pub struct Graph<T = Block> {
    successors: Vec<Vec<usize>>,
    predecessors: Vec<Vec<usize>>,
    order: Vec<usize>,
    /// Position in `order`, none where the entry does not lead.
    position: Vec<Option<usize>>,
    dominator: Vec<Option<usize>>,
    children: Vec<Vec<usize>>,
    nodes: PhantomData<fn() -> T>,
}

/// The node of that number.
pub(crate) fn id<T>(number: usize) -> Idx<T> {
    Idx::from_raw(RawIdx::from_u32(u32::try_from(number).unwrap_or(u32::MAX)))
}

/// The number of a node, from 0.
pub(crate) fn number<T>(node: Idx<T>) -> usize {
    node.into_raw().into_u32() as usize
}

impl Graph<Block> {
    /// The graph of a function's blocks.
    pub fn of(function: &Function) -> Graph<Block> {
        Graph::new(function.blocks.values().map(|block| block.end.targets()).collect())
    }
}

impl<T> Graph<T> {
    /// The graph in which each node leads to the ones given for it, once for each edge.
    pub fn new(successors: Vec<Vec<Idx<T>>>) -> Graph<T> {
        let successors: Vec<Vec<usize>> =
            successors.into_iter().map(|list| list.into_iter().map(number).collect()).collect();
        let count = successors.len();
        let mut graph = Graph {
            predecessors: vec![Vec::new(); count],
            order: post_order(&successors),
            position: vec![None; count],
            dominator: vec![None; count],
            children: vec![Vec::new(); count],
            nodes: PhantomData,
            successors,
        };
        graph.order.reverse();
        for (position, node) in graph.order.iter().enumerate() {
            graph.position[*node] = Some(position);
        }
        for node in &graph.order {
            for next in &graph.successors[*node] {
                graph.predecessors[*next].push(*node);
            }
        }
        graph.find_dominators();
        graph
    }

    /// What a node leads to, once for each edge.
    pub fn successors(&self, node: Idx<T>) -> impl ExactSizeIterator<Item = Idx<T>> + '_ {
        self.successors[number(node)].iter().map(|next| id(*next))
    }

    /// The reachable nodes that lead to a node, once for each edge.
    pub fn predecessors(&self, node: Idx<T>) -> impl ExactSizeIterator<Item = Idx<T>> + '_ {
        self.predecessors[number(node)].iter().map(|before| id(*before))
    }

    /// The reachable nodes in reverse post-order: but for the edges that close cycles, every node comes after its
    /// predecessors, and what follows the first successor comes before what follows the second.
    pub fn order(&self) -> impl DoubleEndedIterator<Item = Idx<T>> + ExactSizeIterator + '_ {
        self.order.iter().map(|node| id(*node))
    }

    /// Where a node stands in [`Graph::order`]; none where the entry does not lead.
    pub fn position(&self, node: Idx<T>) -> Option<usize> {
        self.position[number(node)]
    }

    pub fn is_reachable(&self, node: Idx<T>) -> bool {
        self.position(node).is_some()
    }

    /// The last node before this one that every way from the entry passes; none for the entry.
    pub fn dominator(&self, node: Idx<T>) -> Option<Idx<T>> {
        self.dominator[number(node)].map(id)
    }

    /// The nodes that a node immediately dominates, in reverse post-order.
    pub fn children(&self, node: Idx<T>) -> impl DoubleEndedIterator<Item = Idx<T>> + ExactSizeIterator + '_ {
        self.children[number(node)].iter().map(|child| id(*child))
    }

    /// True where every way from the entry to `node` passes `above`; a node dominates itself.
    pub fn dominates(&self, above: Idx<T>, node: Idx<T>) -> bool {
        let above = number(above);
        let Some(least) = self.position[above] else { return false };
        let mut at = Some(number(node));
        while let Some(node) = at {
            if node == above {
                return true;
            }
            if self.position[node].is_none_or(|position| position <= least) {
                return false;
            }
            at = self.dominator[node];
        }
        false
    }

    fn find_dominators(&mut self) {
        let Some(entry) = self.order.first().copied() else { return };
        let mut changed = true;
        while changed {
            changed = false;
            for at in 1..self.order.len() {
                let node = self.order[at];
                let known = self.predecessors[node].iter().filter(|p| **p == entry || self.dominator[**p].is_some());
                let found = known.copied().reduce(|left, right| self.common_dominator(left, right));
                if found.is_some() && found != self.dominator[node] {
                    self.dominator[node] = found;
                    changed = true;
                }
            }
        }
        for node in &self.order {
            if let Some(above) = self.dominator[*node] {
                self.children[above].push(*node);
            }
        }
    }

    fn common_dominator(&self, left: usize, right: usize) -> usize {
        let (mut left, mut right) = (left, right);
        while left != right {
            let later = if self.position[left] > self.position[right] { &mut left } else { &mut right };
            match self.dominator[*later] {
                Some(above) => *later = above,
                None => return *later,
            }
        }
        left
    }
}

/// The nodes that the first one leads to; a node comes after all that it leads to, cycles aside.
fn post_order(successors: &[Vec<usize>]) -> Vec<usize> {
    let mut seen = vec![false; successors.len()];
    let mut found = Vec::new();
    if successors.is_empty() {
        return found;
    }
    // Each entry: a node, and how many of its successors, from the last, have been entered.
    let mut open = vec![(0, 0)];
    seen[0] = true;
    while let Some((node, entered)) = open.last_mut() {
        let list = &successors[*node];
        if *entered == list.len() {
            found.push(*node);
            open.pop();
            continue;
        }
        *entered += 1;
        let next = list[list.len() - *entered];
        if !seen[next] {
            seen[next] = true;
            open.push((next, 0));
        }
    }
    found
}
