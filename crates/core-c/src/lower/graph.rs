//! Makes the blocks of a function few: empty ones, unreachable ones, and breaks in a straight line go.

use la_arena::Arena;

use super::body::{OpenBlock, block_id, index};
use crate::{
    Argument, Block, BlockId, Expression, ExpressionKind, Place, PlaceBase, StatementKind, StepKind, Terminator,
};

/// The new numbers of blocks.
pub(super) type Renamed = Vec<Option<BlockId>>;

/// The blocks that control can reach, from the first one or from one of the `roots`, in an order that follows control.
pub(super) fn simplify(mut blocks: Vec<OpenBlock>, roots: &[BlockId]) -> (Arena<Block>, Renamed) {
    let roots: Vec<usize> = roots.iter().map(|root| index(*root)).collect();
    skip_empty(&mut blocks, &roots);
    join(&mut blocks, &roots);
    let order = order(&blocks, &roots);
    let mut renamed = vec![None; blocks.len()];
    for (at, old) in order.iter().enumerate() {
        renamed[*old] = Some(block_id(at));
    }
    let mut arena = Arena::default();
    for old in order {
        let block = std::mem::take(&mut blocks[old]);
        let end = block.end.unwrap_or(Terminator::Unreachable);
        let mut block = Block { statements: block.statements, end, span: block.span };
        rename_block(&mut block, &renamed);
        arena.alloc(block);
    }
    (arena, renamed)
}

/// Jumps to empty blocks that jump on go where these go.
fn skip_empty(blocks: &mut [OpenBlock], roots: &[usize]) {
    let onward: Vec<Option<usize>> = blocks
        .iter()
        .enumerate()
        .map(|(at, block)| match &block.end {
            Some(Terminator::Goto(next)) if block.statements.is_empty() && !roots.contains(&at) => Some(index(*next)),
            _ => None,
        })
        .collect();
    let target = |from: BlockId| {
        let mut at = index(from);
        // An empty loop leads nowhere: it stays.
        for _ in 0..onward.len() {
            match onward[at] {
                Some(next) => at = next,
                None => return block_id(at),
            }
        }
        from
    };
    for block in blocks {
        let Some(end) = &mut block.end else { continue };
        targets_mut(end).into_iter().for_each(|next| *next = target(*next));
        if let Terminator::Branch { then, otherwise, .. } = end
            && then == otherwise
        {
            *end = Terminator::Goto(*then);
        }
    }
}

/// Blocks that only one jump leads to follow where that jump stands.
fn join(blocks: &mut [OpenBlock], roots: &[usize]) {
    let mut before = vec![0_usize; blocks.len()];
    before[0] = 1;
    roots.iter().for_each(|root| before[*root] += 2);
    for at in order(blocks, roots) {
        for next in targets(&blocks[at]) {
            before[next] += 1;
        }
    }
    for at in order(blocks, roots) {
        while let Some(Terminator::Goto(next)) = &blocks[at].end {
            let next = index(*next);
            if before[next] != 1 || next == at || next == 0 {
                break;
            }
            let joined = std::mem::take(&mut blocks[next]);
            blocks[at].statements.extend(joined.statements);
            blocks[at].end = joined.end;
            blocks[at].span = joined.span;
        }
    }
}

/// The blocks that can be reached, each before those that follow it, loops aside.
fn order(blocks: &[OpenBlock], roots: &[usize]) -> Vec<usize> {
    let mut seen = vec![false; blocks.len()];
    let mut done = Vec::new();
    for start in roots.iter().rev().copied().chain([0]) {
        // Each entry: a block, and the targets still to visit, the first of them last.
        let mut open: Vec<(usize, Vec<usize>)> = Vec::new();
        if !std::mem::replace(&mut seen[start], true) {
            open.push((start, targets(&blocks[start])));
        }
        while let Some((at, next)) = open.last_mut() {
            match next.pop() {
                Some(next) if !std::mem::replace(&mut seen[next], true) => open.push((next, targets(&blocks[next]))),
                Some(_) => {}
                None => {
                    done.push(*at);
                    open.pop();
                }
            }
        }
    }
    done.reverse();
    done
}

