//! What the specializer asks of a function's control flow: where paths join, loops, and what is live.

use std::collections::{BTreeMap, BTreeSet};

use core_c::{BlockId, Function, LocalId, Receiver, StatementKind, Terminator};

use crate::engine::mentions;

/// Facts about one function, computed once.
#[derive(Debug, Default)]
pub(crate) struct Flow {
    /// Blocks that several paths lead to.
    pub(crate) joins: BTreeSet<BlockId>,
    /// The bodies of loops, by head.
    pub(crate) loops: BTreeMap<BlockId, BTreeSet<BlockId>>,
    /// By head, the blocks whose tests say whether the loop goes on: with `a || b` both, though one way out of `a` leads to `b`.
    pub(crate) tests: BTreeMap<BlockId, BTreeSet<BlockId>>,
    /// By head, the registers that the loop sets.
    pub(crate) assigned: BTreeMap<BlockId, BTreeSet<LocalId>>,
    /// The heads of the loops around each block, outermost first.
    pub(crate) around: BTreeMap<BlockId, Vec<BlockId>>,
    /// The place of each block in an order in which all but jumps back lead forward.
    pub(crate) order: BTreeMap<BlockId, usize>,
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
        let walk = Walk::of(function);
        let loops = loops(&walk.backward, &predecessors);
        let order = walk.finished.iter().rev().enumerate().map(|(at, block)| (*block, at)).collect();
        let around = function.blocks.iter().map(|(block, _)| (block, around(&loops, &order, block))).collect();
        let tests = loops.iter().map(|(head, body)| (*head, loop_tests(function, *head, body))).collect();
        let assigned = loops.iter().map(|(head, body)| (*head, assigned(function, body))).collect();
        Flow { joins, loops, tests, assigned, around, order, live: live(function, &predecessors) }
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

fn assigned(function: &Function, body: &BTreeSet<BlockId>) -> BTreeSet<LocalId> {
    let statements = body.iter().flat_map(|block| &function.blocks[*block].statements);
    let set = statements.filter_map(|statement| match &statement.kind {
        StatementKind::Set { local, .. }
        | StatementKind::LoadVolatile { local, .. }
        | StatementKind::Call { receiver: Some(Receiver::Register(local)), .. } => Some(*local),
        _ => None,
    });
    set.collect()
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
fn loops(
    backward: &[(BlockId, BlockId)],
    predecessors: &BTreeMap<BlockId, Vec<BlockId>>,
) -> BTreeMap<BlockId, BTreeSet<BlockId>> {
    let mut bodies: BTreeMap<BlockId, BTreeSet<BlockId>> = BTreeMap::new();
    for (tail, head) in backward {
        let body = bodies.entry(*head).or_default();
        body.insert(*head);
        let mut work = vec![*tail];
        while let Some(block) = work.pop() {
            if body.insert(block) {
                work.extend(predecessors.get(&block).into_iter().flatten());
            }
        }
    }
    bodies
}

/// The tests of a loop: those with a way out, and those before them by which such a test, or what leads to nothing else, is passed over on
/// a way back to the head, as in `a || b` or where one case after the other is tried.
fn loop_tests(function: &Function, head: BlockId, body: &BTreeSet<BlockId>) -> BTreeSet<BlockId> {
    let next = |block: &BlockId| successors(&function.blocks[*block].end);
    let leaves = |block: &&BlockId| next(block).iter().any(|to| !body.contains(to));
    let mut found: BTreeSet<BlockId> = body.iter().filter(leaves).copied().collect();
    loop {
        let before = found.len();
        let leading = leading(function, &found, (head, body));
        for block in body.iter().filter(|block| next(block).len() > 1) {
            let is_test = |to: &BlockId| to != block && leading.contains(to);
            let (tests, others): (Vec<BlockId>, Vec<BlockId>) = next(block).into_iter().partition(is_test);
            let passes = |test: &BlockId| others.iter().any(|other| comes_back(function, *other, *test, (head, body)));
            if !found.contains(block) && tests.iter().any(passes) {
                found.insert(*block);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// Blocks of a loop that only compute: some tests, and whatever leads to these alone, as `if (escaped) next++;` does before the test of `*next`.
fn leading(
    function: &Function,
    tests: &BTreeSet<BlockId>,
    (head, body): (BlockId, &BTreeSet<BlockId>),
) -> BTreeSet<BlockId> {
    let computing: Vec<BlockId> = body.iter().copied().filter(|block| only_computes(function, *block)).collect();
    let mut found: BTreeSet<BlockId> = computing.iter().copied().filter(|block| tests.contains(block)).collect();
    loop {
        let before = found.len();
        for block in computing.iter().rev() {
            let next = successors(&function.blocks[*block].end);
            if !next.is_empty() && next.iter().all(|to| *to != head && found.contains(to)) {
                found.insert(*block);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// Whether the head of a loop can be reached from a block inside without a certain block.
fn comes_back(
    function: &Function,
    from: BlockId,
    without: BlockId,
    (head, body): (BlockId, &BTreeSet<BlockId>),
) -> bool {
    let (mut seen, mut work) = (BTreeSet::from([without]), vec![from]);
    while let Some(block) = work.pop() {
        if block == head {
            return true;
        }
        if body.contains(&block) && seen.insert(block) {
            work.extend(successors(&function.blocks[block].end));
        }
    }
    false
}

/// A block that does nothing but compute what its test looks at, or calls a function whose result that is.
fn only_computes(function: &Function, block: BlockId) -> bool {
    let block = &function.blocks[block];
    let mut tested = BTreeSet::new();
    mentions::end(&block.end, &mut tested);
    block.statements.iter().all(|statement| match &statement.kind {
        StatementKind::Set { .. } => true,
        StatementKind::Call { receiver: Some(Receiver::Register(result)), .. } => tested.contains(result),
        _ => false,
    })
}

/// What a loop with a second way in reaches before its head is not counted as part of it.
fn around(
    loops: &BTreeMap<BlockId, BTreeSet<BlockId>>,
    order: &BTreeMap<BlockId, usize>,
    block: BlockId,
) -> Vec<BlockId> {
    let holds = |(head, body): &(&BlockId, &BTreeSet<BlockId>)| {
        body.contains(&block) && order.get(head).zip(order.get(&block)).is_some_and(|(head, here)| head <= here)
    };
    let mut heads: Vec<BlockId> = loops.iter().filter(holds).map(|(head, _)| *head).collect();
    heads.sort_by_key(|head| order[head]);
    heads
}

/// A depth-first walk over a function's blocks.
#[derive(Default)]
struct Walk {
    /// Edges that lead back.
    backward: Vec<(BlockId, BlockId)>,
    /// Blocks in the order in which all that follows them has been seen.
    finished: Vec<BlockId>,
}

impl Walk {
    fn of(function: &Function) -> Walk {
        let mut walk = Walk::default();
        let (mut open, mut seen) = (BTreeSet::new(), BTreeSet::new());
        let Some((entry, _)) = function.blocks.iter().next() else { return walk };
        // The walk's own stack: a block, and the successors still to visit.
        let mut stack = vec![(entry, successors(&function.blocks[entry].end))];
        open.insert(entry);
        seen.insert(entry);
        while let Some((block, next)) = stack.last_mut() {
            let block = *block;
            match next.pop() {
                Some(to) if open.contains(&to) => walk.backward.push((block, to)),
                Some(to) => {
                    if seen.insert(to) {
                        open.insert(to);
                        stack.push((to, successors(&function.blocks[to].end)));
                    }
                }
                None => {
                    open.remove(&block);
                    walk.finished.push(block);
                    stack.pop();
                }
            }
        }
        walk
    }
}
