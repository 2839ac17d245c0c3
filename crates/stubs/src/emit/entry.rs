//! Entries: what users, and libtirpc, call. `bool_t xdr_T(XDR *, T *)`, rpcgen's ABI.

use std::collections::BTreeSet;

use cast::build::{
    address, arrow, call, cast as cast_to, equal, local, name, null, parameter, returns, when,
};
use cast::{Declaration, Expression, Function, Linkage, Statement, Type};

use super::names::{function_name, variable};
use crate::plan::{ArenaEntry, Direction, Plan, RoutineId};

/// The entries of a type.
pub(super) fn entries(
    plan: &Plan,
    type_name: &str,
    reserved: &BTreeSet<String>,
    used: &mut BTreeSet<String>,
) -> Vec<Declaration> {
    let Some(encode) = plan.routine(type_name, Direction::Encode) else { return Vec::new() };
    if encode.entry.is_empty() {
        return Vec::new();
    }
    used.extend(["attributes", "out_begin", "out_end", "in_begin", "in_end"].map(str::to_string));
    let xdrs = name(variable("xdrs", reserved), Type::named("XDR").pointer());
    let value_name = variable("objp", reserved);
    let (parameter_type, value) = if encode.is_array {
        let given = name(value_name.as_str(), encode.ty.clone());
        (encode.ty.clone(), cast_to(encode.ty.clone().pointer(), given))
    } else {
        let ty = encode.ty.clone().pointer();
        (ty.clone(), name(value_name.as_str(), ty))
    };
    let constant = if encode.is_array {
        cast_to(encode.ty.clone().constant().pointer(), name(value_name.as_str(), encode.ty.clone()))
    } else {
        value.clone()
    };
    let owning = plan.routine(type_name, Direction::Release).is_some_and(|routine| routine.owns_storage);
    let call_half = |verb: &str, value: Expression| {
        vec![returns(call(format!("{verb}_{type_name}"), vec![xdrs.clone(), value], Type::INT))]
    };
    let mut body = vec![
        direction(&xdrs, "XDR_ENCODE", call_half("marshal", constant)),
        direction(&xdrs, "XDR_DECODE", call_half("unmarshal", value.clone())),
    ];
    if owning {
        let release = RoutineId { name: type_name.to_string(), direction: Direction::Release };
        body.push(Statement::Expression(call(function_name(&release), vec![value], Type::Void)));
    }
    body.push(returns(name("TRUE", Type::INT)));
    let given = name(variable("v", reserved), encode.ty.clone().pointer());
    let half = |verb: &str, ty: Type, body: Vec<Statement>| Function {
        // Apart, so that the large frames are not the entry's.
        attributes: vec!["WHITTLE_APART".to_string()],
        linkage: Linkage::Plain,
        name: format!("{verb}_{type_name}"),
        result: Type::named("bool_t"),
        parameters: vec![
            parameter(cast::print_expression(&xdrs), xdrs.ty.clone()),
            parameter(cast::print_expression(&given), ty.pointer()),
        ],
        variadic: false,
        body,
    };
    let encode_half =
        half("marshal", encode.ty.clone().constant(), encoding(type_name, &xdrs, given.clone(), reserved));
    let decode_half = half("unmarshal", encode.ty.clone(), decoding(type_name, &xdrs, given.clone(), reserved));
    let function = Function {
        linkage: Linkage::Plain,
        attributes: Vec::new(),
        name: encode.entry.clone(),
        result: Type::named("bool_t"),
        parameters: vec![parameter(cast::print_expression(&xdrs), xdrs.ty.clone()), parameter(value_name, parameter_type)],
        variadic: false,
        body,
    };
    [encode_half, decode_half, function].into_iter().flat_map(|f| [Declaration::Blank, Declaration::Function(f)]).collect()
}