fn targets(block: &OpenBlock) -> Vec<usize> {
    block
        .end
        .clone()
        .map_or_else(Vec::new, |mut end| targets_mut(&mut end).into_iter().map(|next| index(*next)).collect())
}

fn targets_mut(end: &mut Terminator) -> Vec<&mut BlockId> {
    match end {
        Terminator::Goto(next) => vec![next],
        Terminator::Branch { then, otherwise, .. } => vec![then, otherwise],
        Terminator::Switch { cases, default, .. } => {
            cases.iter_mut().map(|case| &mut case.target).chain([default]).collect()
        }
        Terminator::GotoAddress { targets, .. } => targets.iter_mut().collect(),
        Terminator::Return(_) | Terminator::Unreachable => Vec::new(),
    }
}

fn rename_block(block: &mut Block, renamed: &Renamed) {
    for statement in &mut block.statements {
        rename_statement(&mut statement.kind, renamed);
    }
    for next in targets_mut(&mut block.end) {
        *next = renamed[index(*next)].unwrap_or(*next);
    }
    match &mut block.end {
        Terminator::Branch { condition: value, .. }
        | Terminator::Switch { value, .. }
        | Terminator::GotoAddress { address: value, .. }
        | Terminator::Return(Some(Argument::Value(value))) => rename_expression(value, renamed),
        Terminator::Return(Some(Argument::Object(place))) => rename_place(place, renamed),
        Terminator::Goto(_) | Terminator::Return(None) | Terminator::Unreachable => {}
    }
}

fn rename_statement(kind: &mut StatementKind, renamed: &Renamed) {
    match kind {
        StatementKind::Set { value, .. } | StatementKind::Begin { size: Some(value), .. } => {
            rename_expression(value, renamed);
        }
        StatementKind::Store { place, value } => {
            rename_place(place, renamed);
            rename_expression(value, renamed);
        }
        StatementKind::LoadVolatile { place, .. } | StatementKind::Zero { place } => rename_place(place, renamed),
        StatementKind::Copy { to, from } => {
            rename_place(to, renamed);
            rename_place(from, renamed);
        }
        StatementKind::Call { receiver, callee, arguments } => {
            if let Some(crate::Receiver::Object(place)) = receiver {
                rename_place(place, renamed);
            }
            if let crate::Callee::Pointer(pointer) = callee {
                rename_expression(pointer, renamed);
            }
            for argument in arguments {
                match argument {
                    Argument::Value(value) => rename_expression(value, renamed),
                    Argument::Object(place) => rename_place(place, renamed),
                }
            }
        }
        StatementKind::Begin { size: None, .. } => {}
        StatementKind::Assembly { outputs, inputs, .. } => {
            outputs.iter_mut().for_each(|place| rename_place(place, renamed));
            inputs.iter_mut().for_each(|value| rename_expression(value, renamed));
        }
    }
}

fn rename_place(place: &mut Place, renamed: &Renamed) {
    if let PlaceBase::Pointee(pointer) = &mut place.base {
        rename_expression(pointer, renamed);
    }
    for step in &mut place.steps {
        if let StepKind::Index(index) = &mut step.kind {
            rename_expression(index, renamed);
        }
    }
}

/// Gives the labels in an expression the new numbers of their blocks.
pub(super) fn rename_expression(expression: &mut Expression, renamed: &Renamed) {
    match &mut expression.kind {
        ExpressionKind::Label(block) => *block = renamed[index(*block)].unwrap_or(*block),
        ExpressionKind::Load(place) | ExpressionKind::Address(place) => rename_place(place, renamed),
        ExpressionKind::Unary(_, a) | ExpressionKind::Convert(a) => rename_expression(a, renamed),
        ExpressionKind::Binary(_, a, b)
        | ExpressionKind::Distance(a, b)
        | ExpressionKind::Offset { pointer: a, count: b, .. } => {
            rename_expression(a, renamed);
            rename_expression(b, renamed);
        }
        ExpressionKind::Opaque { operands, .. } => {
            operands.iter_mut().for_each(|operand| rename_expression(operand, renamed));
        }
        ExpressionKind::Integer(_)
        | ExpressionKind::Float(_)
        | ExpressionKind::Local(_)
        | ExpressionKind::Function(_) => {}
    }
}
