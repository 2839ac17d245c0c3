//! Pieces that tests build small functions of.

use cast::{Expression, Type, build};

/// A variable of type `int`.
pub(crate) fn int(name: &str) -> Expression {
    build::name(name, Type::INT)
}

/// A call of a function that returns `int`.
pub(crate) fn call(name: &str, arguments: Vec<Expression>) -> Expression {
    let function = cast::FunctionType {
        result: Type::INT,
        parameters: arguments.iter().map(|argument| build::unnamed(argument.ty.clone())).collect(),
        ..cast::FunctionType::default()
    };
    let callee = build::name(name, Type::Function(Box::new(function)));
    build::call_through(callee, arguments, Type::INT)
}
