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

use std::cell::OnceCell;
use std::collections::BTreeSet;
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
    /// Found when somebody asks: most passes do not.
    dominators: OnceCell<Dominators>,
    nodes: PhantomData<fn() -> T>,
}

#[derive(Clone, Debug)]
struct Dominators {
    above: Vec<Option<usize>>,
    children: Vec<Vec<usize>>,
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
            dominators: OnceCell::new(),
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
        self.dominators().above[number(node)].map(id)
    }

    /// The nodes that a node immediately dominates, in reverse post-order.
    pub fn children(&self, node: Idx<T>) -> impl DoubleEndedIterator<Item = Idx<T>> + ExactSizeIterator + '_ {
        self.dominators().children[number(node)].iter().map(|child| id(*child))
    }

    /// True where every way from the entry to `node` passes `above`; a node dominates itself.
    pub fn dominates(&self, above: Idx<T>, node: Idx<T>) -> bool {
        let above = number(above);
        let Some(least) = self.position[above] else { return false };
        let dominator = &self.dominators().above;
        let mut at = Some(number(node));
        while let Some(node) = at {
            if node == above {
                return true;
            }
            if self.position[node].is_none_or(|position| position <= least) {
                return false;
            }
            at = dominator[node];
        }
        false
    }

    /// Calls `step` for every reachable node, and again for those that lead to one where it has said that something changed,
    /// until nothing does: the worklist of a backward data-flow analysis.
    pub fn settle_backward(&self, step: impl FnMut(Idx<T>) -> bool) {
        self.settle(BTreeSet::pop_last, &self.predecessors, step);
    }

    /// The same for a forward analysis: again for those that such a node leads to.
    pub fn settle_forward(&self, step: impl FnMut(Idx<T>) -> bool) {
        self.settle(BTreeSet::pop_first, &self.successors, step);
    }

    /// What waits are positions in `order`; `take` gives the next, `onward` whom a change concerns.
    fn settle(
        &self,
        take: fn(&mut BTreeSet<usize>) -> Option<usize>,
        onward: &[Vec<usize>],
        mut step: impl FnMut(Idx<T>) -> bool,
    ) {
        let mut pending: BTreeSet<usize> = (0..self.order.len()).collect();
        while let Some(position) = take(&mut pending) {
            let node = self.order[position];
            if step(id(node)) {
                pending.extend(onward[node].iter().filter_map(|other| self.position[*other]));
            }
        }
    }

    fn dominators(&self) -> &Dominators {
        self.dominators.get_or_init(|| self.find_dominators())
    }

    fn find_dominators(&self) -> Dominators {
        let count = self.successors.len();
        let mut found = Dominators { above: vec![None; count], children: vec![Vec::new(); count] };
        let Some(entry) = self.order.first().copied() else { return found };
        let above = &mut found.above;
        let mut changed = true;
        while changed {
            changed = false;
            for node in self.order.iter().skip(1).copied() {
                let known = self.predecessors[node].iter().copied().filter(|p| *p == entry || above[*p].is_some());
                let common = known.reduce(|left, right| self.common_dominator(above, left, right));
                if common.is_some() && common != above[node] {
                    above[node] = common;
                    changed = true;
                }
            }
        }
        for node in &self.order {
            if let Some(above) = found.above[*node] {
                found.children[above].push(*node);
            }
        }
        found
    }

    fn common_dominator(&self, dominator: &[Option<usize>], left: usize, right: usize) -> usize {
        let (mut left, mut right) = (left, right);
        while left != right {
            let later = if self.position[left] > self.position[right] { &mut left } else { &mut right };
            match dominator[*later] {
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
