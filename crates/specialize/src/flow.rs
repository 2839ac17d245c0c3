//! What the specializer asks of a function's control flow: where ways meet, loops, and what is live.

use std::collections::{BTreeMap, BTreeSet};

use core_c::{BlockId, Function, LocalId, Terminator};

use crate::mentions;

/// Facts about one function, computed once.
#[derive(Debug, Default)]
pub(crate) struct Flow {
    /// Blocks that several ways lead to.
    pub(crate) joins: BTreeSet<BlockId>,
    /// The bodies of loops, by head.
    pub(crate) loops: BTreeMap<BlockId, BTreeSet<BlockId>>,
    /// Registers and memory locals that may still be read or mentioned, at the entry of each block.
    live: BTreeMap<BlockId, BTreeSet<LocalId>>,
}

/// The blocks that may follow.
pub(crate) fn successors(end: &Terminator) -> Vec<BlockId> {
    match end {
        Terminator::Goto(target) => vec![*target],
        Terminator::Branch { then, otherwise, .. } => vec![*then, *otherwise],
        Terminator::Switch { cases, default, .. } => {
            cases.iter().map(|case| case.target).chain(std::iter::once(*default)).collect()
        }
        Terminator::GotoAddress { targets, .. } => targets.clone(),
        Terminator::Return(_) | Terminator::Unreachable => Vec::new(),
    }
}

impl Flow {
    pub(crate) fn of(function: &Function) -> Flow {
        let mut predecessors: BTreeMap<BlockId, Vec<BlockId>> = BTreeMap::new();
        for (id, block) in function.blocks.iter() {
            successors(&block.end).into_iter().for_each(|to| predecessors.entry(to).or_default().push(id));
        }
        let joins = predecessors.iter().filter(|(_, from)| from.len() > 1).map(|(to, _)| *to).collect();
        let loops = loops(function, &predecessors);
        Flow { joins, loops, live: live(function, &predecessors) }
    }

    /// What may still be used from a statement of a block on.
    pub(crate) fn live_at(&self, function: &Function, block: BlockId, statement: usize) -> BTreeSet<LocalId> {
        if statement == 0 {
            return self.live.get(&block).cloned().unwrap_or_default();
        }
        let mut live = live_out(function, &self.live, block);
        mentions::end(&function.blocks[block].end, &mut live);
        for statement in function.blocks[block].statements[statement..].iter().rev() {
            mentions::step_back(statement, &mut live);
        }
        live
    }
}

fn live_out(function: &Function, live: &BTreeMap<BlockId, BTreeSet<LocalId>>, block: BlockId) -> BTreeSet<LocalId> {
    let next = successors(&function.blocks[block].end);
    next.iter().filter_map(|to| live.get(to)).flatten().copied().collect()
}

fn live(function: &Function, predecessors: &BTreeMap<BlockId, Vec<BlockId>>) -> BTreeMap<BlockId, BTreeSet<LocalId>> {
    let mut live: BTreeMap<BlockId, BTreeSet<LocalId>> = BTreeMap::new();
    let mut work: Vec<BlockId> = function.blocks.iter().map(|(id, _)| id).collect();
    while let Some(id) = work.pop() {
        let mut set = live_out(function, &live, id);
        mentions::end(&function.blocks[id].end, &mut set);
        for statement in function.blocks[id].statements.iter().rev() {
            mentions::step_back(statement, &mut set);
        }
        if live.get(&id) != Some(&set) {
            live.insert(id, set);
            work.extend(predecessors.get(&id).into_iter().flatten());
        }
    }
    live
}

/// The natural loop of every edge that leads back in a depth-first walk, joined by head.
fn loops(function: &Function, predecessors: &BTreeMap<BlockId, Vec<BlockId>>) -> BTreeMap<BlockId, BTreeSet<BlockId>> {
    let mut bodies: BTreeMap<BlockId, BTreeSet<BlockId>> = BTreeMap::new();
    for (tail, head) in backward_edges(function) {
        let body = bodies.entry(head).or_default();
        body.insert(head);
        let mut work = vec![tail];
        while let Some(block) = work.pop() {
            if body.insert(block) {
                work.extend(predecessors.get(&block).into_iter().flatten());
            }
        }
    }
    bodies
}

fn backward_edges(function: &Function) -> Vec<(BlockId, BlockId)> {
    let mut edges = Vec::new();
    let (mut open, mut seen) = (BTreeSet::new(), BTreeSet::new());
    let Some((entry, _)) = function.blocks.iter().next() else { return edges };
    // The walk's own stack: a block, and the successors still to visit.
    let mut stack = vec![(entry, successors(&function.blocks[entry].end))];
    open.insert(entry);
    seen.insert(entry);
    while let Some((block, next)) = stack.last_mut() {
        let block = *block;
        match next.pop() {
            Some(to) if open.contains(&to) => edges.push((block, to)),
            Some(to) => {
                if seen.insert(to) {
                    open.insert(to);
                    stack.push((to, successors(&function.blocks[to].end)));
                }
            }
            None => {
                open.remove(&block);
                stack.pop();
            }
        }
    }
    edges
}
