//! Entries: what users, and libtirpc, call. `bool_t xdr_T(XDR *, T *)`, rpcgen's ABI.

use std::collections::BTreeSet;

use cast::build::{
    address, arrow, assign, call, call_through, cast, equal, function, name, null, parameter, returns, sizeof_value,
    when,
};
use cast::{Declaration, Expression, Linkage, Statement, Type};

use super::Conventions;
use super::names::{Functions, variable};
use super::routine::Emitter;
use crate::plan::{ArenaEntry, Direction, Plan, RoutineId};

/// The entries of a type.
pub(super) fn entries(
    plan: &Plan,
    type_name: &str,
    is_nested: bool,
    reserved: &BTreeSet<String>,
    functions: &Functions,
    used: &mut BTreeSet<String>,
) -> Vec<Declaration> {
    let Some(encode) = plan.routine(type_name, Direction::Encode) else { return Vec::new() };
    if encode.entry.is_empty() {
        return Vec::new();
    }
    let unmarshalling = if is_nested { "unmarshal_nested" } else { "unmarshal" };
    used.extend(["marshal", unmarshalling].map(str::to_string));
    let xdrs = name(variable("xdrs", reserved), Type::named("XDR").pointer());
    let given_type = if encode.is_array { encode.ty.clone() } else { encode.ty.clone().pointer() };
    let value = name(variable("objp", reserved), given_type);
    let routine = |direction: Direction| {
        let id = RoutineId { name: type_name.to_string(), direction };
        name(functions.name(&id), Type::Void)
    };
    let marshal = vec![xdrs.clone(), value.clone(), routine(Direction::Encode)];
    let unmarshal = vec![xdrs.clone(), value.clone(), routine(Direction::Decode)];
    let id = RoutineId { name: type_name.to_string(), direction: Direction::Encode };
    let mut emitter = Emitter::new(&id, encode, reserved, functions, Conventions::default());
    let mut encoding: Vec<Statement> = emitter.whole_run(&xdrs).into_iter().collect();
    used.extend(emitter.used);
    encoding.push(returns(call("whittle_marshal", marshal, Type::INT)));
    let mut body = vec![
        direction(&xdrs, "XDR_ENCODE", encoding),
        direction(&xdrs, "XDR_DECODE", vec![returns(call(format!("whittle_{unmarshalling}"), unmarshal, Type::INT))]),
    ];
    let mut freeing = Vec::new();
    if plan.routine(type_name, Direction::Release).is_some_and(|routine| routine.owns_storage) {
        let release = call_through(routine(Direction::Release), vec![value.clone()], Type::Void);
        freeing.push(Statement::Expression(release));
        freeing.push(returns(name("TRUE", Type::INT)));
        body.push(direction(&xdrs, "XDR_FREE", freeing));
        body.push(returns(name("FALSE", Type::INT)));
    } else {
        body.push(returns(equal(arrow(xdrs.clone(), "x_op", Type::INT), name("XDR_FREE", Type::INT))));
    }
    entry(&encode.entry, [xdrs, value], body)
}

/// The entry that a server gives to `svc_getargs` and `svc_freeargs` for an argument with an arena of its own.
pub(super) fn arena_entry(
    arena: &ArenaEntry,
    reserved: &BTreeSet<String>,
    functions: &Functions,
    used: &mut BTreeSet<String>,
) -> Vec<Declaration> {
    let xdrs = name(variable("xdrs", reserved), Type::named("XDR").pointer());
    let given = name(variable("objp", reserved), Type::structure(arena.structure.as_str()).pointer());
    let value = address(arrow(given.clone(), &arena.members.value, Type::Void));
    let routine = |direction: Direction| {
        let id = RoutineId { name: arena.routine.clone(), direction };
        name(functions.name(&id), Type::Void)
    };
    let decode = routine(Direction::Decode);
    let (decoding, freeing) = if arena.on_heap {
        used.insert("unmarshal".to_string());
        let unmarshal = call("whittle_unmarshal", vec![xdrs.clone(), value.clone(), decode], Type::INT);
        let release = call_through(routine(Direction::Release), vec![value], Type::Void);
        (unmarshal, vec![Statement::Expression(release)])
    } else {
        used.extend(["unmarshal_in_arena", "arena_free"].map(str::to_string));
        let kept = arrow(given.clone(), &arena.members.arena, Type::Void.pointer());
        let first = arrow(given.clone(), &arena.members.first, Type::Void.pointer());
        let room = sizeof_value(first.clone());
        let arguments = vec![xdrs.clone(), value, address(kept.clone()), first, room, decode];
        let blocks = cast(Type::structure("whittle_arena_block").pointer(), kept.clone());
        let free = call("whittle_arena_free", vec![blocks], Type::Void);
        let unmarshal = call("whittle_unmarshal_in_arena", arguments, Type::INT);
        (unmarshal, vec![Statement::Expression(free), assign(kept, null())])
    };
    let freeing = freeing.into_iter().chain([returns(name("TRUE", Type::INT))]).collect();
    let body = vec![
        direction(&xdrs, "XDR_DECODE", vec![returns(decoding)]),
        direction(&xdrs, "XDR_FREE", freeing),
        returns(name("FALSE", Type::INT)),
    ];
    entry(&arena.entry, [xdrs, given], body)
}

/// `bool_t xdr_T(XDR *, T *)`
fn entry(called: &str, parameters: [Expression; 2], body: Vec<Statement>) -> Vec<Declaration> {
    let parameters = parameters.map(|value| parameter(cast::print_expression(&value), value.ty)).to_vec();
    vec![Declaration::Blank, function(Linkage::Plain, Type::named("bool_t"), called, parameters, body)]
}

fn direction(xdrs: &Expression, op: &str, body: Vec<Statement>) -> Statement {
    let actual = arrow(xdrs.clone(), "x_op", Type::INT);
    when(equal(actual, name(op, Type::INT)), body)
}
