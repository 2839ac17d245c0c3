//! What counts along with a loop's rounds: tests on it are decided for all rounds at once.
//!
//! In: a function. Out: the same; where a loop's number of rounds is known, tests that come out alike in all of them are
//! gone, and what only counted for them has its last value where the loop ends. Why: a loop that is kept as a loop has given
//! up what was known of its first round, such as how much room there was; how much is left in each round can still be
//! known. Source: linear induction variables, after Muchnick, "Advanced Compiler Design and Implementation" (1997).

mod counters;

use core_c::graph::{Graph, Liveness, Loops};
use core_c::{
    BinaryOperator, Block, BlockId, Expression, ExpressionKind, Function, LocalId, Program, Shape, Statement,
    StatementKind, Terminator,
};

use counters::{Counter, Counting};

/// What a register holds where a loop ends.
struct Last {
    exit: BlockId,
    /// By position among the paths from there.
    edge: usize,
    local: LocalId,
    value: i128,
}

/// Decides such tests; true where something changed.
pub(crate) fn decide(program: &Program, function: &mut Function) -> bool {
    let graph = Graph::of(function);
    let loops = Loops::of(&graph);
    let mut decided: Vec<(BlockId, BlockId)> = Vec::new();
    let mut last: Vec<Last> = Vec::new();
    for position in 0..loops.list.len() {
        let counting = Counting::of(program, function, &graph, &loops, position);
        let Some((exit, rounds)) = counting.rounds() else { continue };
        decided.extend(counting.blocks().filter(|block| *block != exit).filter_map(|block| {
            let before = graph.dominates(exit, block);
            Some((block, counting.decided(block, if before { rounds - 1 } else { rounds })?))
        }));
        last.extend(finals(function, &graph, &counting, (exit, rounds)));
    }
    for (block, target) in &decided {
        function.blocks[*block].end = Terminator::Goto(*target);
    }
    last.iter().for_each(|last| leave_with(function, last));
    !decided.is_empty() || !last.is_empty()
}

/// What counters end with that the loop needs for nothing else, where there is one way out.
fn finals(function: &Function, graph: &Graph, counting: &Counting<'_>, (exit, rounds): (BlockId, i128)) -> Vec<Last> {
    if counting.exits() != [exit] {
        return Vec::new();
    }
    let liveness = Liveness::of(function, graph);
    let targets = function.blocks[exit].end.targets();
    let Some(edge) = targets.iter().position(|target| !counting.holds(*target)) else { return Vec::new() };
    let is_needed = |counter: &&Counter| liveness.before(targets[edge]).contains(counter.local);
    let idle = counting.list.iter().filter(is_needed).filter(|counter| counting.is_idle(counter));
    let value = |counter: &Counter| counting.value_at(counter, exit, rounds);
    idle.filter_map(|counter| Some(Last { exit, edge, local: counter.local, value: value(counter)? })).collect()
}

/// Sets a register on the way out of a loop.
fn leave_with(function: &mut Function, last: &Last) {
    let ty = function.locals[last.local].ty;
    let target = function.blocks[last.exit].end.targets()[last.edge];
    let value = Expression { kind: ExpressionKind::Integer(last.value), ty, span: None };
    let statements = vec![Statement { kind: StatementKind::Set { local: last.local, value }, span: None }];
    let added = function.blocks.alloc(Block { statements, end: Terminator::Goto(target), span: None });
    *function.blocks[last.exit].end.targets_mut()[last.edge] = added;
}

/// Whether a comparison holds.
fn holds(operator: BinaryOperator, left: i128, right: i128) -> bool {
    match operator {
        BinaryOperator::Equal => left == right,
        BinaryOperator::NotEqual => left != right,
        BinaryOperator::Less => left < right,
        BinaryOperator::LessEqual => left <= right,
        BinaryOperator::Greater => left > right,
        _ => left >= right,
    }
}

/// Bits and sign of an integer type.
fn integer(program: &Program, value: &Expression) -> Option<(u32, bool)> {
    match program.types.shape_of(value.ty) {
        Shape::Integer { bits, signed, boolean: false } if *bits <= 64 => Some((*bits, *signed)),
        _ => None,
    }
}
