//! The server, `b_svc.c`: a dispatch routine for each version, which decodes the arguments, calls the user's routine,
//! sends its result and releases what was decoded; and the `main` of choice.

use cast::build::{self, address, and, call, dereference, name, not, not_equal, null};
use cast::{
    CaseLabel, Declaration, Expression, Field, File, FunctionType, Linkage, Record, RecordKind, Statement, SwitchArm,
    Type,
};
use pres::{Argument, Conventions, Interface, Operation, PresC};

use super::library::{self, bytes, function, routine, routine_of};
use super::names::Names;
use super::port_monitor::{self, leave};
use super::{Library, Main, Options, Server, main_netconfig, main_portmap};

/// The server's file.
pub fn server_file(pres: &PresC, options: &Options, link: &dyn Library) -> File {
    let server = &Server { pres, options, link, names: Names::of_file(pres) };
    let mut rest = port_monitor::state(server);
    for interface in &pres.interfaces {
        for operation in &interface.operations {
            rest.push(Declaration::Blank);
            rest.extend(announced(adapter(server, operation)));
        }
        rest.push(Declaration::Blank);
        rest.extend(announced(dispatch(server, interface)));
    }
    match &options.main {
        Main::None => {}
        Main::Portmap(_) | Main::Inetd(_) => rest.extend(main_portmap::main(server)),
        Main::NetworkTypes(_) | Main::NetworkIds(_) => rest.extend(main_netconfig::main(server)),
        Main::Network(network) => rest.extend(main_netconfig::foreground(server, network)),
    }
    super::file(pres, &includes(server), rest)
}

fn includes(server: &Server) -> Vec<&'static str> {
    let (options, own) = (server.options, server.link.server_headers());
    let mut includes = [&["stdio.h", "stdlib.h", "string.h"], own].concat();
    includes.extend(port_monitor::includes(options));
    if matches!(options.main, Main::NetworkIds(_)) {
        includes.push("netconfig.h");
    }
    if options.syslog && !includes.contains(&"syslog.h") {
        includes.push("syslog.h");
    }
    includes
}

/// `static void *_add_1(void *argument, struct svc_req *rqstp)`: calls the user's routine with its own types. Others may call those
/// that take values and where the result goes, as rpcgen has it.
fn adapter(server: &Server, operation: &Operation) -> Declaration {
    let names = &server.names;
    let mut parameters = vec![names.parameter("argument", library::void_pointer())];
    let (mut body, mut arguments) = unpack(server, operation);
    let result = if server.pres.conventions.caller_results {
        parameters.push(names.parameter("result", library::void_pointer()));
        let result = names.value("result", library::void_pointer());
        // C++ wants conversions of pointers said, here and in what follows.
        arguments.push(match &operation.result {
            Some(value) => build::cast(value.passed.clone(), result),
            None => result,
        });
        Type::named("bool_t")
    } else {
        library::void_pointer()
    };
    parameters.push(names.parameter("rqstp", library::request()));
    arguments.push(names.value("rqstp", library::request()));
    body.push(build::returns(call(&operation.server, arguments, result.clone())));
    let conventions = server.pres.conventions;
    let is_called = conventions.by_value && conventions.caller_results;
    let linkage = if is_called { Linkage::Plain } else { Linkage::Static };
    function(linkage, result, adapter_name(names, operation), parameters, body)
}

fn adapter_name(names: &Names, operation: &Operation) -> String {
    names.own(&format!("_{}", operation.client))
}

/// What must be done first, and the arguments of the user's routine.
fn unpack(server: &Server, operation: &Operation) -> (Vec<Statement>, Vec<Expression>) {
    let (conventions, names) = (server.pres.conventions, &server.names);
    let argument = names.value("argument", library::void_pointer());
    let Some(request) = operation.server_request.value() else {
        let unused = Statement::Expression(build::cast(Type::Void, argument.clone()));
        return if conventions.by_value { (vec![unused], vec![]) } else { (vec![], vec![argument]) };
    };
    if !conventions.by_value {
        return (vec![], vec![build::cast(request.pointer.clone(), argument)]);
    }
    match operation.parameters.as_slice() {
        [_] => {
            let typed = build::cast(request.pointer.clone(), argument);
            (vec![], vec![if request.is_array { typed } else { dereference(typed) }])
        }
        several => {
            let pack = names.value("pack", request.pointer.clone());
            let typed = build::cast(request.pointer.clone(), argument);
            let declared = names.local("pack", request.pointer.clone(), Some(typed));
            let part = |argument: &Argument| build::arrow(pack.clone(), &argument.name, argument.ty.clone());
            (vec![declared], several.iter().map(part).collect())
        }
    }
}

