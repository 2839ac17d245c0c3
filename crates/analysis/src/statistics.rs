//! What is evaluated away, by the kinds of Muller, Marlet and Volanschi (section 2.3), and what is left.

use std::collections::BTreeSet;

use core_c::graph::{Graph, Loops};
use core_c::{
    BinaryOperator, Block, BlockId, Callee, Expression, ExpressionKind, Function, LocalId, Program, Receiver,
    StatementKind, Terminator,
};

use crate::object::StatementId;
use crate::scan::is_outside;
use crate::tables::{Analysis, Table};

/// How many constructs of one kind are decided before run time, over all variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Count {
    pub decided: usize,
    pub left: usize,
}

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
    /// Calls of functions of which no more than a straight line is left: layers that merge.
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

impl Count {
    fn add(&mut self, decided: bool) {
        if decided {
            self.decided += 1;
        } else {
            self.left += 1;
        }
    }
}

impl Analysis {
    pub fn statistics(&self, program: &Program) -> Statistics {
        let mut statistics = Statistics::default();
        for table in self.variants.values() {
            let function = &program.functions[table.function];
            let graph = Graph::of(function);
            let loops = Loops::of(&graph);
            let results = results(function);
            for (at, record) in &table.records {
                let block = &function.blocks[at.block];
                match block.statements.get(at.index) {
                    Some(statement) => self.count_call(program, table, *at, &statement.kind, &mut statistics),
                    None => {
                        let Some(tested) = tested(&block.end) else { continue };
                        let decided = !record.effect.is_dynamic();
                        kind(tested, at.block, &block.end, &loops, &results, &mut statistics).add(decided);
                    }
                }
            }
        }
        statistics
    }

    fn count_call(
        &self,
        program: &Program,
        table: &Table,
        at: StatementId,
        kind: &StatementKind,
        statistics: &mut Statistics,
    ) {
        let StatementKind::Call { callee, .. } = kind else { return };
        let record = &table.records[&at];
        if matches!(callee, Callee::Pointer(_)) {
            statistics.indirect_calls.add(!record.calls_others);
        }
        let inside = record.callees.iter().filter(|callee| !is_outside(&program.functions[**callee]));
        for callee in inside {
            for variant in table.callees(at, *callee) {
                statistics.calls.add(self.variants.get(&variant).is_some_and(|table| is_straight(program, table)));
            }
        }
    }
}

/// No test is left in it.
fn is_straight(program: &Program, table: &Table) -> bool {
    let function = &program.functions[table.function];
    table.records.iter().all(|(at, record)| {
        let block = &function.blocks[at.block];
        at.index < block.statements.len() || tested(&block.end).is_none() || !record.effect.is_dynamic()
    })
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
