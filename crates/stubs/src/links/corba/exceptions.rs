//! Exceptions of the user's: from replies into environments, and from environments into replies. Where they travel in replies of their
//! own, known by names, either side has a function for each. In: what operations raise. Out: functions, and the chains of tests that
//! lead to them.

use cast::build::{
    address, arrow, assign, call, cast as cast_to, conditional, dereference, equal, integer, local, member, name, not,
    not_equal, null, or, parameter, sizeof_value, unsigned, when,
};
use cast::{Declaration, Expression, Linkage, Statement, Type};
use pres::{Operation, Raised};

use super::{ExceptionReplies, Exceptions, Objects, RaisedInReply, environment, ev};
use crate::links::rpc::{Marshalling, answer, bytes, reply, to};
use crate::links::statements::{call_statement, clear, function};

/// `raise_Mail_Full`.
fn raising(exception: &Raised) -> String {
    format!("raise_{}", cast::print_type(&exception.ty))
}

/// `answer_Mail_Full`.
fn answering(exception: &Raised) -> String {
    format!("answer_{}", cast::print_type(&exception.ty))
}

fn code(exception: &Raised) -> Expression {
    name(format!("TC_{}", cast::print_type(&exception.ty)), Type::named("CORBA_TypeCode"))
}

fn id(exception: &Raised) -> Expression {
    name(&exception.id, bytes())
}

fn allocated(exception: &Raised) -> Expression {
    call(exception.allocate.as_str(), Vec::new(), exception.ty.clone().pointer())
}

/// The client's function that makes an exception of the environment's from a reply.
pub(super) fn raising_function(link: &dyn Objects, marshalling: &Marshalling, exception: &Raised) -> Declaration {
    let the_call = name(cast::print_expression(&link.call()), link.call().ty.pointer());
    let value = name("value", exception.ty.clone().pointer());
    let at = name("at", bytes());
    let decoded = match exception.stub {
        None => arrow(the_call.clone(), "at", bytes()),
        Some(stub) => marshalling.decode(stub, &dereference(the_call.clone()), value.clone()),
    };
    let set = vec![ev(), id(exception), code(exception), value.clone()];
    let body = vec![
        local("value", value.ty.clone(), Some(allocated(exception))),
        local("at", bytes(), Some(conditional(equal(value.clone(), null()), null(), decoded))),
        Statement::If {
            condition: not_equal(at.clone(), null()),
            then: vec![call_statement("whittle_exception_user", set)],
            otherwise: vec![call_statement("CORBA_free", vec![value])],
        },
        link.unmarshalled(the_call.clone(), at),
    ];
    let parameters = vec![parameter("_call", the_call.ty), parameter("ev", environment().pointer())];
    function(Linkage::Static, Type::Void, raising(exception), parameters, body)
}

/// The client looks for the exception of a reply among those that the operation may raise.
pub(super) fn found(link: &dyn Objects, replies: &dyn ExceptionReplies, raises: &[Raised]) -> Statement {
    raises.iter().rev().fold(replies.unexpected(), |otherwise, exception| {
        let names = vec![member(link.call(), "exception", bytes()), id(exception)];
        let raise = call_statement(&raising(exception), vec![address(link.call()), ev()]);
        let condition = equal(call("strcmp", names, Type::INT), integer(0));
        Statement::If { condition, then: vec![raise], otherwise: vec![otherwise] }
    })
}

/// The client raises the exception that the reply's number tells; else it has `got` results.
pub(super) fn raised_in_reply(
    how: &RaisedInReply,
    marshalling: &Marshalling,
    operation: &Operation,
    got: Vec<Statement>,
) -> Vec<Statement> {
    let number = member(reply(), pres::RAISED, Type::named("uint32_t"));
    operation.raises.iter().enumerate().rev().fold(got, |otherwise, (place, exception)| {
        let given = members_in(reply(), exception);
        let [from, size] = place_and_size(given.as_ref());
        let arguments = vec![ev(), id(exception), code(exception), allocated(exception), from, size];
        let raised = call(how.raise.as_str(), arguments, Type::named("bool"));
        let release = exception.stub.zip(given).and_then(|(stub, given)| marshalling.released(stub, address(given)));
        let mut then = match release {
            Some(release) => vec![when(not(raised), vec![release])],
            None => vec![Statement::Expression(raised)],
        };
        // What the function returns is zero.
        then.extend(operation.result.as_ref().map(|_| clear(reply(), false)));
        vec![Statement::If { condition: equal(number.clone(), number_of(place)), then, otherwise }]
    })
}

