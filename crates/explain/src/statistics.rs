//! What is evaluated away, by the kinds of Muller, Marlet and Volanschi (section 2.3), and what is left.

use std::collections::BTreeSet;

use core_c::graph::{Graph, Loops};
use core_c::{
    BinaryOperator, Block, BlockId, Callee, Expression, ExpressionKind, Function, LocalId, Program, Receiver,
    StatementKind, Terminator,
};
use specialize::{Construct, Count, Trace};

use crate::statement;

/// The five kinds, and loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Statistics {
    /// Tests of modes, such as whether to encode or to decode.
    pub modes: Count,
    /// Tests whether something is larger than something else, such as for room in a buffer.
    pub bounds: Count,
    /// Tests of what a call gave.
    pub statuses: Count,
    pub indirect_calls: Count,
    /// Calls of functions of the program: those whose statements took the place of the call, and those that are called.
    pub calls: Count,
    /// Tests whether a loop goes on.
    pub loops: Count,
}

impl Statistics {
    /// Each kind by its name.
    pub fn kinds(&self) -> [(&'static str, Count); 6] {
        [
            ("tests of modes", self.modes),
            ("tests of bounds", self.bounds),
            ("tests of status", self.statuses),
            ("calls through pointers", self.indirect_calls),
            ("calls between layers", self.calls),
            ("tests of loops", self.loops),
        ]
    }
}

/// Counts over all that was done.
pub fn statistics(program: &Program, trace: &Trace) -> Statistics {
    let mut statistics = Statistics::default();
    for (id, constructs) in &trace.functions {
        let function = &program.functions[*id];
        let loops = Loops::of(&Graph::of(function));
        let results = results(function);
        for ((block, at), construct) in constructs {
            match statement(program, (*id, *block, *at)) {
                Some(statement) => count_calls(&statement.kind, construct, &mut statistics),
                None => {
                    let end = &function.blocks[*block].end;
                    let Some(tested) = tested(end) else { continue };
                    let count = kind(tested, *block, end, &loops, &results, &mut statistics);
                    count.computed += construct.count.computed;
                    count.left += construct.count.left;
                }
            }
        }
    }
    statistics
}

fn count_calls(kind: &StatementKind, construct: &Construct, statistics: &mut Statistics) {
    let StatementKind::Call { callee, .. } = kind else { return };
    let calls = construct.calls;
    if matches!(callee, Callee::Pointer(_)) {
        statistics.indirect_calls.computed +=
            calls.unfolded + calls.computed + calls.variants + calls.general + calls.outside;
        statistics.indirect_calls.left += calls.unknown;
    }
    statistics.calls.computed += calls.unfolded;
    statistics.calls.left += calls.variants + calls.general;
}

fn tested(end: &Terminator) -> Option<&Expression> {
    match end {
        Terminator::Branch { condition: value, .. } | Terminator::Switch { value, .. } => Some(value),
        _ => None,
    }
}

/// Registers that hold what calls gave.
fn results(function: &Function) -> BTreeSet<LocalId> {
    let statements = function.blocks.values().flat_map(|block| &block.statements);
    let results = statements.filter_map(|statement| match &statement.kind {
        StatementKind::Call { receiver: Some(Receiver::Register(local)), .. } => Some(*local),
        _ => None,
    });
    results.collect()
}

fn kind<'s>(
    tested: &Expression,
    block: BlockId,
    end: &Terminator,
    loops: &Loops<Block>,
    results: &BTreeSet<LocalId>,
    statistics: &'s mut Statistics,
) -> &'s mut Count {
    let leaves = |inside: usize| end.targets().iter().any(|target| !loops.holds(inside, *target));
    if loops.innermost(block).is_some_and(leaves) {
        return &mut statistics.loops;
    }
    let (mut is_status, mut is_bound) = (false, false);
    tested.walk(&mut |part| match &part.kind {
        ExpressionKind::Local(local) => is_status |= results.contains(local),
        ExpressionKind::Binary(
            BinaryOperator::Less | BinaryOperator::LessEqual | BinaryOperator::Greater | BinaryOperator::GreaterEqual,
            ..,
        ) => is_bound = true,
        _ => {}
    });
    match (is_bound, is_status) {
        (true, _) => &mut statistics.bounds,
        (_, true) => &mut statistics.statuses,
        _ => &mut statistics.modes,
    }
}
