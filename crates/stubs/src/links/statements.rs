//! Statements, functions and files that the stubs of every link are made of.

pub(super) use cast::build::function;
use cast::build::{self, call};
use cast::{Declaration, Expression, File, Statement, Storage, Type, Variable};

/// `memset(&variable, 0, sizeof variable);`
pub(super) fn clear(variable: Expression, is_array: bool) -> Statement {
    let target = if is_array { variable.clone() } else { build::address(variable.clone()) };
    call_statement("memset", vec![target, build::integer(0), build::sizeof_value(variable)])
}

/// `function(arguments);`
pub(super) fn call_statement(function: &str, arguments: Vec<Expression>) -> Statement {
    Statement::Expression(call(function, arguments, Type::Void))
}

/// `memset(pointer, 0, sizeof *pointer);`
pub(super) fn clear_at(pointer: Expression) -> Statement {
    let size = build::sizeof_value(build::dereference(pointer.clone()));
    call_statement("memset", vec![pointer, build::integer(0), size])
}

/// `static ty variable = initial;`
pub(super) fn kept(variable: impl Into<String>, ty: Type, initial: Option<Expression>) -> Variable {
    Variable { storage: Storage::Static, name: variable.into(), ty, initial, ..Variable::default() }
}

/// `static const struct tag variable = {values};` in a function, and its address: what describes an interface to the run time.
pub(super) fn described(variable: &str, tag: &str, values: Vec<Expression>) -> (Statement, Expression) {
    let ty = Type::structure(tag).constant();
    let address = build::address(build::name(variable, ty.clone()));
    (Statement::Declare(kept(variable, ty, Some(build::braces(values)))), address)
}

/// A file that ends with its last declaration.
pub(super) fn file(mut declarations: Vec<Declaration>) -> File {
    while declarations.last() == Some(&Declaration::Blank) {
        declarations.pop();
    }
    File { declarations }
}
