//! Short functions that build typed C, so that code generators read like the C they write.
//! Result types follow C11 section 6.5 as far as generated code needs them.

use crate::{
    BinaryOperator, Declaration, Expression, ExpressionKind, Function, Initializer, Linkage, Parameter, Scalar,
    Statement, Type, UnaryOperator, Variable,
};

fn expression(kind: ExpressionKind, ty: Type) -> Expression {
    Expression { kind, ty, span: None }
}

/// A variable, function or macro of a known type.
pub fn name(name: impl Into<String>, ty: Type) -> Expression {
    expression(ExpressionKind::Name(name.into()), ty)
}

/// An `int` literal.
pub fn integer(value: impl Into<i128>) -> Expression {
    expression(ExpressionKind::Integer(value.into().to_string()), Type::INT)
}

/// A literal as the user spelled it.
pub fn spelled(text: impl Into<String>, ty: Type) -> Expression {
    expression(ExpressionKind::Integer(text.into()), ty)
}

/// An `unsigned` literal, `4u`.
pub fn unsigned(value: u64) -> Expression {
    let scalar = if value > u64::from(u32::MAX) { Scalar::UnsignedLongLong } else { Scalar::UnsignedInt };
    let suffix = if value > u64::from(u32::MAX) { "ull" } else { "u" };
    expression(ExpressionKind::Integer(format!("{value}{suffix}")), Type::Scalar(scalar))
}

/// A string literal; the text is escaped by the printer.
pub fn text(text: impl Into<String>) -> Expression {
    expression(ExpressionKind::Text(text.into()), Type::CHAR.pointer())
}

/// `NULL`.
pub fn null() -> Expression {
    name("NULL", Type::Void.pointer())
}

/// Text that the tree does not model, as an expression of a known type.
pub fn verbatim(text: impl Into<String>, ty: Type) -> Expression {
    expression(ExpressionKind::Verbatim(text.into()), ty)
}

/// `function(arguments)` for a function known by name, and what it returns.
pub fn call(function: impl Into<String>, arguments: Vec<Expression>, result: Type) -> Expression {
    let function = name(function, Type::Void);
    expression(ExpressionKind::Call(Box::new(function), arguments), result)
}

/// A call through any expression.
pub fn call_through(function: Expression, arguments: Vec<Expression>, result: Type) -> Expression {
    expression(ExpressionKind::Call(Box::new(function), arguments), result)
}

/// `base.member`; with `base` a dereference, printed `pointer->member`.
pub fn member(base: Expression, member: impl Into<String>, ty: Type) -> Expression {
    expression(ExpressionKind::Member(Box::new(base), member.into()), ty)
}

/// `pointer->member`.
pub fn arrow(pointer: Expression, name: impl Into<String>, ty: Type) -> Expression {
    member(dereference(pointer), name, ty)
}

/// `base[index]`.
pub fn index(base: Expression, at: Expression) -> Expression {
    let ty = base.ty.element().cloned().unwrap_or(Type::Void);
    expression(ExpressionKind::Index(Box::new(base), Box::new(at)), ty)
}

/// `*pointer`; `*&x` is `x`.
pub fn dereference(pointer: Expression) -> Expression {
    if let ExpressionKind::Unary(UnaryOperator::AddressOf, inner) = pointer.kind {
        return *inner;
    }
    let ty = pointer.ty.element().cloned().unwrap_or(Type::Void);
    expression(ExpressionKind::Unary(UnaryOperator::Dereference, Box::new(pointer)), ty)
}

/// `&value`; `&*p` is `p`.
pub fn address(value: Expression) -> Expression {
    if let ExpressionKind::Unary(UnaryOperator::Dereference, inner) = value.kind {
        return *inner;
    }
    let ty = value.ty.clone().pointer();
    expression(ExpressionKind::Unary(UnaryOperator::AddressOf, Box::new(value)), ty)
}

/// A prefix or postfix operator.
pub fn unary(operator: UnaryOperator, value: Expression) -> Expression {
    let ty = if operator == UnaryOperator::Not { Type::INT } else { value.ty.clone() };
    expression(ExpressionKind::Unary(operator, Box::new(value)), ty)
}

/// `!value`.
pub fn not(value: Expression) -> Expression {
    unary(UnaryOperator::Not, value)
}

/// Any operator with two operands.
pub fn binary(left: Expression, operator: BinaryOperator, right: Expression) -> Expression {
    let ty = if operator.is_logical() {
        Type::INT
    } else if operator == BinaryOperator::Comma || (left.ty.element().is_none() && right.ty.element().is_some()) {
        right.ty.clone()
    } else {
        left.ty.clone()
    };
    expression(ExpressionKind::Binary(operator, Box::new(left), Box::new(right)), ty)
}

/// `left + right`.
pub fn add(left: Expression, right: Expression) -> Expression {
    binary(left, BinaryOperator::Add, right)
}

