//! The server, `b_svc.c`: a dispatch routine for each version, which decodes the arguments, calls the user's routine,
//! sends its result and lets go of what was decoded; and the `main` of choice.

use cast::build::{self, address, and, call, dereference, local, name, not, not_equal, null, parameter};
use cast::{
    CaseLabel, Declaration, Expression, Field, File, FunctionType, Linkage, Record, RecordKind, Statement, SwitchArm,
    Type,
};
use pres::{ArenaArgument, Conventions, InterfaceStubs, OperationStub, PresC, StubValue};

use super::port_monitor::{self, leave};
use super::words::{self, bytes, function, routine, routine_of};
use super::{Main, Options, main_netconfig, main_portmap};

/// The server's file.
pub fn server_file(pres: &PresC, options: &Options) -> File {
    let mut rest = port_monitor::state(options);
    for interface in &pres.interfaces {
        for operation in &interface.operations {
            rest.push(Declaration::Blank);
            rest.push(adapter(pres.conventions, operation));
        }
        rest.push(Declaration::Blank);
        rest.push(dispatch(pres.conventions, options, interface));
    }
    match &options.main {
        Main::None => {}
        Main::Portmap(_) | Main::Inetd(_) => rest.extend(main_portmap::main(pres, options)),
        Main::NetworkTypes(_) | Main::NetworkIds(_) => rest.extend(main_netconfig::main(pres, options)),
    }
    super::file(pres, &includes(options), rest)
}

fn includes(options: &Options) -> Vec<&'static str> {
    let mut includes = vec!["stdio.h", "stdlib.h", "string.h", "rpc/pmap_clnt.h", "sys/socket.h", "netinet/in.h"];
    includes.extend(port_monitor::includes(options));
    if matches!(options.main, Main::NetworkIds(_)) {
        includes.push("netconfig.h");
    }
    if options.syslog && !includes.contains(&"syslog.h") {
        includes.push("syslog.h");
    }
    includes
}

/// `static void *_add_1(void *argument, struct svc_req *rqstp)`: calls the user's routine with its own types.
fn adapter(conventions: Conventions, operation: &OperationStub) -> Declaration {
    let mut parameters = vec![parameter("argument", words::void_pointer())];
    let (mut body, mut arguments) = unpack(conventions, operation);
    let result = if conventions.caller_results {
        parameters.push(parameter("result", words::void_pointer()));
        arguments.push(name("result", words::void_pointer()));
        Type::named("bool_t")
    } else {
        words::void_pointer()
    };
    parameters.push(parameter("rqstp", words::request()));
    arguments.push(name("rqstp", words::request()));
    body.push(build::returns(call(&operation.server, arguments, result.clone())));
    function(Linkage::Static, result, adapter_name(operation), parameters, body)
}

fn adapter_name(operation: &OperationStub) -> String {
    format!("_{}", operation.client)
}

/// What must be done first, and the arguments of the user's routine.
fn unpack(conventions: Conventions, operation: &OperationStub) -> (Vec<Statement>, Vec<Expression>) {
    let argument = name("argument", words::void_pointer());
    let Some(request) = &operation.request else {
        let unused = Statement::Expression(build::cast(Type::Void, argument.clone()));
        return if conventions.by_value { (vec![unused], vec![]) } else { (vec![], vec![argument]) };
    };
    if !conventions.by_value {
        return (vec![], vec![argument]);
    }
    match operation.arguments.as_slice() {
        [only] if only.is_array => (vec![], vec![argument]),
        [only] => {
            let typed = build::cast(only.pointer.clone(), argument);
            (vec![], vec![dereference(typed)])
        }
        several => {
            let pack = name("pack", request.pointer.clone());
            let declared = local("pack", request.pointer.clone(), Some(argument));
            let part = |argument: &StubValue| build::arrow(pack.clone(), &argument.name, argument.ty.clone());
            (vec![declared], several.iter().map(part).collect())
        }
    }
}

fn dispatch(conventions: Conventions, options: &Options, interface: &InterfaceStubs) -> Declaration {
    let linkage = if options.main == Main::None { Linkage::Plain } else { Linkage::Static };
    let parameters = vec![parameter("rqstp", words::request()), parameter("transp", words::transport())];
    let mut body = locals(conventions, interface);
    body.push(Statement::Blank);
    body.extend(port_monitor::enter(options));
    body.push(select(conventions, options, interface));
    body.extend(serve(conventions, options, interface));
    function(linkage, Type::Void, &interface.dispatch, parameters, body)
}

