//! Loops that nobody unrolled, and that do nothing but copy words with their bytes reversed from one pointer to another:
//! each becomes one call, for as many rounds as are left.
//!
//! In: a residual function. Out: the same, with calls of [`super::Bulk::swap32`] for such loops. Where the memory overlaps,
//! the routine goes word by word as the loop does.

use core_c::{
    Argument, BinaryOperator, BlockId, Callee, Expression, ExpressionKind, Function, FunctionId, LocalId, Place,
    PlaceBase, Program, Statement, StatementKind, Terminator,
};

use super::bulk::one_move;
use super::bytes::Order;
use super::tree::Position;

/// Bytes of a word.
const WORD: u64 = 4;

/// `while (counter < end) { *to++ = swapped(*from++); counter++; }`
struct Kept {
    body: BlockId,
    exit: BlockId,
    counter: LocalId,
    end: Expression,
    to: LocalId,
    from: LocalId,
}

/// Replaces such loops; true where there was one.
pub(super) fn replace(program: &mut Program, function: &mut Function, swap: FunctionId) -> bool {
    let heads: Vec<BlockId> = function.blocks.iter().map(|(block, _)| block).collect();
    let mut found = false;
    for head in heads {
        if let Some(kept) = recognize(program, function, head) {
            rewrite(program, function, &kept, swap);
            found = true;
        }
    }
    found
}

fn recognize(program: &Program, function: &Function, head: BlockId) -> Option<Kept> {
    let block = &function.blocks[head];
    let Terminator::Branch { condition, then, otherwise } = &block.end else { return None };
    let ExpressionKind::Binary(operator, counter, end) = &condition.kind else { return None };
    let (body, exit) = match operator {
        BinaryOperator::Less => (then, otherwise),
        BinaryOperator::GreaterEqual => (otherwise, then),
        _ => return None,
    };
    let (ExpressionKind::Local(counter), true) = (&counter.kind, block.statements.is_empty()) else { return None };
    let statements = &function.blocks[*body].statements;
    if !matches!(function.blocks[*body].end, Terminator::Goto(back) if back == head) || *body == head {
        return None;
    }
    let store = statements.iter().position(|statement| matches!(statement.kind, StatementKind::Store { .. }))?;
    let stepped = steps(program, &statements[store + 1..])?;
    let start = Position { block: *body, index: 0 };
    let one = one_move(program, function, start, store + 1).filter(|one| one.order == Order::Reversed)?;
    let (to, from) = (walked(program, one.to)?, walked(program, one.from)?);
    let mut expected = [*counter, to, from];
    let mut given = stepped;
    expected.sort_unstable();
    given.sort_unstable();
    let is_bound = match &end.kind {
        ExpressionKind::Integer(_) => true,
        ExpressionKind::Local(bound) => !expected.contains(bound),
        _ => false,
    };
    let temporaries = statements[..store].iter().filter_map(|statement| set_by(&statement.kind));
    let stays_inside = |local: LocalId| !expected.contains(&local) && !is_read_elsewhere(function, *body, local);
    let is_it = given == expected && to != from && is_bound && temporaries.clone().all(stays_inside);
    is_it.then(|| Kept { body: *body, exit: *exit, counter: *counter, end: (**end).clone(), to, from })
}

/// What goes one on in each of the statements; none where they do anything else.
fn steps(program: &Program, statements: &[Statement]) -> Option<Vec<LocalId>> {
    let one = |statement: &Statement| {
        let StatementKind::Set { local, value } = &statement.kind else { return None };
        let value = pointer(program, value);
        let (from, by, wanted) = match &value.kind {
            ExpressionKind::Binary(BinaryOperator::Add, from, by) => (&**from, by, 1),
            ExpressionKind::Offset { pointer: from, count, negative: false } => {
                let size = program.types.element(from.ty).and_then(|element| program.types.size_of(element));
                let elements = size.filter(|size| *size > 0 && WORD.is_multiple_of(*size)).map(|size| WORD / size)?;
                (pointer(program, from), count, i128::from(elements))
            }
            _ => return None,
        };
        let is_one = by.kind == ExpressionKind::Integer(wanted) && from.kind == ExpressionKind::Local(*local);
        is_one.then_some(*local)
    };
    statements.iter().map(one).collect()
}

/// A pointer without conversions to other types of pointers.
fn pointer<'e>(program: &Program, value: &'e Expression) -> &'e Expression {
    match &value.kind {
        ExpressionKind::Convert(inner)
            if program.types.element(value.ty).is_some() && program.types.element(inner.ty).is_some() =>
        {
            pointer(program, inner)
        }
        _ => value,
    }
}