/// `left - right`.
pub fn subtract(left: Expression, right: Expression) -> Expression {
    binary(left, BinaryOperator::Subtract, right)
}

/// `left * right`.
pub fn multiply(left: Expression, right: Expression) -> Expression {
    binary(left, BinaryOperator::Multiply, right)
}

/// `left == right`.
pub fn equal(left: Expression, right: Expression) -> Expression {
    binary(left, BinaryOperator::Equal, right)
}

/// `left != right`.
pub fn not_equal(left: Expression, right: Expression) -> Expression {
    binary(left, BinaryOperator::NotEqual, right)
}

/// `left < right`.
pub fn less(left: Expression, right: Expression) -> Expression {
    binary(left, BinaryOperator::Less, right)
}

/// `left > right`.
pub fn greater(left: Expression, right: Expression) -> Expression {
    binary(left, BinaryOperator::Greater, right)
}

/// `left && right`.
pub fn and(left: Expression, right: Expression) -> Expression {
    binary(left, BinaryOperator::And, right)
}

/// `left || right`.
pub fn or(left: Expression, right: Expression) -> Expression {
    binary(left, BinaryOperator::Or, right)
}

/// `condition ? then : otherwise`.
pub fn conditional(condition: Expression, then: Expression, otherwise: Expression) -> Expression {
    let ty = then.ty.clone();
    expression(ExpressionKind::Conditional(Box::new(condition), Box::new(then), Box::new(otherwise)), ty)
}

/// `(ty)value`.
pub fn cast(ty: Type, value: Expression) -> Expression {
    expression(ExpressionKind::Cast(Box::new(value)), ty)
}

/// `sizeof(ty)`.
pub fn sizeof_type(ty: Type) -> Expression {
    expression(ExpressionKind::SizeofType(ty), Type::named("size_t"))
}

/// `sizeof value`.
pub fn sizeof_value(value: Expression) -> Expression {
    expression(ExpressionKind::SizeofValue(Box::new(value)), Type::named("size_t"))
}

/// `{ values }`.
pub fn braces(values: Vec<Expression>) -> Expression {
    let parts = values.into_iter().map(|value| Initializer { designators: Vec::new(), value }).collect();
    expression(ExpressionKind::Braces(parts), Type::Void)
}

/// `target = value` as an expression.
pub fn assignment(target: Expression, value: Expression) -> Expression {
    let ty = target.ty.clone();
    expression(ExpressionKind::Assign(None, Box::new(target), Box::new(value)), ty)
}

/// `target = value;`
pub fn assign(target: Expression, value: Expression) -> Statement {
    Statement::Expression(assignment(target, value))
}

/// `target op= value;`
pub fn assign_with(target: Expression, operator: BinaryOperator, value: Expression) -> Statement {
    let ty = target.ty.clone();
    Statement::Expression(expression(ExpressionKind::Assign(Some(operator), Box::new(target), Box::new(value)), ty))
}

/// `if (condition) { then }`.
pub fn when(condition: Expression, then: Vec<Statement>) -> Statement {
    Statement::If { condition, then, otherwise: Vec::new() }
}

/// `if (condition) { then } else { otherwise }`.
pub fn when_else(condition: Expression, then: Vec<Statement>, otherwise: Vec<Statement>) -> Statement {
    Statement::If { condition, then, otherwise }
}

/// `return value;`
pub fn returns(value: Expression) -> Statement {
    Statement::Return(Some(value))
}

/// A local variable; `initial` may be absent.
pub fn local(variable: impl Into<String>, ty: Type, initial: Option<Expression>) -> Statement {
    Statement::Declare(Variable { name: variable.into(), ty, initial, ..Variable::default() })
}

/// `for (ty counter = 0; counter < count; counter++) { body }`.
pub fn count_loop(counter: &str, ty: Type, count: Expression, body: Vec<Statement>) -> Statement {
    let counter_value = name(counter, ty.clone());
    Statement::For {
        initial: Some(Box::new(local(counter, ty, Some(integer(0))))),
        condition: Some(less(counter_value.clone(), count)),
        step: Some(unary(UnaryOperator::IncrementAfter, counter_value)),
        body,
    }
}

/// A function's definition.
pub fn function(
    linkage: Linkage,
    result: Type,
    name: impl Into<String>,
    parameters: Vec<Parameter>,
    body: Vec<Statement>,
) -> Declaration {
    Declaration::Function(Function { linkage, name: name.into(), result, parameters, body, ..Function::default() })
}

/// A named parameter.
pub fn parameter(parameter: impl Into<String>, ty: Type) -> Parameter {
    Parameter { name: Some(parameter.into()), ty }
}

/// A parameter without a name.
pub fn unnamed(ty: Type) -> Parameter {
    Parameter { name: None, ty }
}