/// A function that others call has its prototype before it: no header declares it.
pub(super) fn announced(function: Declaration) -> Vec<Declaration> {
    match function {
        Declaration::Function(function) if function.linkage == Linkage::Plain => {
            let prototype = cast::Function { body: Vec::new(), ..function.clone() };
            vec![Declaration::Prototype(prototype), Declaration::Blank, Declaration::Function(function)]
        }
        other => vec![other],
    }
}

fn dispatch(server: &Server, interface: &Interface) -> Declaration {
    let (options, names) = (server.options, &server.names);
    let linkage = if options.main == Main::None { Linkage::Plain } else { Linkage::Static };
    let parameters =
        vec![names.parameter("rqstp", library::request()), names.parameter("transp", library::transport())];
    let mut body = locals(server, interface);
    body.push(Statement::Blank);
    body.extend(port_monitor::enter(server));
    body.push(select(server, interface));
    body.extend(serve(server, interface));
    function(linkage, Type::Void, &interface.dispatch, parameters, body)
}

fn transp(server: &Server) -> Expression {
    server.names.value("transp", library::transport())
}

/// The union of the arguments.
fn argument(server: &Server, interface: &Interface) -> Expression {
    server.names.value("argument", rooms(server, interface, argument_room))
}

/// The union of the results, or a pointer to one.
fn result(server: &Server, interface: &Interface) -> Expression {
    let ty = if server.pres.conventions.caller_results {
        rooms(server, interface, result_room)
    } else {
        library::void_pointer()
    };
    server.names.value("result", ty)
}

fn locals(server: &Server, interface: &Interface) -> Vec<Statement> {
    let names = &server.names;
    let xdrproc = || Type::named("xdrproc_t");
    let mut locals = vec![names.local("argument", argument(server, interface).ty, None)];
    locals.push(names.local("result", result(server, interface).ty, None));
    if server.pres.conventions.caller_results {
        locals.push(names.local("retval", Type::named("bool_t"), None));
    }
    locals.push(names.local("xdr_argument", xdrproc(), None));
    locals.push(names.local("xdr_result", xdrproc(), None));
    locals.push(names.local("local", local_type(server.pres.conventions), None));
    locals
}

/// `void *(*)(void *, struct svc_req *)`, the adapters' type.
fn local_type(conventions: Conventions) -> Type {
    let mut parameters = vec![build::unnamed(library::void_pointer())];
    let result = if conventions.caller_results {
        parameters.push(build::unnamed(library::void_pointer()));
        Type::named("bool_t")
    } else {
        library::void_pointer()
    };
    parameters.push(build::unnamed(library::request()));
    Type::Function(Box::new(FunctionType { result, parameters, ..FunctionType::default() })).pointer()
}

/// The union of all values of one kind.
fn rooms(server: &Server, interface: &Interface, room: fn(&Names, &Operation) -> Option<Field>) -> Type {
    let mut fields: Vec<Field> =
        interface.operations.iter().filter_map(|operation| room(&server.names, operation)).collect();
    if fields.is_empty() {
        fields.push(Field { name: server.names.own("fill"), ty: Type::INT });
    }
    Type::Anonymous(Box::new(Record { kind: RecordKind::Union, tag: None, fields }))
}

fn argument_room(names: &Names, operation: &Operation) -> Option<Field> {
    let request = operation.server_request.value()?;
    let ty = operation.arena.as_ref().map_or_else(|| request.ty.clone(), |arena| Type::named(&arena.name));
    Some(Field { name: names.own(&format!("{}_arg", operation.client)), ty })
}

fn result_room(names: &Names, operation: &Operation) -> Option<Field> {
    let result = operation.server_reply.value()?;
    Some(Field { name: names.own(&format!("{}_res", operation.client)), ty: result.ty.clone() })
}

/// The switch on the procedure's number.
fn select(server: &Server, interface: &Interface) -> Statement {
    let mut arms = Vec::new();
    if !interface.has_procedure_0() {
        arms.push(null_procedure(server));
    }
    let has_arenas = has_arenas(interface);
    arms.extend(interface.operations.iter().map(|operation| procedure(server, operation, has_arenas)));
    let mut unknown = vec![library::call_statement("svcerr_noproc", vec![transp(server)])];
    unknown.extend(leave(server));
    arms.push(SwitchArm { labels: vec![CaseLabel::Default], body: unknown });
    let rqstp = server.names.value("rqstp", library::request());
    Statement::Switch { value: build::arrow(rqstp, "rq_proc", Type::named("rpcproc_t")), arms }
}

fn null_procedure(server: &Server) -> SwitchArm {
    let mut body = vec![library::ignore("svc_sendreply", vec![transp(server), routine("xdr_void"), null()])];
    body.extend(leave(server));
    SwitchArm { labels: vec![CaseLabel::Value(name("NULLPROC", Type::named("u_long")))], body }
}

/// Arenas have room in the arguments' union, more than most calls use: there each procedure zeroes what it must.
fn has_arenas(interface: &Interface) -> bool {
    interface.operations.iter().any(|operation| operation.arena.is_some())
}