/// The register that points to a place, of a word.
fn walked(program: &Program, place: &Place) -> Option<LocalId> {
    let PlaceBase::Pointee(address) = &place.base else { return None };
    let is_word = place.steps.is_empty() && program.types.size_of(place.ty) == Some(WORD);
    let ExpressionKind::Local(register) = pointer(program, address).kind else { return None };
    is_word.then_some(register)
}

fn set_by(kind: &StatementKind) -> Option<LocalId> {
    match kind {
        StatementKind::Set { local, .. } | StatementKind::LoadVolatile { local, .. } => Some(*local),
        StatementKind::Call { receiver: Some(core_c::Receiver::Register(local)), .. } => Some(*local),
        _ => None,
    }
}

fn is_read_elsewhere(function: &Function, body: BlockId, local: LocalId) -> bool {
    let reads = &mut |part: &Expression| part.kind == ExpressionKind::Local(local);
    function.blocks.iter().filter(|(id, _)| *id != body).any(|(_, block)| {
        let statements = block.statements.iter().flat_map(|statement| statement.kind.expressions());
        statements.chain(block.end.expressions()).any(|value| value.any(reads))
    })
}

fn rewrite(program: &mut Program, function: &mut Function, kept: &Kept, swap: FunctionId) {
    let span = function.blocks[kept.body].span;
    let expression = |kind, ty| Expression { kind, ty, span: None };
    let (long, size) = (cast::Scalar::Long, cast::Scalar::UnsignedLong);
    let (long, size) = (program.types.scalar(long), program.types.scalar(size));
    let wide = |value: Expression| expression(ExpressionKind::Convert(Box::new(value)), long);
    let counter = expression(ExpressionKind::Local(kept.counter), function.locals[kept.counter].ty);
    let (end, counter) = (Box::new(wide(kept.end.clone())), Box::new(wide(counter)));
    let left = expression(ExpressionKind::Binary(BinaryOperator::Subtract, end, counter), long);
    let left = expression(ExpressionKind::Convert(Box::new(left)), size);
    let count = function.locals.alloc(core_c::Local {
        name: "words".to_string(),
        ty: size,
        kind: core_c::LocalKind::Register,
        alignment: 0,
        span: None,
    });
    let words = expression(ExpressionKind::Local(count), size);
    let core_c::Shape::Function(signature) = program.types.shape_of(program.functions[swap].ty).clone() else { return };
    let mut statements = vec![StatementKind::Set { local: count, value: left }];
    let pointers =
        [kept.to, kept.from].map(|local| expression(ExpressionKind::Local(local), function.locals[local].ty));
    let converted = |(value, ty): (&Expression, &core_c::TypeId)| {
        Argument::Value(expression(ExpressionKind::Convert(Box::new(value.clone())), *ty))
    };
    let mut arguments: Vec<Argument> = pointers.iter().zip(&signature.parameters).map(converted).collect();
    arguments.push(Argument::Value(words.clone()));
    statements.push(StatementKind::Call { receiver: None, callee: Callee::Function(swap), arguments });
    for (local, pointer) in [kept.to, kept.from].into_iter().zip(pointers) {
        let value = moved(program, pointer, words.clone());
        statements.push(StatementKind::Set { local, value });
    }
    statements.push(StatementKind::Set { local: kept.counter, value: kept.end.clone() });
    let body = &mut function.blocks[kept.body];
    body.statements = statements.into_iter().map(|kind| Statement { kind, span }).collect();
    body.end = Terminator::Goto(kept.exit);
}

/// A pointer so many words on.
fn moved(program: &mut Program, pointer: Expression, words: Expression) -> Expression {
    let expression = |kind, ty| Expression { kind, ty, span: None };
    let ty = pointer.ty;
    let element = program.types.element(ty);
    let is_word = element.and_then(|element| program.types.size_of(element)) == Some(WORD);
    if is_word {
        return expression(
            ExpressionKind::Offset { pointer: Box::new(pointer), count: Box::new(words), negative: false },
            ty,
        );
    }
    let byte = program.types.scalar(cast::Scalar::Char);
    let bytes = program.types.pointer_to(byte);
    let size = expression(ExpressionKind::Integer(i128::from(WORD)), words.ty);
    let count_type = words.ty;
    let count = expression(ExpressionKind::Binary(BinaryOperator::Multiply, words.into(), size.into()), count_type);
    let pointer = if ty == bytes { pointer } else { expression(ExpressionKind::Convert(pointer.into()), bytes) };
    let to = ExpressionKind::Offset { pointer: pointer.into(), count: count.into(), negative: false };
    let moved = expression(to, bytes);
    if ty == bytes { moved } else { expression(ExpressionKind::Convert(moved.into()), ty) }
}
