//! Signatures of client, server and marshalling routines, in each style.

use cast::build::unnamed;
use cast::{Declaration, Function, Linkage, Parameter, Type};
use pres::{Conventions, Interface, Operation, TypeStub};

/// `extern result name(parameters);`
pub(super) fn prototype(
    conventions: Conventions,
    result: Type,
    name: impl Into<String>,
    parameters: Vec<Parameter>,
) -> Declaration {
    // Before ANSI C a declaration says nothing of the parameters: a type without a name prints as nothing.
    let parameters = if conventions.prototypes { parameters } else { vec![unnamed(Type::named(""))] };
    Declaration::Prototype(Function {
        linkage: Linkage::Extern,
        attributes: Vec::new(),
        name: name.into(),
        result,
        parameters,
        variadic: false,
        body: Vec::new(),
        ..Default::default()
    })
}

/// The client's routine: `extern int *add_1(pair *, CLIENT *);`
pub(super) fn client(conventions: Conventions, operation: &Operation) -> Declaration {
    let mut parameters = arguments(conventions, operation);
    let result = if conventions.caller_results {
        parameters.push(unnamed(result_pointer(operation)));
        Type::Tagged(cast::TagKind::Enum, "clnt_stat".to_string())
    } else {
        result_pointer(operation)
    };
    parameters.push(unnamed(Type::named("CLIENT").pointer()));
    prototype(conventions, result, &operation.client, parameters)
}

/// The user's routine on the server: `extern int *add_1_svc(pair *, struct svc_req *);`
pub(super) fn server(conventions: Conventions, operation: &Operation) -> Declaration {
    let mut parameters = arguments(conventions, operation);
    let result = if conventions.caller_results {
        parameters.push(unnamed(result_pointer(operation)));
        Type::named("bool_t")
    } else {
        result_pointer(operation)
    };
    parameters.push(unnamed(Type::structure("svc_req").pointer()));
    prototype(conventions, result, &operation.server, parameters)
}

/// `extern int prog_1_freeresult(SVCXPRT *, xdrproc_t, caddr_t);`
pub(super) fn free_result(conventions: Conventions, interface: &Interface) -> Declaration {
    let parameters = vec![
        unnamed(Type::named("SVCXPRT").pointer()),
        unnamed(Type::named("xdrproc_t")),
        unnamed(Type::named("caddr_t")),
    ];
    prototype(conventions, Type::INT, format!("{}_freeresult", interface.dispatch), parameters)
}

/// `extern bool_t xdr_pair(XDR *, pair *);`
pub(super) fn marshalling(conventions: Conventions, stub: &TypeStub) -> Declaration {
    let value = if stub.is_array { stub.ty.clone() } else { stub.ty.clone().pointer() };
    routine(conventions, &stub.routine, value)
}

/// `extern bool_t routine(XDR *, value);`
pub(super) fn routine(conventions: Conventions, name: &str, value: Type) -> Declaration {
    let parameters = vec![unnamed(Type::named("XDR").pointer()), unnamed(value)];
    prototype(conventions, Type::named("bool_t"), name, parameters)
}

fn arguments(conventions: Conventions, operation: &Operation) -> Vec<Parameter> {
    match operation.parameters.as_slice() {
        [] if !conventions.by_value => vec![unnamed(Type::Void.pointer())],
        parameters => parameters.iter().map(|argument| unnamed(argument.passed.clone())).collect(),
    }
}

fn result_pointer(operation: &Operation) -> Type {
    operation.result.as_ref().map_or(Type::Void.pointer(), |result| result.passed.clone())
}
