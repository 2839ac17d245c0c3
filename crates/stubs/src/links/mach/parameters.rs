//! The functions that programmers see: what each argument becomes, in MIG's order.

use cast::{Condition, Conditional, Declaration, Function, Parameter, Type, build};
use mig::{Argument, Direction, Routine, Shape, TypeName};

use super::side::{Side, var};

/// What a function returns.
pub(super) fn result() -> Type {
    Type::named("kern_return_t")
}

/// The function's parameters on this side.
pub(super) fn parameters(routine: &Routine, side: &Side<'_>) -> Vec<Parameter> {
    routine
        .arguments
        .iter()
        .filter(|argument| is_seen(argument, side))
        .flat_map(|argument| of(argument, side))
        .collect()
}

/// The function's head, with `extern` or what the program wants in its place.
pub(super) fn prototype(routine: &Routine, side: &Side<'_>) -> Declaration {
    Declaration::Prototype(head(routine, side))
}

pub(super) fn head(routine: &Routine, side: &Side<'_>) -> Function {
    Function {
        attributes: vec!["mig_external".to_owned()],
        name: side.function(&routine.name),
        result: result(),
        parameters: parameters(routine, side),
        ..Function::default()
    }
}

/// A server's function for programs that have none of their own, if they ask for it.
pub(super) fn fallback(routine: &Routine, side: &Side<'_>) -> Vec<Declaration> {
    let mut function = head(routine, side);
    function.attributes = vec!["__attribute__((weak))".to_owned()];
    function.body = vec![build::returns(var("MIG_EOPNOTSUPP"))];
    let then = vec![Declaration::Function(function)];
    let condition = Condition::defined("MIG_EOPNOTSUPP");
    vec![Declaration::Conditional(Conditional { condition, then, otherwise: Vec::new() }), Declaration::Blank]
}

/// Whether the function of this side has the argument.
pub(super) fn is_seen(argument: &Argument, side: &Side<'_>) -> bool {
    match argument.direction {
        Direction::ServerReplyPort | Direction::Sequence => side.is_server,
        Direction::UserReplyPort | Direction::WaitTime | Direction::MessageOption => !side.is_server,
        _ => true,
    }
}

/// What says at run time which kind of right a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The description does.
    Known,
    /// The function is given it, or gives it.
    In,
    Out,
}

/// Which kind of right an argument is, as the function of this side knows it.
pub(super) fn kind(argument: &Argument, side: &Side<'_>) -> Kind {
    let (with_request, with_reply) = match side.is_server {
        true => (argument.ty.received, side.leaves_as(&argument.ty)),
        false => (argument.ty.sent, argument.ty.received),
    };
    let is_out = argument.is_out();
    let is_in = argument.direction != Direction::Out;
    match (is_out && with_reply == TypeName::Polymorphic, is_in && with_request == TypeName::Polymorphic) {
        (true, _) => Kind::Out,
        (_, true) => Kind::In,
        _ => Kind::Known,
    }
}

/// Whether the function says, or is given, how many elements there are.
pub(super) fn has_count(argument: &Argument) -> bool {
    argument.ty.is_variable() && argument.ty.shape != Shape::Text && argument.same_count_as.is_none()
}

/// Whether the function of this side says whether the data leaves it with the message.
pub(super) fn says_deallocate(argument: &Argument, side: &Side<'_>) -> bool {
    argument.asks_deallocate() && if side.is_server { argument.is_out() } else { argument.is_in() }
}

fn of(argument: &Argument, side: &Side<'_>) -> Vec<Parameter> {
    let name = &argument.name;
    let by_address = |is_out: bool, ty: Type| if is_out { ty.pointer() } else { ty };
    let mut parameters = vec![build::parameter(name, value_type(argument, side))];
    match kind(argument, side) {
        Kind::Known => {}
        kind => {
            let ty = by_address(kind == Kind::Out, Type::named("mach_msg_type_name_t"));
            parameters.push(build::parameter(format!("{name}Poly"), ty));
        }
    }
    if has_count(argument) {
        let ty = by_address(argument.is_out(), Type::named("mach_msg_type_number_t"));
        parameters.push(build::parameter(format!("{name}Cnt"), ty));
    }
    if says_deallocate(argument, side) {
        let ty = by_address(side.is_server, Type::named("boolean_t"));
        parameters.push(build::parameter(format!("{name}Dealloc"), ty));
    }
    if argument.is_server_copy && side.is_server {
        parameters.push(build::parameter(format!("{name}SCopy"), Type::named("boolean_t")));
    }
    parameters
}

fn value_type(argument: &Argument, side: &Side<'_>) -> Type {
    let ty = &argument.ty;
    let named = side.function_type(ty);
    if argument.is_out() {
        return if ty.is_passed_by_address() { named } else { named.pointer() };
    }
    if !argument.is_in() || !ty.is_inline {
        return named;
    }
    match ty.shape {
        // Types whose constant form has a name of its own, since `const` before them would be about the pointer.
        Shape::Text => Type::named(format!("const_{}", side.function_type_name(ty))),
        _ if ty.is_any() => Type::named(format!("const_{}", side.function_type_name(ty))),
        Shape::Array => named.constant(),
        Shape::Value => named,
    }
}