/// The place of an exception among those of its operation, counted from 1.
fn number_of(place: usize) -> Expression {
    unsigned(u64::try_from(place + 1).unwrap_or_default())
}

/// Where a reply has the members of an exception.
fn members_in(of: Expression, exception: &Raised) -> Option<Expression> {
    exception.stub?;
    Some(member(member(of, pres::OUTCOME, Type::Void), exception.member(), exception.ty.clone()))
}

/// `&members, sizeof members` or `NULL, 0`.
fn place_and_size(members: Option<&Expression>) -> [Expression; 2] {
    match members {
        Some(members) => [address(members.clone()), sizeof_value(members.clone())],
        None => [null(), integer(0)],
    }
}

/// The server's function that answers with an exception of the environment's.
pub(super) fn answering_function(
    link: &dyn Objects,
    replies: &dyn ExceptionReplies,
    marshalling: &Marshalling,
    exception: &Raised,
) -> Declaration {
    let to = name("to", to().ty);
    let request = link.request();
    let mut body = replies.begin(to.clone(), id(exception)).to_vec();
    match exception.stub {
        Some(stub) => {
            let value = name("value", exception.ty.clone().constant().pointer());
            let given = call("CORBA_exception_value", vec![ev()], Type::Void.pointer());
            body.insert(0, local("value", value.ty.clone(), Some(cast_to(value.ty.clone(), given))));
            let missing = or(equal(to.clone(), null()), equal(value.clone(), null()));
            let encoded = marshalling.encode(stub, &dereference(request.clone()), to.clone(), value);
            body.push(assign(to.clone(), conditional(missing, null(), encoded)));
        }
        None => body.insert(0, Statement::Expression(cast_to(Type::Void, ev()))),
    }
    body.push(link.end_reply(to));
    let request = parameter(cast::print_expression(&request), request.ty);
    let parameters = vec![request, parameter("ev", environment().pointer())];
    function(Linkage::Static, Type::Void, answering(exception), parameters, body)
}

/// The server answers with the exception that the servant raised.
pub(super) fn answered(
    link: &dyn Objects,
    marshalling: &Marshalling,
    operation: &Operation,
    raised: &Expression,
) -> Statement {
    let environment = || address(raised.clone());
    let other = link.raised_otherwise(environment());
    operation.raises.iter().enumerate().rev().fold(other, |otherwise, (place, exception)| {
        let given = call("CORBA_exception_id", vec![environment()], bytes());
        let same = equal(call("strcmp", vec![given, id(exception)], Type::INT), integer(0));
        let then = match link.exceptions() {
            Exceptions::Replies(_) => {
                vec![call_statement(&answering(exception), vec![link.request(), environment()])]
            }
            Exceptions::InReply(how) => {
                let [members, size] = place_and_size(members_in(answer(), exception).as_ref());
                let begun = call(how.begin.as_str(), vec![link.request(), environment(), members, size], to().ty);
                let pack = operation
                    .server_reply
                    .structure()
                    .map(|pack| marshalling.encoded(pack, &dereference(link.request()), address(answer())));
                let number = assign(member(answer(), pres::RAISED, Type::named("uint32_t")), number_of(place));
                let mut then = vec![local("_to", to().ty, Some(begun)), number];
                then.extend(pack);
                then.push(link.end_reply(to()));
                then
            }
        };
        Statement::If { condition: same, then, otherwise: vec![otherwise] }
    })
}
