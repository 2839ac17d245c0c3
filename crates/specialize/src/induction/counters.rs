//! The registers of a loop that change by the same number in each round, from a known start.

use std::collections::{BTreeMap, BTreeSet};

use core_c::graph::{Graph, Loops};
use core_c::{
    BinaryOperator, BlockId, Expression, ExpressionKind, Function, LocalId, Program, StatementKind, Terminator,
};

use super::{holds, integer};
use crate::values::fold;

/// Rounds that are thought about; numbers stay far from where they end.
const MOST: i128 = 1 << 40;

/// `local = local + step`, once a round.
#[derive(Clone, Debug)]
pub(super) struct Counter {
    pub(super) local: LocalId,
    start: i128,
    step: i128,
    /// Where it is set.
    block: BlockId,
    bits: u32,
    signed: bool,
}

impl Counter {
    fn after(&self, rounds: i128) -> i128 {
        self.start + self.step * rounds
    }

    fn fits(&self, value: i128) -> bool {
        fold::wrap(value, self.bits, self.signed) == value
    }
}

pub(super) struct Counting<'a> {
    program: &'a Program,
    function: &'a Function,
    graph: &'a Graph,
    inside: BTreeSet<BlockId>,
    latch: BlockId,
    /// Blocks that are in no loop within.
    own: BTreeSet<BlockId>,
    pub(super) list: Vec<Counter>,
}

