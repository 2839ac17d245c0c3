//! What is to be done with statements and expressions, by their binding times (Consel and Danvy's actions).

use core_c::{Expression, ExpressionKind, Place, PlaceBase, Program, StatementKind, StepKind, Terminator};

use crate::engine::Record;
use crate::lattice::BindingTime;
use crate::object::StatementId;
use crate::scan::is_outside;

/// What the specializer may do. It may always do less: what it rebuilds is never wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    /// Computed now, and gone.
    Evaluate,
    /// The construct is decided now, and what remains of it is simpler: a test dissolves into one of its arms, a place
    /// behind a pointer becomes an object by name, a call through a pointer becomes one by name.
    Reduce,
    /// It stays, with parts that are computed now.
    Rebuild,
    /// It stays as it is.
    Identity,
}

/// The action for a statement, or for the end of a block.
pub(crate) fn of_statement(program: &Program, at: StatementId, record: &Record) -> Action {
    let block = &program.functions[at.function].blocks[at.block];
    match block.statements.get(at.index) {
        Some(statement) => of_kind(program, &statement.kind, record),
        None => of_end(&block.end, record),
    }
}

fn of_kind(program: &Program, kind: &StatementKind, record: &Record) -> Action {
    let done = !record.effect.is_dynamic() && !record.remains;
    match kind {
        _ if done => Action::Evaluate,
        StatementKind::Call { callee, .. } => {
            let known = !record.calls_others && !record.callees.is_empty();
            let inside = record.callees.iter().all(|callee| !is_outside(&program.functions[*callee]));
            let pointer = matches!(callee, core_c::Callee::Pointer(_));
            if known && (inside || pointer) { Action::Reduce } else { rest(kind.expressions(), record) }
        }
        StatementKind::Store { place, .. } | StatementKind::Zero { place } if is_decided(place, record, 0) => {
            Action::Reduce
        }
        StatementKind::Set { value, .. } => of_expression(value, record, 0),
        _ => rest(kind.expressions(), record),
    }
}

fn of_end(end: &Terminator, record: &Record) -> Action {
    match end {
        Terminator::Goto(_) | Terminator::Unreachable => Action::Evaluate,
        Terminator::Branch { .. } | Terminator::Switch { .. } | Terminator::GotoAddress { .. } => {
            if record.effect.is_dynamic() { rest(end.expressions(), record) } else { Action::Reduce }
        }
        Terminator::Return(_) => {
            if record.effect.is_dynamic() {
                rest(end.expressions(), record)
            } else {
                Action::Evaluate
            }
        }
    }
}

/// The action for an expression, by the number of its first occurrence in the record.
pub(crate) fn of_expression(expression: &Expression, record: &Record, at: usize) -> Action {
    match record.values.get(at).map_or(BindingTime::Dynamic, |value| value.time) {
        BindingTime::Static | BindingTime::Based => return Action::Evaluate,
        BindingTime::Dynamic => {}
    }
    if let ExpressionKind::Load(place) = &expression.kind
        && is_decided(place, record, at + 1)
    {
        return Action::Reduce;
    }
    let mut number = at;
    let mut worth = false;
    expression.walk(&mut |part| {
        worth |= is_worth(part, record, number);
        number += 1;
    });
    if worth { Action::Rebuild } else { Action::Identity }
}

/// True where the place is reached through a pointer or an index, and all of them are known. `at` is the number of
/// the first of its expressions.
fn is_decided(place: &Place, record: &Record, at: usize) -> bool {
    let indexed = place.steps.iter().any(|step| matches!(&step.kind, StepKind::Index(index) if !is_plain(index)));
    let through = matches!(place.base, PlaceBase::Pointee(_));
    let mut number = at;
    let mut known = true;
    for expression in place.expressions() {
        known &= record.values.get(number).is_some_and(|value| !value.is_dynamic());
        expression.walk(&mut |_| number += 1);
    }
    known && (indexed || through)
}

/// A construct that stays: some of its expressions may be computed, or none.
fn rest(expressions: Vec<&Expression>, record: &Record) -> Action {
    let mut number = 0;
    let mut worth = false;
    for expression in expressions {
        expression.walk(&mut |part| {
            worth |= is_worth(part, record, number);
            number += 1;
        });
    }
    if worth { Action::Rebuild } else { Action::Identity }
}

fn is_worth(part: &Expression, record: &Record, at: usize) -> bool {
    let time = record.values.get(at).map_or(BindingTime::Dynamic, |value| value.time);
    // A run-time address stays where it stands, however well its object is known.
    let stands =
        time == BindingTime::Based && matches!(part.kind, ExpressionKind::Local(_) | ExpressionKind::Convert(_));
    !is_plain(part) && !time.is_dynamic() && !stands
}

/// An expression that is the same before and after.
pub(crate) fn is_plain(expression: &Expression) -> bool {
    match &expression.kind {
        ExpressionKind::Integer(_)
        | ExpressionKind::Float(_)
        | ExpressionKind::Function(_)
        | ExpressionKind::Label(_) => true,
        ExpressionKind::Address(place) => {
            !matches!(place.base, PlaceBase::Pointee(_)) && place.expressions().is_empty()
        }
        ExpressionKind::Convert(inner) => is_plain(inner),
        _ => false,
    }
}