/// The entry that a server gives to `svc_getargs` and `svc_freeargs` for an argument with an arena of its own.
pub(super) fn arena_entry(
    arena: &ArenaEntry,
    reserved: &BTreeSet<String>,
    used: &mut BTreeSet<String>,
) -> Vec<Declaration> {
    used.extend(["in_begin", "in_end", "arena_begin", "arena_release"].map(str::to_string));
    let xdrs = name(variable("xdrs", reserved), Type::named("XDR").pointer());
    let given = name(variable("objp", reserved), Type::structure(arena.structure.as_str()).pointer());
    let storage = name(variable("storage", reserved), Type::structure("whittle_arena"));
    let kept = arrow(given.clone(), "arena", Type::Void.pointer());
    let blocks = cast::build::member(storage.clone(), "blocks", Type::Void.pointer());
    let begin = call("whittle_arena_begin", vec![address(storage.clone()), null(), cast::build::integer(0)], Type::Void);
    let value = address(arrow(given.clone(), "value", Type::Void));
    let decode = RoutineId { name: arena.routine.clone(), direction: Direction::Decode };
    let stream = name(variable("in", reserved), Type::structure("whittle_in"));
    let at = name(variable("at", reserved), Type::CHAR.constant().pointer());
    let place = if arena.on_heap { null() } else { address(storage.clone()) };
    let start = call("whittle_in_begin", vec![address(stream.clone()), xdrs.clone(), place], at.ty.clone());
    let run = call(function_name(&decode), vec![address(stream.clone()), at.clone(), value.clone()], at.ty.clone());
    let end = call("whittle_in_end", vec![address(stream.clone()), run], Type::INT);
    let decoding = vec![
        local(cast::print_expression(&stream), stream.ty.clone(), None),
        local(cast::print_expression(&at), at.ty.clone(), Some(start)),
        when(cast::build::not(end), vec![returns(name("FALSE", Type::INT))]),
        cast::build::assign(kept.clone(), blocks.clone()),
        returns(name("TRUE", Type::INT)),
    ];
    let release = RoutineId { name: arena.routine.clone(), direction: Direction::Release };
    let freeing = if arena.on_heap {
        vec![Statement::Expression(call(function_name(&release), vec![value], Type::Void))]
    } else {
        let release = call("whittle_arena_release", vec![address(storage.clone())], Type::Void);
        vec![
            cast::build::assign(blocks, kept.clone()),
            Statement::Expression(release),
            cast::build::assign(kept, null()),
        ]
    };
    let body = vec![
        local(cast::print_expression(&storage), storage.ty.clone(), None),
        Statement::Expression(begin),
        direction(&xdrs, "XDR_DECODE", decoding),
        direction(&xdrs, "XDR_FREE", freeing.into_iter().chain([returns(name("TRUE", Type::INT))]).collect()),
        returns(name("FALSE", Type::INT)),
    ];
    let parameters = [&xdrs, &given].map(|value| parameter(cast::print_expression(value), value.ty.clone()));
    let function = Function {
        linkage: Linkage::Plain,
        attributes: Vec::new(),
        name: arena.entry.clone(),
        result: Type::named("bool_t"),
        parameters: parameters.to_vec(),
        variadic: false,
        body,
    };
    vec![Declaration::Blank, Declaration::Function(function)]
}

fn direction(xdrs: &Expression, op: &str, body: Vec<Statement>) -> Statement {
    let actual = arrow(xdrs.clone(), "x_op", Type::INT);
    when(equal(actual, name(op, Type::INT)), body)
}

fn encoding(type_name: &str, xdrs: &Expression, value: Expression, reserved: &BTreeSet<String>) -> Vec<Statement> {
    let id = RoutineId { name: type_name.to_string(), direction: Direction::Encode };
    let out_name = variable("out", reserved);
    let out = name(out_name.as_str(), Type::structure("whittle_out"));
    let at_name = variable("at", reserved);
    let begin = call("whittle_out_begin", vec![address(out.clone()), xdrs.clone()], Type::CHAR.pointer());
    let at = name(at_name.as_str(), Type::CHAR.pointer());
    let run = call(function_name(&id), vec![address(out.clone()), at.clone(), value], at.ty.clone());
    vec![
        local(out_name, out.ty.clone(), None),
        local(at_name, at.ty, Some(begin)),
        returns(call("whittle_out_end", vec![address(out), run], Type::INT)),
    ]
}

fn decoding(type_name: &str, xdrs: &Expression, value: Expression, reserved: &BTreeSet<String>) -> Vec<Statement> {
    let id = RoutineId { name: type_name.to_string(), direction: Direction::Decode };
    let in_name = variable("in", reserved);
    let stream = name(in_name.as_str(), Type::structure("whittle_in"));
    let at_name = variable("at", reserved);
    let cursor = Type::CHAR.constant().pointer();
    let begin = call("whittle_in_begin", vec![address(stream.clone()), xdrs.clone(), null()], cursor.clone());
    let at = name(at_name.as_str(), cursor.clone());
    let run = call(function_name(&id), vec![address(stream.clone()), at, value], cursor.clone());
    vec![
        local(in_name, stream.ty.clone(), None),
        local(at_name, cursor, Some(begin)),
        returns(call("whittle_in_end", vec![address(stream), run], Type::INT)),
    ]
}
