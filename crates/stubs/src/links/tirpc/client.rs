//! Client stubs, `b_clnt.c`: each procedure a function that calls the server and waits for the result.

use cast::build::{self, call, local, member, name, not_equal, null, parameter, returns, when};
use cast::{Declaration, Expression, File, Linkage, Parameter, Statement, Storage, Type, Variable};
use pres::{Conventions, OperationStub, PresC, StubValue};

use super::words::{self, address, bytes, function, routine_of};

/// The client's file.
pub fn client_file(pres: &PresC) -> File {
    let mut rest = Vec::new();
    if !pres.interfaces.is_empty() {
        rest.push(Declaration::Comment("Default timeout can be changed using clnt_control()".to_string()));
        rest.push(timeout());
    }
    for operation in pres.interfaces.iter().flat_map(|interface| &interface.operations) {
        rest.push(Declaration::Blank);
        rest.push(client_function(pres.conventions, operation));
    }
    super::file(pres, &["string.h"], rest)
}

fn timeout() -> Declaration {
    Declaration::Variable(Variable {
        storage: Storage::Static,
        name: "TIMEOUT".to_string(),
        ty: Type::structure("timeval"),
        initial: Some(build::braces(vec![build::integer(25), build::integer(0)])),
        ..Variable::default()
    })
}

fn client_function(conventions: Conventions, operation: &OperationStub) -> Declaration {
    let (mut parameters, mut body, argument) = arguments(conventions, operation);
    let result_type = words::pointer_to_result(operation);
    let clnt = name("clnt", words::client());
    if conventions.caller_results {
        parameters.push(parameter("clnt_res", result_type.clone()));
        parameters.push(parameter("clnt", words::client()));
        let result = name("clnt_res", result_type);
        body.push(returns(clnt_call(clnt, operation, argument, result)));
        return function(Linkage::Plain, words::status(), &operation.client, parameters, body);
    }
    parameters.push(parameter("clnt", words::client()));
    let (room, result) = static_result(operation);
    body.insert(0, room);
    body.push(Statement::Blank);
    body.push(words::clear(name("clnt_res", Type::Void), is_array(operation)));
    let failed = not_equal(clnt_call(clnt, operation, argument, result.clone()), name("RPC_SUCCESS", words::status()));
    body.push(when(failed, vec![returns(null())]));
    body.push(returns(result));
    function(Linkage::Plain, result_type, &operation.client, parameters, body)
}

fn is_array(operation: &OperationStub) -> bool {
    operation.result.as_ref().is_some_and(|result| result.is_array)
}

/// The declaration of the static result, and its address. `void` has one, too: an address says that the call succeeded.
fn static_result(operation: &OperationStub) -> (Statement, Expression) {
    let ty = operation.result.as_ref().map_or(Type::CHAR, |result| result.ty.clone());
    let variable = name("clnt_res", ty.clone());
    let declaration =
        Variable { storage: Storage::Static, name: "clnt_res".to_string(), ty, initial: None, ..Variable::default() };
    let result = match &operation.result {
        Some(result) => address(result, variable),
        None => build::address(variable),
    };
    (Statement::Declare(declaration), result)
}

/// Parameters, what must be done first, and the address of what is sent.
fn arguments(conventions: Conventions, operation: &OperationStub) -> (Vec<Parameter>, Vec<Statement>, Expression) {
    let Some(request) = &operation.request else {
        let parameters = if conventions.by_value { vec![] } else { vec![parameter("argp", words::void_pointer())] };
        let argument = if conventions.by_value { null() } else { name("argp", words::void_pointer()) };
        return (parameters, vec![], argument);
    };
    if !conventions.by_value {
        let pointer = request.pointer.clone();
        return (vec![parameter("argp", pointer.clone())], vec![], name("argp", pointer));
    }
    let names: Vec<String> = operation.arguments.iter().map(|argument| own_name(&argument.name)).collect();
    let named = || operation.arguments.iter().zip(&names);
    let parameters = named().map(|(argument, name)| parameter(name, argument.ty.clone())).collect();
    match (operation.arguments.as_slice(), names.as_slice()) {
        ([only], [own]) => (parameters, vec![], address(only, name(own, only.ty.clone()))),
        _ => {
            let pack = name("arg", request.ty.clone());
            let mut body = vec![local("arg", request.ty.clone(), None)];
            body.extend(named().map(|(argument, name)| copy_argument(argument, name, pack.clone())));
            (parameters, body, build::address(pack))
        }
    }
}

/// A parameter's name that is none of the stub's own.
fn own_name(name: &str) -> String {
    if ["arg", "clnt", "clnt_res"].contains(&name) { format!("{name}_") } else { name.to_string() }
}

fn copy_argument(argument: &StubValue, own: &str, pack: Expression) -> Statement {
    let to = member(pack, &argument.name, argument.ty.clone());
    let from = name(own, argument.ty.clone());
    if argument.is_array {
        let size = build::sizeof_value(to.clone());
        words::call_statement("memcpy", vec![to, from, size])
    } else {
        build::assign(to, from)
    }
}

fn clnt_call(clnt: Expression, operation: &OperationStub, argument: Expression, result: Expression) -> Expression {
    let arguments = vec![
        clnt,
        operation.code.clone(),
        routine_of(operation.request.as_ref()),
        bytes(argument),
        routine_of(operation.result.as_ref()),
        bytes(result),
        name("TIMEOUT", Type::structure("timeval")),
    ];
    call("clnt_call", arguments, words::status())
}
