//! Makes a loop of a run.
//!
//! In: a run and what becomes of its registers. Out: the function with a loop in the run's place: before it the counter
//! is set, its head tests the counter, its body is the first iteration, its foot passes on what is carried and counts.

use std::collections::BTreeMap;

use core_c::{
    Argument, BinaryOperator, Block, BlockId, Callee, Expression, ExpressionKind, Function, Local, LocalId, LocalKind,
    Place, PlaceBase, Program, Receiver, Shape, Statement, StatementKind, Terminator, Types,
};
use source::Span;

use super::bulk::BulkRun;
use super::classes::Class;
use super::counter::{Counter, binary, converted, integer};
use super::outline::Outliner;
use super::run::Run;
use super::tree::Position;
use super::{Folded, FoldedKind};

/// A run that can be a loop.
#[derive(Debug)]
pub(super) struct Foldable {
    pub(super) run: Run,
    pub(super) classes: Vec<Class>,
    pub(super) counter: Counter,
    /// It is one call instead.
    pub(super) bulk: Option<BulkRun>,
}

/// Replaces a run by a loop or a call. Positions before the run stay what they are.
pub(super) fn fold(program: &mut Program, function: &mut Function, foldable: &Foldable) -> Folded {
    let count = foldable.run.count();
    match &foldable.bulk {
        Some(bulk) => {
            fold_to_call(program, function, &foldable.run, bulk);
            Folded { kind: bulk.kind, count, counter: None }
        }
        None => {
            let counter = fold_to_loop(program, function, foldable);
            Folded { kind: FoldedKind::Loop, count, counter: Some(counter) }
        }
    }
}

fn fold_to_call(program: &mut Program, function: &mut Function, run: &Run, bulk: &BulkRun) {
    let after = cut(function, run.starts[run.count()]);
    let body = split(function, run.starts[0]);
    let span = first_span(function, body);
    let Shape::Function(signature) = program.types.shape_of(program.functions[bulk.function].ty).clone() else {
        return;
    };
    let size = program.types.scalar(cast::Scalar::UnsignedLong);
    let values = [address(&mut program.types, &bulk.to), address(&mut program.types, &bulk.from)];
    let values = values.into_iter().chain([integer(bulk.amount.into(), size)]);
    let arguments = values.zip(&signature.parameters).map(|(value, ty)| Argument::Value(converted(value, *ty)));
    let kind =
        StatementKind::Call { receiver: None, callee: Callee::Function(bulk.function), arguments: arguments.collect() };
    let before = &mut function.blocks[run.starts[0].block];
    before.statements.push(Statement { kind, span });
    before.end = Terminator::Goto(after);
}

/// A pointer to a place.
fn address(types: &mut Types, place: &Place) -> Expression {
    if let (PlaceBase::Pointee(pointer), []) = (&place.base, &place.steps[..]) {
        return (**pointer).clone();
    }
    let ty = types.pointer_to(place.ty);
    Expression { kind: ExpressionKind::Address(Box::new(place.clone())), ty, span: None }
}

/// Gives the counter.
fn fold_to_loop(program: &mut Program, function: &mut Function, foldable: &Foldable) -> LocalId {
    let Foldable { run, classes, counter, .. } = foldable;
    let index = register(function, "i", counter.ty);
    let mut names = BTreeMap::new();
    for class in classes {
        let local = &function.locals[class.carried.unwrap_or(class.register)];
        let (name, ty) = (local.name.clone(), local.ty);
        names.insert(class.register, register(function, &name, ty));
    }
    rewrite(program, function, foldable, index, &names);
    let after = cut(function, run.starts[run.count()]);
    let next = cut(function, run.starts[1]);
    let body = split(function, run.starts[0]);
    let (before, span) = (run.starts[0].block, first_span(function, body));
    let foot = new_block(function, span);
    let exit = new_block(function, span);
    let head = new_block(function, span);
    // Where control is back at the iteration's start inside it, that start is the body now.
    let inside = run.blocks[0].iter().copied().chain([body]);
    for block in inside.collect::<Vec<BlockId>>() {
        for target in function.blocks[block].end.targets_mut() {
            match *target {
                at if at == next => *target = foot,
                at if at == before && run.starts[0].index == 0 => *target = body,
                _ => {}
            }
        }
    }
    let truth = program.types.int();
    let counted = || read(index, counter.ty);
    let mut below = binary(BinaryOperator::Less, counted(), integer(counter.end, counter.ty));
    below.ty = truth;
    function.blocks[head].end = Terminator::Branch { condition: below, then: body, otherwise: exit };
    let one_more = binary(BinaryOperator::Add, counted(), integer(1, counter.ty));
    let mut steps = passed_on(function, classes, &names);
    steps.push((index, one_more));
    end_with(function, foot, steps, head, span);
    let mut starts = first_values(function, classes, &names);
    starts.push((index, integer(counter.first, counter.ty)));
    end_with(function, before, starts, head, span);
    let results = classes.iter().filter_map(|class| Some((class.escapes?, names[&class.register])));
    let results = results.map(|(to, from)| (to, read(from, function.locals[from].ty))).collect();
    end_with(function, exit, results, after, span);
    index
}