impl<'a> Counting<'a> {
    pub(super) fn of(
        program: &'a Program,
        function: &'a Function,
        graph: &'a Graph,
        loops: &Loops<core_c::Block>,
        position: usize,
    ) -> Counting<'a> {
        let round = &loops.list[position];
        let inside: BTreeSet<BlockId> = round.nodes.iter().copied().collect();
        let own = inside.iter().copied().filter(|block| loops.innermost(*block) == Some(position)).collect();
        let latch = round.latches[0];
        let mut counting = Counting { program, function, graph, inside, latch, own, list: Vec::new() };
        let entering: Vec<BlockId> =
            graph.predecessors(round.header).filter(|before| !counting.inside.contains(before)).collect();
        if round.latches.len() == 1 {
            counting.list = counting.counters(&entering);
        }
        counting
    }

    fn counters(&self, entering: &[BlockId]) -> Vec<Counter> {
        let mut set: BTreeMap<LocalId, Vec<(BlockId, &StatementKind)>> = BTreeMap::new();
        for block in &self.inside {
            for statement in &self.function.blocks[*block].statements {
                if let Some(local) = statement.kind.written_register() {
                    set.entry(local).or_default().push((*block, &statement.kind));
                }
            }
        }
        let counter = |(local, places): (LocalId, Vec<(BlockId, &StatementKind)>)| {
            let [(block, StatementKind::Set { value, .. })] = places[..] else { return None };
            let (bits, signed) = integer(self.program, value)?;
            let is_once = self.own.contains(&block) && self.graph.dominates(block, self.latch);
            let step = self.step(value, local, bits)?;
            let start = self.start(local, entering)?;
            (is_once && step != 0).then_some(Counter { local, start, step, block, bits, signed })
        };
        set.into_iter().filter_map(counter).collect()
    }

    /// By how much an expression exceeds a register, in arithmetic of at least so many bits.
    fn step(&self, value: &Expression, local: LocalId, bits: u32) -> Option<i128> {
        let (own, _) = integer(self.program, value)?;
        if own < bits {
            return None;
        }
        match &value.kind {
            ExpressionKind::Local(found) => (*found == local).then_some(0),
            ExpressionKind::Convert(inner) => self.step(inner, local, bits),
            ExpressionKind::Binary(BinaryOperator::Add, left, right) => match (&left.kind, &right.kind) {
                (_, ExpressionKind::Integer(by)) => self.step(left, local, bits)?.checked_add(small(*by)?),
                (ExpressionKind::Integer(by), _) => self.step(right, local, bits)?.checked_add(small(*by)?),
                _ => None,
            },
            ExpressionKind::Binary(BinaryOperator::Subtract, left, right) => match right.kind {
                ExpressionKind::Integer(by) => self.step(left, local, bits)?.checked_sub(small(by)?),
                _ => None,
            },
            _ => None,
        }
    }

    /// What a register holds where these blocks end, if all paths there agree on a number.
    fn start(&self, local: LocalId, entering: &[BlockId]) -> Option<i128> {
        let mut seen = BTreeSet::new();
        let mut open = entering.to_vec();
        let mut found = None;
        while let Some(block) = open.pop() {
            if !seen.insert(block) {
                continue;
            }
            let mut statements = self.function.blocks[block].statements.iter().rev();
            if let Some(set) = statements.find(|statement| statement.kind.written_register() == Some(local)) {
                let StatementKind::Set { value, .. } = &set.kind else { return None };
                let ExpressionKind::Integer(value) = value.kind else { return None };
                if *found.get_or_insert(value) != value {
                    return None;
                }
                continue;
            }
            // What comes in with the call is not known.
            self.graph.dominator(block)?;
            open.extend(self.graph.predecessors(block));
        }
        found
    }

    /// Blocks that are executed at most once a round.
    pub(super) fn blocks(&self) -> impl Iterator<Item = BlockId> + '_ {
        self.own.iter().copied()
    }

    pub(super) fn holds(&self, block: BlockId) -> bool {
        self.inside.contains(&block)
    }

    /// The blocks from which paths lead out.
    pub(super) fn exits(&self) -> Vec<BlockId> {
        let leaves = |block: &BlockId| self.graph.successors(*block).any(|next| !self.inside.contains(&next));
        self.inside.iter().copied().filter(leaves).collect()
    }

    /// True where nothing in the loop reads a counter but its own step.
    pub(super) fn is_idle(&self, counter: &Counter) -> bool {
        let reads = |value: &Expression| value.any(&mut |part| part.kind == ExpressionKind::Local(counter.local));
        self.inside.iter().all(|id| {
            let block = &self.function.blocks[*id];
            let others = block.statements.iter().filter(|one| one.kind.written_register() != Some(counter.local));
            !others.flat_map(|one| one.kind.expressions()).chain(block.end.expressions()).any(reads)
        })
    }

    /// What a counter holds where a block ends, in the round after so many; none where it is set on some paths only.
    pub(super) fn value_at(&self, counter: &Counter, block: BlockId, rounds: i128) -> Option<i128> {
        let rounds = match self.graph.dominates(counter.block, block) {
            true => rounds + 1,
            false if self.graph.dominates(block, counter.block) => rounds,
            false => return None,
        };
        let value = counter.after(rounds);
        (counter.fits(value) && counter.fits(counter.start)).then_some(value)
    }

    /// The test that ends the loop first, and how many rounds it lets run.
    pub(super) fn rounds(&self) -> Option<(BlockId, i128)> {
        let found = self.exits().into_iter().filter_map(|block| {
            let is_every_round = self.own.contains(&block) && self.graph.dominates(block, self.latch);
            Some((block, self.rounds_until(block).filter(|rounds| is_every_round && *rounds < MOST)?))
        });
        found.min_by_key(|(_, rounds)| *rounds)
    }

    /// After how many rounds a test leaves the loop.
    fn rounds_until(&self, block: BlockId) -> Option<i128> {
        let (counter, operator, bound, then, otherwise) = self.test(block)?;
        let goes_on = match (self.inside.contains(&then), self.inside.contains(&otherwise)) {
            (true, false) => operator,
            (false, true) => opposite(operator),
            _ => return None,
        };
        let first = self.value_at(counter, block, 0)?;
        if !holds(goes_on, first, bound) {
            return Some(0);
        }
        let distance = bound - first;
        let rounds = match goes_on {
            BinaryOperator::Less if counter.step > 0 => (distance + counter.step - 1) / counter.step,
            BinaryOperator::LessEqual if counter.step > 0 => distance / counter.step + 1,
            BinaryOperator::Greater if counter.step < 0 => (distance + counter.step + 1) / counter.step,
            BinaryOperator::GreaterEqual if counter.step < 0 => distance / counter.step + 1,
            BinaryOperator::NotEqual if distance % counter.step == 0 && distance / counter.step > 0 => {
                distance / counter.step
            }
            _ => return None,
        };
        self.value_at(counter, block, rounds).map(|_| rounds)
    }

    /// Where a test always leads, in the first round and so many more.
    pub(super) fn decided(&self, block: BlockId, rounds: i128) -> Option<BlockId> {
        let (counter, operator, bound, then, otherwise) = self.test(block).filter(|_| rounds >= 0)?;
        let (first, last) = (self.value_at(counter, block, 0)?, self.value_at(counter, block, rounds)?);
        let way = |value| holds(operator, value, bound);
        let is_equality = matches!(operator, BinaryOperator::Equal | BinaryOperator::NotEqual);
        let may_pass = is_equality && (first.min(last)..=first.max(last)).contains(&bound);
        (way(first) == way(last) && !may_pass).then_some(if way(first) { then } else { otherwise })
    }

    /// A comparison of a counter and a number: counter, operator, number, where it leads.
    fn test(&self, block: BlockId) -> Option<(&Counter, BinaryOperator, i128, BlockId, BlockId)> {
        let Terminator::Branch { condition, then, otherwise } = &self.function.blocks[block].end else { return None };
        let ExpressionKind::Binary(operator, left, right) = &condition.kind else { return None };
        let (ExpressionKind::Integer(bound), true) = (&right.kind, operator.is_comparison()) else { return None };
        let counter = self.counted(left)?;
        Some((counter, *operator, *bound, *then, *otherwise))
    }

    /// The counter whose value an expression has: conversions change none that fits its own type and theirs.
    fn counted(&self, value: &Expression) -> Option<&Counter> {
        match &value.kind {
            ExpressionKind::Local(local) => self.list.iter().find(|counter| counter.local == *local),
            ExpressionKind::Convert(inner) => {
                let counter = self.counted(inner)?;
                let (bits, signed) = integer(self.program, value)?;
                let is_wider = bits > counter.bits && (signed || !counter.signed);
                (is_wider || (bits, signed) == (counter.bits, counter.signed)).then_some(counter)
            }
            _ => None,
        }
    }
}

fn small(number: i128) -> Option<i128> {
    (number.abs() < MOST).then_some(number)
}

fn opposite(operator: BinaryOperator) -> BinaryOperator {
    match operator {
        BinaryOperator::Equal => BinaryOperator::NotEqual,
        BinaryOperator::NotEqual => BinaryOperator::Equal,
        BinaryOperator::Less => BinaryOperator::GreaterEqual,
        BinaryOperator::LessEqual => BinaryOperator::Greater,
        BinaryOperator::Greater => BinaryOperator::LessEqual,
        _ => BinaryOperator::Less,
    }
}
