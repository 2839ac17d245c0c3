//! Natural loops: a header that dominates the blocks which lead back to it.

use la_arena::Idx;

use super::{Graph, number};

/// One loop; edges back to one header make one loop.
#[derive(Clone, Debug)]
pub struct Loop<T> {
    pub header: Idx<T>,
    /// The nodes that lead back to the header.
    pub latches: Vec<Idx<T>>,
    /// Its nodes, inner loops' included, in reverse post-order: the header comes first.
    pub nodes: Vec<Idx<T>>,
    /// The loop around it, by position.
    pub parent: Option<usize>,
}

/// The loops of a graph, outer ones before inner ones. Cycles with several entries are no loops.
#[derive(Clone, Debug)]
pub struct Loops<T> {
    pub list: Vec<Loop<T>>,
    innermost: Vec<Option<usize>>,
}

impl<T> Loops<T> {
    pub fn of(graph: &Graph<T>) -> Loops<T> {
        let mut loops = Loops { list: Vec::new(), innermost: vec![None; graph.successors.len()] };
        for header in graph.order() {
            let latches: Vec<Idx<T>> =
                graph.predecessors(header).filter(|before| graph.dominates(header, *before)).collect();
            if latches.is_empty() {
                continue;
            }
            let nodes = members(graph, header, &latches);
            let parent = loops.innermost[number(header)];
            for node in &nodes {
                loops.innermost[number(*node)] = Some(loops.list.len());
            }
            loops.list.push(Loop { header, latches, nodes, parent });
        }
        loops
    }

    /// The smallest loop that a node is in, by position.
    pub fn innermost(&self, node: Idx<T>) -> Option<usize> {
        self.innermost[number(node)]
    }

    /// The loops that a node is in, by position, innermost first.
    pub fn around(&self, node: Idx<T>) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(self.innermost(node), |inner| self.list[*inner].parent)
    }

    /// True where the loop at a position holds a node.
    pub fn holds(&self, position: usize, node: Idx<T>) -> bool {
        self.around(node).any(|around| around == position)
    }

    /// The loop that starts at a node, by position.
    pub fn headed_by(&self, node: Idx<T>) -> Option<usize> {
        self.innermost(node).filter(|position| self.list[*position].header == node)
    }
}

/// What can reach a latch without passing the header.
fn members<T>(graph: &Graph<T>, header: Idx<T>, latches: &[Idx<T>]) -> Vec<Idx<T>> {
    let mut inside = vec![false; graph.successors.len()];
    inside[number(header)] = true;
    let mut open: Vec<Idx<T>> = latches.to_vec();
    let mut nodes = vec![header];
    while let Some(node) = open.pop() {
        if std::mem::replace(&mut inside[number(node)], true) {
            continue;
        }
        nodes.push(node);
        open.extend(graph.predecessors(node));
    }
    nodes.sort_by_key(|node| graph.position(*node));
    nodes
}