fn transp() -> Expression {
    name("transp", words::transport())
}

fn locals(conventions: Conventions, interface: &InterfaceStubs) -> Vec<Statement> {
    let xdrproc = || Type::named("xdrproc_t");
    let mut locals = vec![local("argument", rooms(interface, argument_room), None)];
    if conventions.caller_results {
        locals.push(local("result", rooms(interface, result_room), None));
        locals.push(local("retval", Type::named("bool_t"), None));
    } else {
        locals.push(local("result", words::void_pointer(), None));
    }
    locals.push(local("xdr_argument", xdrproc(), None));
    locals.push(local("xdr_result", xdrproc(), None));
    locals.push(local("local", local_type(conventions), None));
    locals
}

/// `void *(*)(void *, struct svc_req *)`, the adapters' type.
fn local_type(conventions: Conventions) -> Type {
    let mut parameters = vec![build::unnamed(words::void_pointer())];
    let result = if conventions.caller_results {
        parameters.push(build::unnamed(words::void_pointer()));
        Type::named("bool_t")
    } else {
        words::void_pointer()
    };
    parameters.push(build::unnamed(words::request()));
    Type::Function(Box::new(FunctionType { result, parameters, ..FunctionType::default() })).pointer()
}

/// The union of all values of one kind.
fn rooms(interface: &InterfaceStubs, room: fn(&OperationStub) -> Option<Field>) -> Type {
    let mut fields: Vec<Field> = interface.operations.iter().filter_map(room).collect();
    if fields.is_empty() {
        fields.push(Field { name: "fill".to_string(), ty: Type::INT });
    }
    Type::Anonymous(Box::new(Record { kind: RecordKind::Union, tag: None, fields }))
}

fn argument_room(operation: &OperationStub) -> Option<Field> {
    let request = operation.request.as_ref()?;
    let ty = request.arena.as_ref().map_or_else(|| request.ty.clone(), |arena| Type::named(&arena.name));
    Some(Field { name: format!("{}_arg", operation.client), ty })
}

fn result_room(operation: &OperationStub) -> Option<Field> {
    let result = operation.result.as_ref()?;
    Some(Field { name: format!("{}_res", operation.client), ty: result.ty.clone() })
}

/// The switch on the procedure's number.
fn select(conventions: Conventions, options: &Options, interface: &InterfaceStubs) -> Statement {
    let mut arms = Vec::new();
    if !interface.operations.iter().any(|operation| operation.number == Some(0)) {
        arms.push(null_procedure(options));
    }
    let clears = has_arenas(interface);
    arms.extend(interface.operations.iter().map(|operation| procedure(conventions, operation, clears)));
    let mut unknown = vec![words::call_statement("svcerr_noproc", vec![transp()])];
    unknown.extend(leave(options));
    arms.push(SwitchArm { labels: vec![CaseLabel::Default], body: unknown });
    let value = build::arrow(name("rqstp", words::request()), "rq_proc", Type::named("rpcproc_t"));
    Statement::Switch { value, arms }
}

fn null_procedure(options: &Options) -> SwitchArm {
    let mut body = vec![words::ignore("svc_sendreply", vec![transp(), routine("xdr_void"), null()])];
    body.extend(leave(options));
    SwitchArm { labels: vec![CaseLabel::Value(name("NULLPROC", Type::named("u_long")))], body }
}

/// Arenas have room in the arguments' union, more than most calls use: there each procedure zeroes what it must.
fn has_arenas(interface: &InterfaceStubs) -> bool {
    interface.operations.iter().any(|operation| arena(operation).is_some())
}

fn arena(operation: &OperationStub) -> Option<&ArenaArgument> {
    operation.request.as_ref().and_then(|request| request.arena.as_ref())
}