/// The first iteration's statements, for all iterations.
fn rewrite(
    program: &mut Program,
    function: &mut Function,
    foldable: &Foldable,
    index: LocalId,
    names: &BTreeMap<LocalId, LocalId>,
) {
    let values = values(&mut program.types, foldable, index);
    let mut values = values.into_iter();
    let mut change = |value: &mut Expression| match &mut value.kind {
        ExpressionKind::Local(register) => *register = names.get(register).copied().unwrap_or(*register),
        _ => {
            if let Some(grown) = values.next().flatten() {
                let span = value.span;
                *value = Expression { span, ..grown };
            }
        }
    };
    // Statements and ends apart, so that the function is looked at as it was.
    let mut changed = Vec::new();
    let outliner = Outliner::new(program, function);
    for at in &foldable.run.items {
        let block = &function.blocks[at.block];
        match block.statements.get(at.index).cloned() {
            Some(mut statement) => {
                outliner.rewrite(&mut statement.kind, &mut change);
                rename_written(&mut statement.kind, names);
                changed.push((*at, Some(statement), None));
            }
            None => {
                let mut end = block.end.clone();
                outliner.rewrite_end(&mut end, &mut change);
                changed.push((*at, None, Some(end)));
            }
        }
    }
    for (at, statement, end) in changed {
        let block = &mut function.blocks[at.block];
        if let Some(statement) = statement {
            block.statements[at.index] = statement;
        }
        if let Some(end) = end {
            block.end = end;
        }
    }
}

/// By progression: the expression that it becomes, if it grows.
fn values(types: &mut Types, foldable: &Foldable, index: LocalId) -> Vec<Option<Expression>> {
    let progressions = foldable.run.progressions.iter();
    progressions
        .map(|progression| (progression.stride != 0).then(|| foldable.counter.value(types, index, progression)))
        .collect()
}

fn rename_written(kind: &mut StatementKind, names: &BTreeMap<LocalId, LocalId>) {
    if let StatementKind::Set { local, .. }
    | StatementKind::LoadVolatile { local, .. }
    | StatementKind::Call { receiver: Some(Receiver::Register(local)), .. } = kind
    {
        *local = names.get(local).copied().unwrap_or(*local);
    }
}

/// What carried registers hold when the loop begins.
fn first_values(
    function: &Function,
    classes: &[Class],
    names: &BTreeMap<LocalId, LocalId>,
) -> Vec<(LocalId, Expression)> {
    let carried = classes.iter().filter(|class| class.carried.is_some());
    carried.map(|class| (names[&class.register], read(class.register, function.locals[class.register].ty))).collect()
}

/// What carried registers hold in the next iteration. All are read before one is set.
fn passed_on(
    function: &mut Function,
    classes: &[Class],
    names: &BTreeMap<LocalId, LocalId>,
) -> Vec<(LocalId, Expression)> {
    let name = |register: LocalId| names.get(&register).copied().unwrap_or(register);
    let moves: Vec<(LocalId, LocalId)> =
        classes.iter().filter_map(|class| Some((names[&class.register], name(class.carried?)))).collect();
    let mut steps = Vec::new();
    let mut last = Vec::new();
    for (at, (to, from)) in moves.iter().enumerate() {
        let ty = function.locals[*from].ty;
        if moves[..at].iter().any(|(set, _)| set == from) {
            let source = function.locals[*from].name.clone();
            let kept = register(function, &source, ty);
            steps.insert(0, (kept, read(*from, ty)));
            last.push((*to, read(kept, ty)));
        } else {
            last.push((*to, read(*from, ty)));
        }
    }
    steps.extend(last);
    steps
}

fn end_with(
    function: &mut Function,
    block: BlockId,
    sets: Vec<(LocalId, Expression)>,
    target: BlockId,
    span: Option<Span>,
) {
    let block = &mut function.blocks[block];
    let sets = sets.into_iter().map(|(local, value)| Statement { kind: StatementKind::Set { local, value }, span });
    block.statements.extend(sets);
    block.end = Terminator::Goto(target);
}

/// The block that starts at a position.
fn cut(function: &mut Function, at: Position) -> BlockId {
    if at.index == 0 { at.block } else { split(function, at) }
}

/// Cuts a block in two; gives the second part, the first keeps the block's name.
fn split(function: &mut Function, at: Position) -> BlockId {
    let block = &mut function.blocks[at.block];
    let statements = block.statements.split_off(at.index);
    let rest = Block { statements, end: Terminator::Unreachable, span: block.span };
    let end = std::mem::replace(&mut block.end, Terminator::Unreachable);
    let rest = function.blocks.alloc(Block { end, ..rest });
    function.blocks[at.block].end = Terminator::Goto(rest);
    rest
}

fn new_block(function: &mut Function, span: Option<Span>) -> BlockId {
    function.blocks.alloc(Block { statements: Vec::new(), end: Terminator::Unreachable, span })
}

fn first_span(function: &Function, block: BlockId) -> Option<Span> {
    let block = &function.blocks[block];
    block.statements.iter().find_map(|statement| statement.span).or(block.span)
}

fn register(function: &mut Function, name: &str, ty: core_c::TypeId) -> LocalId {
    function.locals.alloc(Local { name: name.to_owned(), ty, kind: LocalKind::Register, alignment: 0, span: None })
}

fn read(register: LocalId, ty: core_c::TypeId) -> Expression {
    Expression { kind: ExpressionKind::Local(register), ty, span: None }
}
