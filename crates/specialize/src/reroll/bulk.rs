//! Runs that copy memory, as it stands or with the bytes of each word reversed, between objects that do not overlap.
//!
//! In: a run. Out: what is copied where, if that is all it does. A routine that knows it is a copy does it with the
//! machine's widest words, whatever the compiler makes of the loop.

use core_c::{
    Callee, ExpressionKind, Function, FunctionId, LocalId, Place, PlaceBase, Program, StatementKind, StepKind,
};

use super::bytes::{Order, Tracer};
use super::run::Run;
use super::tree::Position;

/// Functions that do such work. Each takes where to, where from, and how much.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bulk {
    /// `void *memcpy(void *, const void *, size_t)`: bytes.
    pub copy: Option<FunctionId>,
    /// As `whittle_swap32` on a little-endian machine: words of 4 bytes, one after the other where they overlap.
    pub swap32: Option<FunctionId>,
    /// The same with words of 8 bytes.
    pub swap64: Option<FunctionId>,
    /// Pointers in registers that lead into different objects, either way round.
    pub apart: Vec<(LocalId, LocalId)>,
}

/// What a run does besides running.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoldedKind {
    /// A loop.
    Loop,
    /// A call that copies.
    Copy,
    /// A call that copies words of 4 bytes, reversing each.
    Swap32,
    /// A call that copies words of 8 bytes, reversing each.
    Swap64,
}

/// A run that is one call.
#[derive(Clone, Debug)]
pub(super) struct BulkRun {
    pub(super) kind: FoldedKind,
    pub(super) function: FunctionId,
    /// The first iteration's.
    pub(super) to: Place,
    pub(super) from: Place,
    /// Bytes or words.
    pub(super) amount: u64,
}

/// Where an object or a pointer's target begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Root {
    Object(PlaceRoot),
    Pointee(LocalId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PlaceRoot {
    Local(LocalId),
    Global(core_c::GlobalId),
}

/// An address: so many bytes from a root.
type Address = (Root, i128);

pub(super) fn bulk(program: &Program, function: &Function, run: &Run, bulk: &Bulk) -> Option<BulkRun> {
    let period = run.starts[1].index.checked_sub(run.starts[0].index)?;
    if run.starts[0].block != run.starts[1].block || run.items.len() != period || run.starts.len() < 3 {
        return None;
    }
    let moves = |at: usize| one_move(program, function, run.starts[at], period);
    let (first, second) = (moves(0)?, moves(1)?);
    let width = i128::from(program.types.size_of(first.to.ty)?);
    let addresses = |one: &Move<'_>| Some((address(program, one.to)?, address(program, one.from)?));
    let ((to, from), (next_to, next_from)) = (addresses(&first)?, addresses(&second)?);
    let is_constant = |root: Root| !matches!(root, Root::Pointee(pointer) if run.sets_or_varies(function, pointer));
    let goes_on = next_to == (to.0, to.1 + width) && next_from == (from.0, from.1 + width);
    if !goes_on || !is_constant(to.0) || !is_constant(from.0) {
        return None;
    }
    let count = u64::try_from(run.count()).ok()?;
    let (kind, callee, amount) = match (first.order, width) {
        (Order::Same, _) => (FoldedKind::Copy, bulk.copy, count * u64::try_from(width).ok()?),
        (Order::Reversed, 4) => (FoldedKind::Swap32, bulk.swap32, count),
        (Order::Reversed, 8) => (FoldedKind::Swap64, bulk.swap64, count),
        _ => return None,
    };
    let length = i128::from(count) * width;
    if first.order == Order::Same && !are_apart(program, bulk, to, from, length) {
        return None;
    }
    Some(BulkRun { kind, function: callee?, to: first.to.clone(), from: first.from.clone(), amount })
}

/// What one iteration moves.
pub(super) struct Move<'a> {
    pub(super) to: &'a Place,
    pub(super) from: &'a Place,
    pub(super) order: Order,
}

