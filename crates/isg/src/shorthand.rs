//! Shorthand for the C that stages are made of.

pub(crate) use cast::build::function;
use cast::build::{call, integer, name};
use cast::{
    Declaration, Designator, Expression, ExpressionKind, Function, Initializer, Linkage, Parameter, Statement, Storage,
    TagKind, Type, Variable,
};

/// `bool`.
pub(crate) fn boolean() -> Type {
    Type::named("bool")
}

/// What became of a packet that was to be sent.
pub(crate) fn result() -> Type {
    Type::Tagged(TagKind::Enum, "whittle_flow_result".to_owned())
}

/// `uint64_t`.
pub(crate) fn time() -> Type {
    Type::named("uint64_t")
}

/// `true` or `false`.
pub(crate) fn truth(value: bool) -> Expression {
    name(if value { "true" } else { "false" }, boolean())
}

/// A number.
pub(crate) fn number(value: u64) -> Expression {
    // As C spells it; beyond `long long` it needs its suffix.
    if i64::try_from(value).is_ok() { integer(value) } else { cast::build::unsigned(value) }
}

/// A call for its effect.
pub(crate) fn perform(function: &str, arguments: Vec<Expression>) -> Statement {
    Statement::Expression(call(function, arguments, Type::Void))
}

/// `{.first = …, .second = …}`.
pub(crate) fn members(values: Vec<(&str, Expression)>) -> Expression {
    let initializer = |(member, value): (&str, Expression)| Initializer {
        designators: vec![Designator::Member(member.to_owned())],
        value,
    };
    let values = values.into_iter().map(initializer).collect();
    Expression { kind: ExpressionKind::Braces(values), ty: Type::Void, span: None }
}

/// An object at file level, seen in its file alone.
pub(crate) fn object(name: impl Into<String>, ty: Type, initial: Option<Expression>) -> Declaration {
    Declaration::Variable(Variable { storage: Storage::Static, name: name.into(), ty, initial, ..Variable::default() })
}

/// A function's declaration.
pub(crate) fn prototype(
    result: Type,
    name: impl Into<String>,
    parameters: Vec<Parameter>,
    attributes: Vec<String>,
) -> Declaration {
    Declaration::Prototype(Function { name: name.into(), result, parameters, attributes, ..Function::default() })
}

/// `static T name(void);`, to be defined below.
pub(crate) fn forward(result: Type, name: impl Into<String>, parameters: Vec<Parameter>) -> Declaration {
    Declaration::Prototype(Function {
        linkage: Linkage::Static,
        name: name.into(),
        result,
        parameters,
        ..Function::default()
    })
}