/// Zeroes the argument of one procedure, but not the arena's room.
fn clear_argument(server: &Server, operation: &Operation) -> Vec<Statement> {
    let room = argument_room(&server.names, operation);
    let (Some(request), Some(room)) = (operation.server_request.value(), room) else { return Vec::new() };
    // Not the union itself: its type would be copied for each procedure.
    let argument = build::member(server.names.value("argument", Type::Void), room.name, room.ty);
    let Some(arena) = &operation.arena else { return vec![library::clear(argument, request.is_array)] };
    let value = build::member(argument.clone(), &arena.members.value, request.ty.clone());
    let arena = build::member(argument, &arena.members.arena, library::void_pointer());
    vec![library::clear(value, request.is_array), build::assign(arena, null())]
}

fn procedure(server: &Server, operation: &Operation, has_arenas: bool) -> SwitchArm {
    let names = &server.names;
    let xdrproc = || Type::named("xdrproc_t");
    let local_type = || local_type(server.pres.conventions);
    let argument = match &operation.arena {
        Some(arena) => routine(&arena.routine),
        None => routine_of(operation.server_request.value()),
    };
    let mut body = if has_arenas { clear_argument(server, operation) } else { Vec::new() };
    body.extend([
        build::assign(names.value("xdr_argument", xdrproc()), argument),
        build::assign(names.value("xdr_result", xdrproc()), routine_of(operation.server_reply.value())),
        build::assign(names.value("local", local_type()), name(adapter_name(names, operation), local_type())),
        Statement::Break,
    ]);
    SwitchArm { labels: vec![CaseLabel::Value(operation.procedure())], body }
}

/// Decodes, calls, replies, releases.
fn serve(server: &Server, interface: &Interface) -> Vec<Statement> {
    let argument = argument(server, interface);
    let xdr_argument = || server.names.value("xdr_argument", Type::named("xdrproc_t"));
    let held = || vec![transp(server), xdr_argument(), bytes(address(argument.clone()))];
    // What a routine of the user's left behind when it failed must not pile up: bad clients could let the server grow.
    let mut malformed =
        vec![library::call_statement("svcerr_decode", vec![transp(server)]), library::ignore("svc_freeargs", held())];
    malformed.extend(leave(server));
    let mut body = vec![Statement::Blank];
    if !has_arenas(interface) {
        body.push(library::clear(argument.clone(), false));
    }
    body.push(build::when(not(call("svc_getargs", held(), Type::named("bool_t"))), malformed));
    body.extend(reply(server, interface, &argument));
    let mut stuck = vec![port_monitor::message(server, "unable to free arguments")];
    stuck.push(library::exit(1));
    body.push(build::when(not(call("svc_freeargs", held(), Type::named("bool_t"))), stuck));
    if server.pres.conventions.caller_results {
        body.push(free_result(server, interface));
    }
    let mut end = leave(server);
    if end.last() == Some(&Statement::Return(None)) {
        end.pop();
    }
    body.extend(end);
    body
}

/// Calls the user's routine and sends what it gives.
fn reply(server: &Server, interface: &Interface, argument: &Expression) -> Vec<Statement> {
    let (conventions, names) = (server.pres.conventions, &server.names);
    let local = names.value("local", local_type(conventions));
    let rqstp = names.value("rqstp", library::request());
    let xdr_result = names.value("xdr_result", Type::named("xdrproc_t"));
    let result = result(server, interface);
    let given = address(argument.clone());
    let send = |result: Expression| {
        not(call("svc_sendreply", vec![transp(server), xdr_result.clone(), result], Type::named("bool_t")))
    };
    let failed = vec![library::call_statement("svcerr_systemerr", vec![transp(server)])];
    if conventions.caller_results {
        let retval = names.value("retval", Type::named("bool_t"));
        let called = build::call_through(local, vec![given, address(result.clone()), rqstp], Type::named("bool_t"));
        let sent = send(bytes(address(result.clone())));
        return vec![
            library::clear(result, false),
            build::assign(retval.clone(), called),
            build::when(and(build::greater(retval, build::integer(0)), sent), failed),
        ];
    }
    let called = build::call_through(local, vec![given, rqstp], library::void_pointer());
    let sent = send(bytes(result.clone()));
    vec![build::assign(result.clone(), called), build::when(and(not_equal(result, null()), sent), failed)]
}

fn free_result(server: &Server, interface: &Interface) -> Statement {
    let xdr_result = server.names.value("xdr_result", Type::named("xdrproc_t"));
    let arguments = vec![transp(server), xdr_result, bytes(address(result(server, interface)))];
    let freed = call(format!("{}_freeresult", interface.dispatch), arguments, Type::INT);
    build::when(not(freed), vec![port_monitor::message(server, "unable to free results")])
}