/// What so many statements from a place on move, if that is all they do.
pub(super) fn one_move<'a>(
    program: &Program,
    function: &'a Function,
    start: Position,
    period: usize,
) -> Option<Move<'a>> {
    let types = &program.types;
    let statements = &function.blocks[start.block].statements[start.index..start.index + period];
    let (last, before) = statements.split_last()?;
    let mut tracer = Tracer::default();
    for statement in before {
        match &statement.kind {
            StatementKind::Set { local, value } => tracer.set(types, *local, value)?,
            StatementKind::Call { receiver: Some(core_c::Receiver::Register(local)), callee, arguments } => {
                let (Callee::Function(callee), [core_c::Argument::Value(value)]) = (callee, &arguments[..]) else {
                    return None;
                };
                if !reverses(program, &program.functions[*callee].name) {
                    return None;
                }
                tracer.set_reversed(types, *local, function.locals[*local].ty, value)?;
            }
            _ => return None,
        }
    }
    let (to, from, order) = match &last.kind {
        StatementKind::Copy { to, from } if before.is_empty() => (to, from, Order::Same),
        StatementKind::Store { place, value } => {
            let order = tracer.order(types, value)?;
            (place, tracer.from?, order)
        }
        _ => return None,
    };
    (!to.volatile && !from.volatile && to.bits().is_none()).then_some(Move { to, from, order })
}

/// True for functions that give their argument with its bytes reversed.
fn reverses(program: &Program, name: &str) -> bool {
    matches!(name, "__builtin_bswap32" | "__builtin_bswap64")
        || (program.types.table.target.little_endian && matches!(name, "htonl" | "ntohl"))
}

/// A place whose distance from its root is known.
fn address(program: &Program, place: &Place) -> Option<Address> {
    let (root, mut offset) = match &place.base {
        PlaceBase::Local(local) => (Root::Object(PlaceRoot::Local(*local)), 0),
        PlaceBase::Global(global) => (Root::Object(PlaceRoot::Global(*global)), 0),
        PlaceBase::Pointee(pointer) => pointed_to(program, pointer)?,
    };
    for step in &place.steps {
        offset += match &step.kind {
            StepKind::Field { offset, bits: None, .. } => i128::from(*offset),
            StepKind::Field { .. } => return None,
            StepKind::Index(index) => match index.kind {
                ExpressionKind::Integer(index) => index * i128::from(program.types.size_of(step.ty)?),
                _ => return None,
            },
        };
    }
    Some((root, offset))
}

fn pointed_to(program: &Program, pointer: &core_c::Expression) -> Option<Address> {
    match &pointer.kind {
        ExpressionKind::Local(register) => Some((Root::Pointee(*register), 0)),
        ExpressionKind::Address(place) => address(program, place),
        ExpressionKind::Convert(inner) if program.types.element(inner.ty).is_some() => pointed_to(program, inner),
        ExpressionKind::Offset { pointer, count, negative } => {
            let (root, offset) = pointed_to(program, pointer)?;
            let ExpressionKind::Integer(count) = count.kind else { return None };
            let size = program.types.element(pointer.ty).and_then(|element| program.types.size_of(element))?;
            let by = count * i128::from(size);
            Some((root, if *negative { offset - by } else { offset + by }))
        }
        _ => None,
    }
}

/// True where two stretches of memory of one length are known to share no byte.
fn are_apart(program: &Program, bulk: &Bulk, to: Address, from: Address, length: i128) -> bool {
    if to.0 == from.0 {
        return (to.1 - from.1).abs() >= length;
    }
    match (to.0, from.0) {
        (Root::Object(_), Root::Object(_)) => true,
        // Nobody may write to a constant.
        (_, Root::Object(PlaceRoot::Global(global))) => program.globals[global].constant,
        (Root::Pointee(to), Root::Pointee(from)) => {
            bulk.apart.iter().any(|pair| *pair == (to, from) || *pair == (from, to))
        }
        _ => false,
    }
}
