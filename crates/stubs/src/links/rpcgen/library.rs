//! The library's types and calls, by the names its users know.

use cast::build::{self, call, cast, name};
use cast::{Expression, FunctionType, Statement, TagKind, Type};
use pres::{Operation, Value};

pub(super) use crate::links::statements::{call_statement, clear, function, kept};

/// `CLIENT *`.
pub(super) fn client() -> Type {
    Type::named("CLIENT").pointer()
}

/// `struct svc_req *`.
pub(super) fn request() -> Type {
    Type::structure("svc_req").pointer()
}

/// `SVCXPRT *`.
pub(super) fn transport() -> Type {
    Type::named("SVCXPRT").pointer()
}

/// `enum clnt_stat`.
pub(super) fn status() -> Type {
    Type::Tagged(TagKind::Enum, "clnt_stat".to_string())
}

/// `void *`.
pub(super) fn void_pointer() -> Type {
    Type::Void.pointer()
}

/// `(caddr_t)pointer`.
pub(super) fn bytes(pointer: Expression) -> Expression {
    cast(Type::named("caddr_t"), pointer)
}

/// A marshalling routine as the library takes it: `(xdrproc_t)xdr_pair`.
pub(super) fn routine(name_of: &str) -> Expression {
    let routine = name(name_of, Type::Void);
    // `xdr_void` takes nothing, or whatever is passed: compilers want to hear that this is meant.
    let routine = if name_of == "xdr_void" { any_function(routine) } else { routine };
    cast(Type::named("xdrproc_t"), routine)
}

/// `(void (*)(void))function`: the type that may be cast to any other function's.
pub(super) fn any_function(function: Expression) -> Expression {
    let nothing = FunctionType { result: Type::Void, ..FunctionType::default() };
    cast(Type::Function(Box::new(nothing)).pointer(), function)
}

/// The routine of an argument or a result, `xdr_void` for none.
pub(super) fn routine_of(value: Option<&Value>) -> Expression {
    routine(value.map_or("xdr_void", |value| value.routine.as_str()))
}

/// The type that a result's address is passed as; `void *` for none.
pub(super) fn pointer_to_result(operation: &Operation) -> Type {
    operation.result.as_ref().map_or(void_pointer(), |result| result.passed.clone())
}

/// The address of a variable that holds `value`: an array is its own.
pub(super) fn address(value: &Value, variable: Expression) -> Expression {
    if value.is_array { variable } else { build::address(variable) }
}

/// `(void)function(arguments);`
pub(super) fn ignore(function: &str, arguments: Vec<Expression>) -> Statement {
    Statement::Expression(cast(Type::Void, call(function, arguments, Type::INT)))
}

/// `exit(code);`
pub(super) fn exit(code: i32) -> Statement {
    call_statement("exit", vec![build::integer(code)])
}
