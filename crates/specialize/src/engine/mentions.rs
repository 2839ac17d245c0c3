//! Which locals a statement reads, mentions or sets.

use std::collections::BTreeSet;

use core_c::{
    Argument, Callee, Expression, ExpressionKind, LocalId, Place, PlaceBase, Receiver, Statement, StatementKind,
    StepKind, Terminator,
};

/// Liveness before a statement, from liveness after it. A memory local is live while it may still be mentioned.
pub(crate) fn step_back(statement: &Statement, live: &mut BTreeSet<LocalId>) {
    match &statement.kind {
        StatementKind::Set { local, value } => {
            live.remove(local);
            expression(value, live);
        }
        StatementKind::Store { place: to, value } => {
            place(to, live);
            expression(value, live);
        }
        StatementKind::LoadVolatile { local, place: from } => {
            live.remove(local);
            place(from, live);
        }
        StatementKind::Copy { to, from } => {
            place(to, live);
            place(from, live);
        }
        StatementKind::Zero { place: to } => place(to, live),
        StatementKind::Call { receiver, callee, arguments } => {
            match receiver {
                Some(Receiver::Register(local)) => drop(live.remove(local)),
                Some(Receiver::Object(to)) => place(to, live),
                None => {}
            }
            if let Callee::Pointer(function) = callee {
                expression(function, live);
            }
            arguments.iter().for_each(|value| argument(value, live));
        }
        StatementKind::Begin { local, size } => {
            live.remove(local);
            size.iter().for_each(|size| expression(size, live));
        }
        StatementKind::Assembly { outputs, inputs, .. } => {
            outputs.iter().for_each(|output| place(output, live));
            inputs.iter().for_each(|input| expression(input, live));
        }
    }
}

pub(crate) fn end(end: &Terminator, live: &mut BTreeSet<LocalId>) {
    match end {
        Terminator::Branch { condition: value, .. }
        | Terminator::Switch { value, .. }
        | Terminator::GotoAddress { address: value, .. } => expression(value, live),
        Terminator::Return(Some(value)) => argument(value, live),
        Terminator::Goto(_) | Terminator::Return(None) | Terminator::Unreachable => {}
    }
}

fn argument(value: &Argument, live: &mut BTreeSet<LocalId>) {
    match value {
        Argument::Value(value) => expression(value, live),
        Argument::Object(from) => place(from, live),
    }
}

pub(crate) fn expression(value: &Expression, live: &mut BTreeSet<LocalId>) {
    match &value.kind {
        ExpressionKind::Local(local) => drop(live.insert(*local)),
        ExpressionKind::Load(from) | ExpressionKind::Address(from) => place(from, live),
        ExpressionKind::Unary(_, inner) | ExpressionKind::Convert(inner) => expression(inner, live),
        ExpressionKind::Binary(_, left, right) | ExpressionKind::Distance(left, right) => {
            expression(left, live);
            expression(right, live);
        }
        ExpressionKind::Offset { pointer, count, .. } => {
            expression(pointer, live);
            expression(count, live);
        }
        ExpressionKind::Opaque { operands, .. } => operands.iter().for_each(|operand| expression(operand, live)),
        ExpressionKind::Integer(_)
        | ExpressionKind::Float(_)
        | ExpressionKind::Function(_)
        | ExpressionKind::Label(_) => {}
    }
}

pub(crate) fn place(place: &Place, live: &mut BTreeSet<LocalId>) {
    match &place.base {
        PlaceBase::Local(local) => drop(live.insert(*local)),
        PlaceBase::Pointee(pointer) => expression(pointer, live),
        PlaceBase::Global(_) => {}
    }
    for step in &place.steps {
        if let StepKind::Index(index) = &step.kind {
            expression(index, live);
        }
    }
}
