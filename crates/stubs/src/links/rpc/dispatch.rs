//! The function that finds what serves a request, where requests have their operation's number. In: an interface, and what is done for
//! each number. Out: `dispatch_X`.

use cast::build::{cast as cast_to, local, name, parameter};
use cast::{CaseLabel, Declaration, Expression, Linkage, Statement, SwitchArm, Type};
use pres::{Interface, Operation};

use super::{context, functions, functions_type, serving};
use crate::links::statements::{call_statement, function};

/// The call of what serves an operation.
pub(in crate::links) fn served(operation: &Operation, request: Expression) -> Statement {
    let operations = name("_operations", Type::Void.pointer());
    call_statement(&serving(operation), vec![operations, context(), request])
}

/// A switch on a number; what has none of them is refused.
pub(in crate::links) fn switch(
    (request, number): (Expression, Expression),
    arms: Vec<(Expression, Vec<Statement>)>,
    unknown: &str,
) -> Statement {
    let arm = |(number, body): (Expression, Vec<Statement>)| SwitchArm {
        labels: vec![CaseLabel::Value(number)],
        body: body.into_iter().chain([Statement::Break]).collect(),
    };
    let mut arms: Vec<SwitchArm> = arms.into_iter().map(arm).collect();
    let refused = call_statement(unknown, vec![request]);
    arms.push(SwitchArm { labels: vec![CaseLabel::Default], body: vec![refused, Statement::Break] });
    Statement::Switch { value: number, arms }
}

/// The function that does so with the number that a request has.
pub(in crate::links) fn by_number(
    object: &Interface,
    (request, number): (Expression, Expression),
    arms: Vec<(Expression, Vec<Statement>)>,
    unknown: &str,
) -> Declaration {
    let given = name("_served", Type::Void.constant().pointer());
    // C++ converts no `void *` by itself.
    let typed = local(
        cast::print_expression(&functions(object)),
        functions_type(object),
        Some(cast_to(functions_type(object), given.clone())),
    );
    let unused = |of: Expression| Statement::Expression(cast_to(Type::Void, of));
    let mut body = match object.operations.is_empty() {
        true => vec![unused(given.clone()), unused(context())],
        false => vec![typed],
    };
    body.push(switch((request.clone(), number), arms, unknown));
    let parameters = [given, context(), request].map(|of| parameter(cast::print_expression(&of), of.ty)).to_vec();
    function(Linkage::Static, Type::Void, object.dispatch.as_str(), parameters, body)
}
