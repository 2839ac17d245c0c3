//! Client stubs, `b_clnt.c`: each procedure a function that calls the server and waits for the result.

use cast::build::{self, call, member, name, not_equal, null, parameter, returns, when};
use cast::{Declaration, Expression, File, Linkage, Parameter, Statement, Type};
use pres::{Argument, Conventions, Operation, Passing, PresC};

use super::library::{self, address, bytes, function, kept, routine_of};
use super::names::{Names, TIMEOUT};

/// The client's file.
pub fn client_file(pres: &PresC) -> File {
    let names = Names::of_file(pres);
    let mut rest = Vec::new();
    if !pres.interfaces.is_empty() {
        rest.push(Declaration::comment("Default timeout can be changed using clnt_control()"));
        rest.push(timeout(&names));
    }
    for operation in pres.interfaces.iter().flat_map(|interface| &interface.operations) {
        rest.push(Declaration::Blank);
        rest.push(client_function(pres.conventions, &names, operation));
    }
    super::file(pres, &["string.h"], rest)
}

fn timeout(names: &Names) -> Declaration {
    let seconds = build::braces(vec![build::integer(25), build::integer(0)]);
    Declaration::Variable(kept(names.own(TIMEOUT), Type::structure("timeval"), Some(seconds)))
}

fn client_function(conventions: Conventions, file: &Names, operation: &Operation) -> Declaration {
    let (own, names) = file.beside_arguments(operation);
    let (mut parameters, mut body, argument) = arguments(conventions, &names, &own, operation);
    let result_type = library::pointer_to_result(operation);
    let call = |argument: Expression, result: Expression| {
        let (clnt, timeout) = (names.value("clnt", library::client()), file.value(TIMEOUT, Type::structure("timeval")));
        clnt_call(clnt, operation, [argument, result], timeout)
    };
    if conventions.caller_results {
        parameters.push(names.parameter("clnt_res", result_type.clone()));
        parameters.push(names.parameter("clnt", library::client()));
        body.push(returns(call(argument, names.value("clnt_res", result_type))));
        return function(Linkage::Plain, library::status(), &operation.client, parameters, body);
    }
    parameters.push(names.parameter("clnt", library::client()));
    let (room, result) = static_result(&names, operation);
    body.insert(0, room);
    body.push(Statement::Blank);
    body.push(library::clear(names.value("clnt_res", Type::Void), is_array(operation)));
    let failed = not_equal(call(argument, result.clone()), name("RPC_SUCCESS", library::status()));
    body.push(when(failed, vec![returns(null())]));
    body.push(returns(result));
    function(Linkage::Plain, result_type, &operation.client, parameters, body)
}

fn is_array(operation: &Operation) -> bool {
    operation.client_reply.value().is_some_and(|result| result.is_array)
}

/// The declaration of the static result, and its address. `void` has one, too: an address says that the call succeeded.
fn static_result(names: &Names, operation: &Operation) -> (Statement, Expression) {
    let result = operation.client_reply.value();
    let ty = result.map_or(Type::CHAR, |result| result.ty.clone());
    let variable = names.value("clnt_res", ty.clone());
    let result = match result {
        Some(result) => address(result, variable),
        None => build::address(variable),
    };
    (Statement::Declare(kept(names.own("clnt_res"), ty, None)), result)
}

/// Parameters, what must be done first, and the address of what is sent.
fn arguments(
    conventions: Conventions,
    names: &Names,
    own: &[String],
    operation: &Operation,
) -> (Vec<Parameter>, Vec<Statement>, Expression) {
    if !conventions.by_value {
        let request = operation.client_request.value();
        let pointer = request.map_or(library::void_pointer(), |request| request.pointer.clone());
        return (vec![names.parameter("argp", pointer.clone())], vec![], names.value("argp", pointer));
    }
    let Some(request) = operation.client_request.value() else { return (vec![], vec![], null()) };
    let named = || operation.parameters.iter().zip(own);
    let parameters = named().map(|(argument, name)| parameter(name, argument.ty.clone())).collect();
    match own {
        [own] => (parameters, vec![], address(request, name(own, request.ty.clone()))),
        _ => {
            let pack = names.value("arg", request.ty.clone());
            let mut body = vec![names.local("arg", request.ty.clone(), None)];
            body.extend(named().map(|(argument, name)| copy_argument(argument, name, pack.clone())));
            (parameters, body, build::address(pack))
        }
    }
}

fn copy_argument(argument: &Argument, own: &str, pack: Expression) -> Statement {
    let to = member(pack, &argument.name, argument.ty.clone());
    let from = name(own, argument.ty.clone());
    if argument.passing == Passing::FixedArray {
        let size = build::sizeof_value(to.clone());
        library::call_statement("memcpy", vec![to, from, size])
    } else {
        build::assign(to, from)
    }
}

fn clnt_call(clnt: Expression, operation: &Operation, values: [Expression; 2], timeout: Expression) -> Expression {
    let [argument, result] = values;
    let arguments = vec![
        clnt,
        operation.procedure(),
        routine_of(operation.client_request.value()),
        bytes(argument),
        routine_of(operation.client_reply.value()),
        bytes(result),
        timeout,
    ];
    call("clnt_call", arguments, library::status())
}
