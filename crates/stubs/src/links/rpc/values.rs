//! How parameters become members of the structures that messages are marshalled from and into, and how what comes back reaches
//! the caller. In: operations of PRES_C. Out: statements.

use cast::build::{
    address, assign, cast as cast_to, dereference, integer, local, member, name, sizeof_type, sizeof_value,
};
use cast::{Expression, Statement, Type};
use pres::{Argument, Interface, Operation, Passing, PresC, TypeStubId, Way};

use crate::links::statements::{call_statement, clear_at};

/// The client's request is marshalled from it.
pub(in crate::links) fn request() -> Expression {
    name("_request", Type::Void)
}

/// The client's reply is unmarshalled into it.
pub(in crate::links) fn reply() -> Expression {
    name("_reply", Type::Void)
}

/// The server's request is unmarshalled into it.
pub(in crate::links) fn received() -> Expression {
    name("_in", Type::Void)
}

/// The server's reply is marshalled from it.
pub(in crate::links) fn answer() -> Expression {
    name("_out", Type::Void)
}

/// The parameters that a reply has.
pub(super) fn results(operation: &Operation) -> impl Iterator<Item = &Argument> {
    operation.parameters.iter().filter(|argument| argument.way != Way::In)
}

/// Those of them that a request has not.
pub(super) fn outputs(operation: &Operation) -> impl Iterator<Item = &Argument> {
    results(operation).filter(|argument| argument.way != Way::InOut)
}

/// Those that a reply replaces.
pub(super) fn replaced(operation: &Operation) -> impl Iterator<Item = &Argument> {
    operation.parameters.iter().filter(|argument| argument.way == Way::InOut)
}

/// A parameter of the client's function.
pub(in crate::links) fn given(argument: &Argument) -> Expression {
    name(&argument.name, argument.passed.clone())
}

/// The members of the request that a parameter gives.
pub(in crate::links) fn requested(argument: &Argument) -> Vec<Statement> {
    let to = member(request(), &argument.name, argument.ty.clone());
    let given = given(argument);
    if let Some(count) = &argument.count {
        let [length, items] = pres::COUNTED;
        // C++ converts no `void *` by itself.
        let items_type = argument.passed.element().map_or(Type::Void, |of| of.unqualified().clone()).pointer();
        let variable = cast_to(items_type.clone(), given);
        let count = name(count, Type::named("uint32_t"));
        return vec![
            assign(member(to.clone(), length, count.ty.clone()), count),
            assign(member(to, items, items_type), variable),
        ];
    }
    vec![match (argument.way, argument.passing) {
        (Way::Out | Way::Result, _) => return Vec::new(),
        (Way::In, Passing::Text | Passing::Value) if argument.passed == argument.ty => assign(to, given),
        (Way::In, Passing::Text | Passing::Value) => assign(to, cast_to(argument.ty.clone(), given)),
        (Way::InOut, Passing::Value | Passing::Text) => assign(to, dereference(given)),
        (_, Passing::FixedArray | Passing::VariableArray) => {
            assign(to, cast_to(argument.ty.clone().constant().pointer(), given))
        }
        _ => assign(to, given),
    }]
}

/// Results are empty until they are there.
pub(super) fn emptied(argument: &Argument) -> Statement {
    let target = given(argument);
    match argument.passing {
        Passing::FixedArray => call_statement("memset", vec![target, integer(0), sizeof_type(argument.ty.clone())]),
        _ => clear_at(target),
    }
}

/// The reply is read to where the caller wants it.
pub(in crate::links) fn read_into(argument: &Argument) -> Statement {
    let to = member(reply(), &argument.name, argument.ty.clone().pointer());
    match argument.passing {
        Passing::FixedArray => assign(to, cast_to(argument.ty.clone().pointer(), given(argument))),
        _ => assign(to, given(argument)),
    }
}

/// The caller's values and those of the reply, which are at `from`, change places.
pub(super) fn exchanged(operation: &Operation, from: &Expression) -> Vec<Statement> {
    let part = |of: &Argument| member(from.clone(), &of.name, of.ty.clone());
    results(operation).flat_map(|argument| exchange(argument, part(argument))).collect()
}

fn exchange(argument: &Argument, from: Expression) -> Vec<Statement> {
    let variable = format!("_old_{}", argument.name);
    let old = name(&variable, argument.ty.clone());
    let copy = |to: Expression, from: Expression| call_statement("memcpy", vec![to, from, sizeof_value(old.clone())]);
    vec![
        local(variable, argument.ty.clone(), None),
        copy(address(old.clone()), given(argument)),
        copy(given(argument), address(from.clone())),
        copy(address(from), address(old.clone())),
    ]
}

/// The variables of messages.
pub(in crate::links) fn variables(pres: &PresC, packs: [(Expression, Option<TypeStubId>); 2]) -> Vec<Statement> {
    let declare = |(variable, pack): (Expression, Option<TypeStubId>)| {
        Some(local(cast::print_expression(&variable), pres.types[pack?].ty.clone(), None))
    };
    packs.into_iter().filter_map(declare).collect()
}

/// The type of what a server's user gives for an interface: a structure of functions.
pub(in crate::links) fn functions_type(object: &Interface) -> Type {
    Type::structure(object.operations_tag()).constant().pointer()
}

/// Those of the interface that is served.
pub(in crate::links) fn functions(object: &Interface) -> Expression {
    name("_operations", functions_type(object))
}

/// What goes to each of them.
pub(in crate::links) fn context() -> Expression {
    name("_context", Type::Void.pointer())
}

/// What the user's function is given for a parameter; results go to `to`.
pub(super) fn passed(argument: &Argument, to: &Expression) -> Vec<Expression> {
    let is_array = argument.passing == Passing::FixedArray;
    let value = match argument.way {
        Way::In | Way::InOut => member(received(), &argument.name, argument.ty.clone()),
        Way::Out | Way::Result => member(to.clone(), &argument.name, argument.ty.clone()),
    };
    if argument.count.is_some() {
        let [length, items] = pres::COUNTED;
        let length = member(value.clone(), length, Type::named("uint32_t"));
        let items = member(value, items, argument.passed.clone());
        // Before C23 a pointer to an array is none to a constant one.
        return vec![if is_array { cast_to(argument.passed.clone(), items) } else { items }, length];
    }
    vec![match (argument.way, argument.passing) {
        (Way::In, Passing::Value | Passing::Text) => value,
        (Way::In, Passing::FixedArray) => cast_to(argument.passed.clone(), value),
        _ if is_array => value,
        _ => address(value),
    }]
}

/// What is replaced is answered from where it was received.
pub(super) fn answered_in_place(argument: &Argument, to: &Expression) -> Statement {
    let to = member(to.clone(), &argument.name, argument.ty.clone().pointer());
    assign(to, address(member(received(), &argument.name, argument.ty.clone())))
}
