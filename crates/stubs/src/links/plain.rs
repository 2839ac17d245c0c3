//! What stubs of the plain style are made of, whatever carries their calls: how parameters become members of the structures that
//! messages are marshalled from and into, and how what comes back reaches the caller; what lets go of values. In: operations
//! of PRES_C. Out: statements, functions.

use cast::build::{
    address, assign, cast as cast_to, dereference, integer, local, member, name, parameter, sizeof_value,
};
use cast::{Declaration, Expression, Linkage, Statement, TagKind, Type};
use pres::{Argument, ObjectInterface, ObjectOperation, Passing, Pres, PresC, TypeStub, TypeStubId, Way};

use super::words::{call_statement, clear, clear_at, function};

/// What a client sends is marshalled from.
pub(super) fn request() -> Expression {
    name("_request", Type::Void)
}

/// What a client receives is unmarshalled into.
pub(super) fn reply() -> Expression {
    name("_reply", Type::Void)
}

/// What comes back.
pub(super) fn answers(operation: &ObjectOperation) -> impl Iterator<Item = &Argument> {
    operation.parameters.iter().filter(|argument| argument.way != Way::In)
}

/// A parameter of the client's function.
pub(super) fn given(argument: &Argument) -> Expression {
    name(&argument.name, argument.passed.clone())
}

/// The member of the request that an argument gives.
pub(super) fn asked(argument: &Argument) -> Vec<Statement> {
    let to = member(request(), &argument.name, argument.ty.clone());
    let given = given(argument);
    if let Some(count) = &argument.count {
        let [length, items] = pres::COUNTED;
        let untyped = cast_to(Type::Void.pointer(), given);
        let count = name(count, Type::named("uint32_t"));
        return vec![
            assign(member(to.clone(), length, count.ty.clone()), count),
            assign(member(to, items, Type::Void.pointer()), untyped),
        ];
    }
    vec![match (argument.way, argument.passing) {
        (Way::Out | Way::Result, _) => return Vec::new(),
        (Way::In, Passing::Value) if argument.passed == argument.ty => assign(to, given),
        (Way::In, Passing::Text | Passing::Value) => assign(to, cast_to(argument.ty.clone(), given)),
        (Way::InOut, Passing::Value | Passing::Text) => assign(to, dereference(given)),
        (_, Passing::FixedArray) => assign(to, cast_to(argument.ty.clone().constant().pointer(), given)),
        _ => assign(to, given),
    }]
}

/// Results are empty until they are there.
pub(super) fn emptied(argument: &Argument) -> Statement {
    let target = given(argument);
    match argument.passing {
        Passing::FixedArray => {
            let size = cast::build::sizeof_type(argument.ty.clone());
            call_statement("memset", vec![target, integer(0), size])
        }
        _ => clear_at(target),
    }
}

/// What the reply is read into.
pub(super) fn lent(argument: &Argument) -> Statement {
    let to = member(reply(), &argument.name, argument.ty.clone().pointer());
    match argument.passing {
        Passing::FixedArray => assign(to, cast_to(argument.ty.clone().pointer(), given(argument))),
        _ => assign(to, given(argument)),
    }
}

/// The caller's values and those of the reply, which are at `results`, change places.
pub(super) fn exchanged(operation: &ObjectOperation, results: &Expression) -> Vec<Statement> {
    let part = |of: &Argument| member(results.clone(), &of.name, of.ty.clone());
    answers(operation).flat_map(|argument| exchange(argument, part(argument))).collect()
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

/// The variables of a client's packs; the reply empty, where it is not read to where the caller wants it.
pub(super) fn pack_variables(pres: &PresC, operation: &ObjectOperation, is_direct: bool) -> Vec<Statement> {
    let mut body = Vec::new();
    for (variable, pack) in [(request(), operation.client_request), (reply(), operation.client_reply)] {
        let named = cast::print_expression(&variable);
        body.extend(pack.map(|pack| local(named, pres.types[pack].ty.clone(), None)));
    }
    let is_read_into = operation.client_reply.is_some() && !is_direct;
    body.extend(is_read_into.then(|| clear(reply(), false)));
    body
}

/// The type of what a server's user gives for an interface: a structure of functions.
pub(super) fn functions_type(object: &ObjectInterface) -> Type {
    Type::structure(object.operations_tag()).constant().pointer()
}

/// Those of the interface that is served.
pub(super) fn functions(object: &ObjectInterface) -> Expression {
    name("_operations", functions_type(object))
}

/// What goes to each of them.
pub(super) fn context() -> Expression {
    name("_context", Type::Void.pointer())
}

/// `serve_dir_list`.
pub(super) fn serving(operation: &ObjectOperation) -> String {
    format!("serve_{}", operation.client)
}

/// What a server unmarshals into.
pub(super) fn is_asked() -> Expression {
    name("_in", Type::Void)
}

/// What a server's answer is marshalled from.
pub(super) fn answered() -> Expression {
    name("_out", Type::Void)
}

/// What the user's function is given for a parameter; results go to `results`.
pub(super) fn passed(argument: &Argument, results: &Expression) -> Vec<Expression> {
    let is_array = argument.passing == Passing::FixedArray;
    let value = match argument.way {
        Way::In | Way::InOut => member(is_asked(), &argument.name, argument.ty.clone()),
        Way::Out | Way::Result => member(results.clone(), &argument.name, argument.ty.clone()),
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

/// What is replaced is answered from where it was asked.
pub(super) fn answered_in_place(argument: &Argument, results: &Expression) -> Statement {
    let to = member(results.clone(), &argument.name, argument.ty.clone().pointer());
    assign(to, address(member(is_asked(), &argument.name, argument.ty.clone())))
}

/// The types of this file's header whose values are let go of by a function of their own.
pub(super) fn freed(pres: &PresC) -> Vec<(TypeStubId, &TypeStub)> {
    pres.types.iter().filter(|(_, stub)| is_freed(pres, stub)).collect()
}

fn is_freed(pres: &PresC, stub: &TypeStub) -> bool {
    let has_parts = matches!(pres.nodes[stub.node].pres, Pres::OptionalPointer { .. } | Pres::FixedArray { .. });
    !stub.imported && (has_parts || matches!(stub.ty, Type::Tagged(TagKind::Struct, _)))
}

/// That function, around the routine that releases.
pub(super) fn freeing(stub: &TypeStub, release: &str) -> Declaration {
    let value = name("value", stub.ty.clone().pointer());
    let untyped = cast_to(Type::Void.pointer(), value.clone());
    let body = vec![call_statement(release, vec![untyped]), clear_at(value.clone())];
    let parameters = vec![parameter("value", value.ty)];
    function(Linkage::Plain, Type::Void, pres::freeing(&stub.name), parameters, body)
}
