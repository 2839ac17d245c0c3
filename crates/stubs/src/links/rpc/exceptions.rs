//! Exceptions that travel in replies of their own, known by names: a function for each, on either side. In: what operations
//! raise. Out: functions, and the chains of tests that lead to them.

use cast::build::{
    address, and, arrow, assign, call, conditional, dereference, equal, integer, local, member, name, not_equal, null,
    parameter, returns, text,
};
use cast::{Declaration, Expression, Linkage, Statement, TagKind, Type};
use pres::{Operation, PresC, Raised};

use super::link::Link;
use super::marshalling::{Marshalling, Use};
use super::{at, bytes, operations, status};
use crate::links::statements::{clear, function};
use crate::plan::Direction;

/// What a link knows of such replies.
pub trait ExceptionReplies {
    /// Whether the client has one.
    fn is_raised(&self) -> Expression;

    /// The name that it tells.
    fn id(&self) -> Expression;

    /// It tells a name that the operation does not raise.
    fn unexpected(&self) -> Statement;

    /// The pointer that one of the client's own functions has for its call, and what marshals for it.
    fn call_pointer(&self) -> (Expression, Expression);

    /// The address of the call, for those.
    fn call_address(&self) -> Expression;

    /// Begins the server's: `_to`, with the exception's name behind it.
    fn begin(&self, id: Expression) -> [Statement; 2];
}

/// Each exception once.
pub(in crate::links) fn raised<'a>(operations: impl Iterator<Item = &'a Operation>) -> Vec<&'a Raised> {
    let mut found: Vec<&Raised> = Vec::new();
    for exception in operations.flat_map(|operation| &operation.raises) {
        if !found.iter().any(|known| known.id == exception.id) {
            found.push(exception);
        }
    }
    found
}

/// Those that have functions, and the routines for their members.
pub(super) fn of_link<'a>(pres: &'a PresC, link: &dyn Link, directions: [Direction; 2]) -> (Vec<&'a Raised>, Vec<Use>) {
    if link.exception_replies().is_none() {
        return (Vec::new(), Vec::new());
    }
    let raised = raised(operations(pres).map(|(_, operation)| operation));
    let stubs = raised.iter().filter_map(|of| of.stub);
    let uses = stubs.flat_map(|stub| directions.map(|direction| Use::new(stub, direction))).collect();
    (raised, uses)
}

/// The client's parameter for the members of exceptions.
pub(super) fn parameter_for(operation: &Operation) -> Option<Expression> {
    operation.exceptions().map(|tag| name("exceptions", Type::Tagged(TagKind::Union, tag).pointer()))
}

/// The server's variable for them.
pub(super) fn variable_for(operation: &Operation) -> Option<Expression> {
    operation.exceptions().map(|tag| name("_exceptions", Type::Tagged(TagKind::Union, tag)))
}

fn number(place: usize) -> Expression {
    integer(i128::try_from(place + 1).unwrap_or_default())
}

/// `learn_Mail_Full`.
fn learning(raised: &Raised) -> String {
    format!("learn_{}", raised.id)
}

/// `raise_Mail_Full`.
fn raising(raised: &Raised) -> String {
    format!("raise_{}", raised.id)
}

/// The client looks for the exception among those that the operation may raise.
pub(super) fn found(replies: &dyn ExceptionReplies, holder: &Expression, operation: &Operation) -> Statement {
    operation.raises.iter().enumerate().rev().fold(replies.unexpected(), |otherwise, (place, exception)| {
        let same = call("strcmp", vec![replies.id(), text(exception.repository_id.as_str())], Type::INT);
        let behind = match exception.stub {
            None => member(holder.clone(), "at", bytes()),
            Some(_) => {
                let union = parameter_for(operation).unwrap_or_else(null);
                let wanted = address(arrow(union.clone(), exception.id.as_str(), exception.ty.clone()));
                let wanted = conditional(equal(union, null()), null(), wanted);
                call(learning(exception), vec![replies.call_address(), wanted], bytes())
            }
        };
        let then = vec![assign(status(), number(place)), assign(at(), behind)];
        Statement::If { condition: equal(same, integer(0)), then, otherwise: vec![otherwise] }
    })
}

/// The client's function that reads an exception's members, and keeps them where somebody wants them.
pub(super) fn reading(
    replies: &dyn ExceptionReplies,
    marshalling: &Marshalling,
    exception: &Raised,
) -> Option<Declaration> {
    let stub = exception.stub?;
    let (the_call, holder) = replies.call_pointer();
    let value = name("_value", exception.ty.clone());
    let wanted = name("_wanted", exception.ty.clone().pointer());
    let kept = and(not_equal(at(), null()), not_equal(wanted.clone(), null()));
    let then = vec![assign(dereference(wanted.clone()), value.clone())];
    let otherwise = marshalling.released(stub, address(value.clone())).into_iter().collect();
    let body = vec![
        local("_value", value.ty.clone(), None),
        clear(value.clone(), false),
        local("_at", bytes(), Some(marshalling.decode(stub, &holder, address(value)))),
        Statement::If { condition: kept, then, otherwise },
        returns(at()),
    ];
    let parameters = vec![parameter("_call", the_call.ty), parameter("_wanted", wanted.ty)];
    Some(function(Linkage::Static, bytes(), learning(exception), parameters, body))
}

/// The server answers with the exception of the number that the user's function returned, else as `otherwise` does.
pub(super) fn answered(link: &dyn Link, operation: &Operation, otherwise: Statement) -> Statement {
    operation.raises.iter().enumerate().rev().fold(otherwise, |otherwise, (place, exception)| {
        let union = variable_for(operation).filter(|_| exception.stub.is_some());
        let value = union.map(|union| address(member(union, exception.id.as_str(), exception.ty.clone())));
        let arguments = [link.request()].into_iter().chain(value).collect();
        let then = vec![crate::links::statements::call_statement(&raising(exception), arguments)];
        Statement::If { condition: equal(status(), number(place)), then, otherwise: vec![otherwise] }
    })
}

/// The server's function that answers with an exception, and releases what its members hold.
pub(super) fn raising_function(
    link: &dyn Link,
    replies: &dyn ExceptionReplies,
    marshalling: &Marshalling,
    exception: &Raised,
) -> Declaration {
    let request = link.request();
    let mut body = replies.begin(text(exception.repository_id.as_str())).to_vec();
    let mut parameters = vec![parameter(cast::print_expression(&request), request.ty.clone())];
    let value = name("_value", exception.ty.clone().pointer());
    body.extend(exception.stub.map(|stub| marshalling.encoded(stub, &dereference(request), value.clone())));
    body.push(link.end_reply(super::to()));
    if let Some(stub) = exception.stub {
        parameters.push(parameter("_value", value.ty.clone()));
        body.extend(marshalling.released(stub, value));
    }
    function(Linkage::Static, Type::Void, raising(exception), parameters, body)
}
