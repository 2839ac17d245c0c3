//! Renames registers in Core C.

use core_c::{
    Argument, Callee, Expression, ExpressionKind, LocalId, Place, PlaceBase, Receiver, Statement, StatementKind,
    StepKind,
};

/// Every register that a statement reads is renamed; what it sets keeps its name.
pub(crate) fn statement(statement: &mut Statement, rename: &dyn Fn(LocalId) -> LocalId) {
    match &mut statement.kind {
        StatementKind::Set { value, .. } => expression(value, rename),
        StatementKind::Store { place: to, value } => {
            place(to, rename);
            expression(value, rename);
        }
        StatementKind::LoadVolatile { place: from, .. } => place(from, rename),
        StatementKind::Copy { to, from } => {
            place(to, rename);
            place(from, rename);
        }
        StatementKind::Zero { place: to } => place(to, rename),
        StatementKind::Call { receiver, callee, arguments } => {
            if let Some(Receiver::Object(to)) = receiver {
                place(to, rename);
            }
            if let Callee::Pointer(function) = callee {
                expression(function, rename);
            }
            arguments.iter_mut().for_each(|value| argument(value, rename));
        }
        StatementKind::Begin { size, .. } => size.iter_mut().for_each(|size| expression(size, rename)),
        StatementKind::Assembly { outputs, inputs, .. } => {
            outputs.iter_mut().for_each(|output| place(output, rename));
            inputs.iter_mut().for_each(|input| expression(input, rename));
        }
    }
}

pub(crate) fn argument(value: &mut Argument, rename: &dyn Fn(LocalId) -> LocalId) {
    match value {
        Argument::Value(value) => expression(value, rename),
        Argument::Object(from) => place(from, rename),
    }
}

pub(crate) fn expression(value: &mut Expression, rename: &dyn Fn(LocalId) -> LocalId) {
    match &mut value.kind {
        ExpressionKind::Local(local) => *local = rename(*local),
        ExpressionKind::Load(from) | ExpressionKind::Address(from) => place(from, rename),
        ExpressionKind::Unary(_, inner) | ExpressionKind::Convert(inner) => expression(inner, rename),
        ExpressionKind::Binary(_, left, right) | ExpressionKind::Distance(left, right) => {
            expression(left, rename);
            expression(right, rename);
        }
        ExpressionKind::Offset { pointer, count, .. } => {
            expression(pointer, rename);
            expression(count, rename);
        }
        ExpressionKind::Opaque { operands, .. } => operands.iter_mut().for_each(|operand| expression(operand, rename)),
        ExpressionKind::Integer(_)
        | ExpressionKind::Float(_)
        | ExpressionKind::Function(_)
        | ExpressionKind::Label(_) => {}
    }
}

pub(crate) fn place(place: &mut Place, rename: &dyn Fn(LocalId) -> LocalId) {
    if let PlaceBase::Pointee(pointer) = &mut place.base {
        expression(pointer, rename);
    }
    for step in &mut place.steps {
        if let StepKind::Index(index) = &mut step.kind {
            expression(index, rename);
        }
    }
}
