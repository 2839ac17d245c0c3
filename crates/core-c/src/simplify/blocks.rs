//! Blocks that control cannot reach go; straight lines become one block; jumps go where they end up.

use la_arena::Arena;

use super::uses;
use crate::graph::{Graph, id, number};
use crate::{Block, BlockId, Expression, ExpressionKind, Function, Program, StatementKind, Terminator};

/// True where something changed.
pub(super) fn simplify(program: &Program, function: &mut Function) -> bool {
    if function.blocks.is_empty() || uses::has_labels(program, function) {
        return false;
    }
    let mut changed = decide(function);
    changed |= skip_empty(function);
    changed |= pass_tests(function);
    changed |= join(function);
    changed | in_order(function)
}

/// Ends whose way is known.
fn decide(function: &mut Function) -> bool {
    let mut changed = false;
    for (_, block) in function.blocks.iter_mut() {
        let known = match &block.end {
            Terminator::Branch { then, otherwise, .. } if then == otherwise => Some(*then),
            Terminator::Branch { condition, then, otherwise } => {
                truth(condition).map(|truth| if truth { *then } else { *otherwise })
            }
            Terminator::Switch { value: Expression { kind: ExpressionKind::Integer(value), .. }, cases, default } => {
                let case = cases.iter().find(|case| (case.first..=case.last).contains(value));
                Some(case.map_or(*default, |case| case.target))
            }
            Terminator::Switch { cases, default, .. } if cases.iter().all(|case| case.target == *default) => {
                Some(*default)
            }
            _ => None,
        };
        if let Some(target) = known {
            block.end = Terminator::Goto(target);
            changed = true;
        }
    }
    changed
}

/// Whether a condition holds, where that is known.
fn truth(condition: &Expression) -> Option<bool> {
    match &condition.kind {
        ExpressionKind::Integer(value) => Some(*value != 0),
        ExpressionKind::Function(_) => Some(true),
        _ => None,
    }
}

/// Jumps to empty blocks that jump on go where these go.
fn skip_empty(function: &mut Function) -> bool {
    let onward: Vec<Option<BlockId>> = function
        .blocks
        .iter()
        .map(|(at, block)| match block.end {
            Terminator::Goto(next) if block.statements.is_empty() && next != at => Some(next),
            _ => None,
        })
        .collect();
    let last = |from: BlockId| {
        let mut at = from;
        // An empty loop leads nowhere: it stays.
        for _ in 0..=onward.len() {
            match onward[number(at)] {
                Some(next) => at = next,
                None => return at,
            }
        }
        from
    };
    let mut changed = false;
    for (_, block) in function.blocks.iter_mut() {
        for target in block.end.targets_mut() {
            let end = last(*target);
            changed |= end != *target;
            *target = end;
        }
    }
    changed
}

/// A block that gives a register a constant, and goes where only that register is tested, knows the way on.
fn pass_tests(function: &mut Function) -> bool {
    let mut changed = false;
    for at in function.blocks.iter().map(|(at, _)| at).collect::<Vec<_>>() {
        let Terminator::Goto(next) = function.blocks[at].end else { continue };
        let test = &function.blocks[next];
        let Terminator::Branch { condition, then, otherwise } = &test.end else { continue };
        let ExpressionKind::Local(tested) = condition.kind else { continue };
        if !test.statements.is_empty() || next == at {
            continue;
        }
        let (then, otherwise) = (*then, *otherwise);
        let last = function.blocks[at].statements.iter().rev().find(|s| s.kind.written_register() == Some(tested));
        let Some(StatementKind::Set { value, .. }) = last.map(|statement| &statement.kind) else { continue };
        if let Some(truth) = truth(value) {
            function.blocks[at].end = Terminator::Goto(if truth { then } else { otherwise });
            changed = true;
        }
    }
    changed
}

/// What one jump alone leads to stands where that jump is.
fn join(function: &mut Function) -> bool {
    let graph = Graph::of(function);
    let mut joined: Vec<bool> = vec![false; function.blocks.len()];
    for at in graph.order().collect::<Vec<_>>() {
        if joined[number(at)] {
            continue;
        }
        while let Terminator::Goto(next) = function.blocks[at].end {
            if next == at || number(next) == 0 || graph.predecessors(next).len() != 1 {
                break;
            }
            let taken = std::mem::replace(
                &mut function.blocks[next],
                Block { statements: Vec::new(), end: Terminator::Unreachable, span: None },
            );
            joined[number(next)] = true;
            let block = &mut function.blocks[at];
            block.statements.extend(taken.statements);
            block.end = taken.end;
            block.span = taken.span;
        }
    }
    joined.contains(&true)
}

/// The reachable blocks alone, in reverse post-order.
fn in_order(function: &mut Function) -> bool {
    let graph = Graph::of(function);
    let order: Vec<BlockId> = graph.order().collect();
    if order.len() == function.blocks.len() && order.iter().enumerate().all(|(at, block)| number(*block) == at) {
        return false;
    }
    let mut old: Vec<Option<Block>> =
        std::mem::take(&mut function.blocks).into_iter().map(|(_, block)| Some(block)).collect();
    let mut blocks = Arena::with_capacity(order.len());
    for block in &order {
        let Some(mut block) = old[number(*block)].take() else { continue };
        for target in block.end.targets_mut() {
            *target = id(graph.position(*target).unwrap_or_default());
        }
        blocks.alloc(block);
    }
    function.blocks = blocks;
    true
}
