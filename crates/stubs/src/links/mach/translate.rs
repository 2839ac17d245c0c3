//! What stands between the message and the server's function: translations of values, and the variables that hold them.

use cast::{Expression, Statement, build};
use mig::{Argument, Direction};

use super::side::{Side, call, head, untyped, var};

/// The variable of an argument's value.
pub(super) fn local(argument: &Argument) -> String {
    format!("mig_value_{}", argument.name)
}

/// The variable of its number of elements.
pub(super) fn count_local(argument: &Argument) -> String {
    format!("mig_count_{}", argument.name)
}

/// The variable of its kind of right.
pub(super) fn kind_local(argument: &Argument) -> String {
    format!("mig_kind_{}", argument.name)
}

/// The variable that says whether its memory leaves.
pub(super) fn moves_local(argument: &Argument) -> String {
    format!("mig_moves_{}", argument.name)
}

/// Room for its elements, where the answer has none as yet.
pub(super) fn room_local(argument: &Argument) -> String {
    format!("mig_room_{}", argument.name)
}

/// Whether an argument that came is kept in a variable: it is translated and goes back, or is released after the call.
pub(super) fn needs_local(argument: &Argument) -> bool {
    let ty = &argument.ty;
    let is_translated = ty.intran.is_some() || ty.outtran.is_some();
    match argument.direction {
        Direction::InOut => is_translated,
        Direction::Out => false,
        _ => ty.destructor.is_some(),
    }
}

/// What the server's function gets for what came.
pub(super) fn translated_in(argument: &Argument, given: Expression, side: &Side<'_>) -> Expression {
    let ty = &argument.ty;
    let Some(intran) = &ty.intran else { return given };
    let result = side.function_type(ty);
    let plain = build::call(&intran.function, vec![given], result.clone());
    let Some(payload) =
        ty.payload.as_ref().filter(|_| argument.direction == Direction::RequestPort && !side.is_kernel())
    else {
        return plain;
    };
    // The port may have been set to deliver a number in place of its name.
    let kind = call("MACH_MSGH_BITS_LOCAL", vec![head("mig_in", "msgh_bits")]);
    let is_payload = build::equal(kind, var("MACH_MSG_TYPE_PROTECTED_PAYLOAD"));
    let number = head("mig_in", "msgh_protected_payload");
    build::conditional(is_payload, build::call(&payload.function, vec![number], result), plain)
}

/// What the message holds for what the server's function gave.
pub(super) fn translated_out(argument: &Argument, value: Expression) -> Expression {
    match &argument.ty.outtran {
        Some(outtran) => build::call(&outtran.function, vec![value], untyped()),
        None => value,
    }
}

/// What was translated is released after the call.
pub(super) fn destroyed(argument: &Argument, side: &Side<'_>) -> Option<Statement> {
    let destructor = argument.ty.destructor.as_ref()?;
    if !needs_local(argument) || argument.is_out() || !super::parameters::is_seen(argument, side) {
        return None;
    }
    Some(Statement::Expression(call(&destructor.function, vec![var(local(argument))])))
}