/// Zeroes the argument of one procedure, but not the arena's room.
fn clear_argument(operation: &OperationStub) -> Vec<Statement> {
    let (Some(request), Some(room)) = (&operation.request, argument_room(operation)) else { return Vec::new() };
    let argument = build::member(name("argument", Type::Void), room.name, room.ty);
    if request.arena.is_none() {
        return vec![words::clear(argument, request.is_array)];
    }
    let value = build::member(argument.clone(), "value", request.ty.clone());
    let arena = build::member(argument, "arena", words::void_pointer());
    vec![words::clear(value, request.is_array), build::assign(arena, null())]
}

fn procedure(conventions: Conventions, operation: &OperationStub, clears: bool) -> SwitchArm {
    let xdrproc = || Type::named("xdrproc_t");
    let argument = match arena(operation) {
        Some(arena) => routine(&arena.routine),
        None => routine_of(operation.request.as_ref()),
    };
    let mut body = if clears { clear_argument(operation) } else { Vec::new() };
    body.extend([
        build::assign(name("xdr_argument", xdrproc()), argument),
        build::assign(name("xdr_result", xdrproc()), routine_of(operation.result.as_ref())),
        build::assign(name("local", local_type(conventions)), name(adapter_name(operation), local_type(conventions))),
        Statement::Break,
    ]);
    SwitchArm { labels: vec![CaseLabel::Value(operation.code.clone())], body }
}

/// Decodes, calls, replies, lets go.
fn serve(conventions: Conventions, options: &Options, interface: &InterfaceStubs) -> Vec<Statement> {
    let argument = name("argument", rooms(interface, argument_room));
    let xdr_argument = || name("xdr_argument", Type::named("xdrproc_t"));
    let held = || vec![transp(), xdr_argument(), bytes(address(argument.clone()))];
    // What a routine of the user's left behind when it failed must not pile up: bad clients could let the server grow.
    let mut malformed =
        vec![words::call_statement("svcerr_decode", vec![transp()]), words::ignore("svc_freeargs", held())];
    malformed.extend(leave(options));
    let mut body = vec![Statement::Blank];
    if !has_arenas(interface) {
        body.push(words::clear(argument.clone(), false));
    }
    body.push(build::when(not(call("svc_getargs", held(), Type::named("bool_t"))), malformed));
    body.extend(reply(conventions, interface, &argument));
    let mut stuck = vec![port_monitor::message(options, "unable to free arguments")];
    stuck.push(words::exit(1));
    body.push(build::when(not(call("svc_freeargs", held(), Type::named("bool_t"))), stuck));
    if conventions.caller_results {
        body.push(free_result(options, interface));
    }
    let mut end = leave(options);
    if end.last() == Some(&Statement::Return(None)) {
        end.pop();
    }
    body.extend(end);
    body
}

/// Calls the user's routine and sends what it gives.
fn reply(conventions: Conventions, interface: &InterfaceStubs, argument: &Expression) -> Vec<Statement> {
    let local = name("local", local_type(conventions));
    let rqstp = name("rqstp", words::request());
    let xdr_result = name("xdr_result", Type::named("xdrproc_t"));
    let given = address(argument.clone());
    let send = |result: Expression| {
        not(call("svc_sendreply", vec![transp(), xdr_result.clone(), result], Type::named("bool_t")))
    };
    let failed = vec![words::call_statement("svcerr_systemerr", vec![transp()])];
    if conventions.caller_results {
        let result = name("result", rooms(interface, result_room));
        let retval = name("retval", Type::named("bool_t"));
        let called = build::call_through(local, vec![given, address(result.clone()), rqstp], Type::named("bool_t"));
        let sent = send(bytes(address(result.clone())));
        return vec![
            words::clear(result, false),
            build::assign(retval.clone(), called),
            build::when(and(build::greater(retval, build::integer(0)), sent), failed),
        ];
    }
    let result = name("result", words::void_pointer());
    let called = build::call_through(local, vec![given, rqstp], words::void_pointer());
    let sent = send(bytes(result.clone()));
    vec![build::assign(result.clone(), called), build::when(and(not_equal(result, null()), sent), failed)]
}

fn free_result(options: &Options, interface: &InterfaceStubs) -> Statement {
    let result = name("result", rooms(interface, result_room));
    let arguments = vec![transp(), name("xdr_result", Type::named("xdrproc_t")), bytes(address(result))];
    let freed = call(format!("{}_freeresult", interface.dispatch), arguments, Type::INT);
    build::when(not(freed), vec![port_monitor::message(options, "unable to free results")])
}
