//! The client's functions, `b_client.c`: marshal what is asked, send it, again where the object is found to be elsewhere,
//! wait, unmarshal what is answered into the caller's storage. Each returns a status; where it is not 0, results are empty.

use cast::build::{
    address, and, assign, call, conditional, dereference, equal, integer, local, member, name, not_equal, null,
    parameter, returns, text, when,
};
use cast::{Declaration, Expression, File, Linkage, Statement, Type};
use pres::{Argument, Carrier, ObjectOperation, PresC, Raised, TypeStubId, Way};

use super::super::client::raised;
use super::super::marshalling::{Marshalling, Use};
use super::super::words::{bytes, size_of_text, unless_null};
use super::super::{After, Options};
use super::{exception_of, operations, status, structures, to};
use crate::links::plain::{answers, asked, emptied, exchanged, lent, pack_variables, reply, request};
use crate::links::words::{call_statement, clear, function};
use crate::plan::Direction;

/// The client's file.
pub fn client_file(pres: &PresC, options: &Options, after: After) -> File {
    let raised = raised(operations(pres));
    let mut wanted: Vec<Use> = Vec::new();
    for operation in operations(pres) {
        wanted.extend(operation.client_request.map(Use::body));
        wanted.extend(operation.client_reply.map(|stub| Use::new(stub, Direction::Decode)));
        let own = operation.client_reply.filter(|_| operation.lent.is_none());
        wanted.extend(own.map(|stub| Use::new(stub, Direction::Release)));
    }
    let both = |stub| [Direction::Decode, Direction::Release].map(|direction| Use::new(stub, direction));
    wanted.extend(raised.iter().filter_map(|of| of.stub).flat_map(both));
    let marshalling = Marshalling::new(pres, options, &wanted, after);
    let mut rest = structures(pres, |of| [of.client_request, of.client_reply]);
    rest.extend(marshalling.declarations.iter().cloned());
    let stubs = Stubs { pres, marshalling: &marshalling };
    let told = raised.iter().filter_map(|of| stubs.exception(of));
    rest.extend(told.flat_map(|exception| [Declaration::Blank, exception]));
    rest.extend(operations(pres).flat_map(|operation| [Declaration::Blank, stubs.function(operation)]));
    super::super::file(pres, options, &["string.h"], rest)
}

struct Stubs<'a> {
    pres: &'a PresC,
    marshalling: &'a Marshalling<'a>,
}

fn the_call() -> Expression {
    name("_call", Type::structure("whittle_iiop_call"))
}

/// A part of what the ORB knows the call by.
fn of_call(call: Expression, part: &str, ty: Type) -> Expression {
    member(member(call, "giop", Type::structure("whittle_call")), part, ty)
}

fn at() -> Expression {
    name("_at", bytes())
}

/// Results are unmarshalled where the caller wants them; else they are beside it until they are known to be good.
fn is_direct(operation: &ObjectOperation) -> bool {
    operation.parameters.iter().all(|argument| argument.way != Way::InOut)
}

/// `learn_Mail_Full`.
fn learning(raised: &Raised) -> String {
    format!("learn_{}", raised.id)
}

impl Stubs<'_> {
    fn function(&self, operation: &ObjectOperation) -> Declaration {
        let client = Type::structure(Carrier::Iiop.client()).pointer();
        let mut parameters = vec![parameter("client", client.clone())];
        let arguments = operation.parameters.iter().flat_map(Argument::parameters);
        parameters.extend(arguments.map(|(name, ty)| parameter(name, ty)));
        parameters.extend(exceptions(operation).map(|union| parameter("exceptions", union.ty)));
        parameters.extend(operation.reply(Carrier::Iiop).map(|(name, ty)| parameter(name, ty)));
        let mut body = self.variables(operation);
        if operation.client_request.is_some() {
            body.extend(operation.parameters.iter().flat_map(asked));
        }
        body.push(call_statement("whittle_iiop_open", vec![address(the_call()), name("client", client)]));
        body.push(self.exchange(operation));
        // Until then an argument may lie where a result is wanted.
        body.extend(answers(operation).filter(|argument| argument.way != Way::InOut).map(emptied));
        if operation.is_oneway {
            body.push(returns(call("whittle_iiop_posted", vec![address(the_call())], Type::INT)));
        } else {
            body.extend(self.answer(operation));
        }
        function(Linkage::Plain, Type::INT, &operation.client, parameters, body)
    }

    fn variables(&self, operation: &ObjectOperation) -> Vec<Statement> {
        let answer = Type::Tagged(cast::TagKind::Enum, "whittle_answer".to_string());
        let mut body = vec![local("_call", the_call().ty, None), local("_answer", answer, None)];
        body.extend(pack_variables(self.pres, operation, is_direct(operation)));
        body
    }

    /// The request, again as long as the object is found to be elsewhere.
    fn exchange(&self, operation: &ObjectOperation) -> Statement {
        let waits = name(if operation.is_oneway { "false" } else { "true" }, Type::INT);
        let named = operation.name.as_str();
        let begin = vec![address(the_call()), text(named), size_of_text(named), waits];
        let mut body = vec![local("_to", to().ty, Some(call("whittle_iiop_begin", begin, to().ty)))];
        if let Some(pack) = operation.client_request {
            let out = address(of_call(the_call(), "out", Type::Void));
            let encoded = self.marshalling.encode(pack, &[out, to(), address(request())]);
            body.push(assign(to(), unless_null(to(), encoded)));
        }
        let answer = name("_answer", Type::INT);
        body.push(assign(answer.clone(), call("whittle_iiop_send", vec![address(the_call()), to()], Type::INT)));
        Statement::DoWhile { body, condition: equal(answer, name("WHITTLE_ANSWER_AGAIN", Type::INT)) }
    }

    /// What is done with the answer.
    fn answer(&self, operation: &ObjectOperation) -> Vec<Statement> {
        let is = |what: &str| equal(name("_answer", Type::INT), name(format!("WHITTLE_ANSWER_{what}"), Type::INT));
        let raises = !operation.raises.is_empty();
        let mut body = vec![local("_at", bytes(), Some(null()))];
        body.extend(raises.then(|| local("_status", Type::INT, Some(integer(0)))));
        let found: Vec<Statement> = match raises {
            true => vec![when(is("EXCEPTION"), vec![self.exceptions(operation)])],
            false => Vec::new(),
        };
        let lends = call("whittle_iiop_lend", vec![address(the_call())], Type::named("bool"));
        let has_result = if operation.lent.is_some() { and(is("RESULT"), lends) } else { is("RESULT") };
        body.push(Statement::If { condition: has_result, then: self.results(operation), otherwise: found });
        let mut arguments = vec![address(the_call()), at()];
        arguments.push(if raises { status() } else { integer(0) });
        body.push(returns(match operation.reply(Carrier::Iiop) {
            Some((reply, ty)) => {
                arguments[2] = name(reply, ty);
                call("whittle_iiop_end_lent", arguments, Type::INT)
            }
            None => call("whittle_iiop_end", arguments, Type::INT),
        }));
        body
    }

    /// Results unmarshalled; what could not be is empty.
    fn results(&self, operation: &ObjectOperation) -> Vec<Statement> {
        let Some(pack) = operation.client_reply else {
            return vec![assign(at(), of_call(the_call(), "at", bytes()))];
        };
        let mut body = Vec::new();
        if is_direct(operation) {
            body.extend(answers(operation).map(lent));
        }
        body.push(assign(at(), self.decoding(pack, the_call(), address(reply()))));
        let release = self.marshalling.release(pack).filter(|_| operation.lent.is_none());
        let release = release.map(|release| call_statement(&release, vec![address(reply())]));
        if is_direct(operation) {
            let failed: Vec<Statement> = release.into_iter().chain(answers(operation).map(emptied)).collect();
            body.push(when(equal(at(), null()), failed));
        } else {
            // What was there before the call goes with what is left of the reply.
            body.push(when(not_equal(at(), null()), exchanged(operation, &reply())));
            body.extend(release);
        }
        body
    }

    fn decoding(&self, pack: TypeStubId, of: Expression, value: Expression) -> Expression {
        let context = address(of_call(of.clone(), "in", Type::Void));
        let arguments = [context, of_call(of.clone(), "at", bytes()), value];
        self.marshalling.decode(pack, of_call(of, "swapped", Type::named("bool")), &arguments)
    }

    /// Looks for the exception among those that the operation may raise.
    fn exceptions(&self, operation: &ObjectOperation) -> Statement {
        let unknown = call_statement("whittle_iiop_unexpected", vec![address(the_call())]);
        let numbered = operation.raises.iter().enumerate().rev();
        numbered.fold(unknown, |otherwise, (number, exception)| {
            let given = of_call(the_call(), "exception", bytes());
            let same = call("strcmp", vec![given, text(exception.repository_id.as_str())], Type::INT);
            let behind = match exception.stub {
                None => of_call(the_call(), "at", bytes()),
                Some(_) => {
                    let union = exceptions(operation).unwrap_or_else(null);
                    let member = address(exception_of(&union, exception));
                    let wanted = conditional(equal(union, null()), null(), member);
                    call(learning(exception), vec![address(the_call()), wanted], bytes())
                }
            };
            let number = integer(i128::try_from(number + 1).unwrap_or_default());
            let then = vec![assign(status(), number), assign(at(), behind)];
            Statement::If { condition: equal(same, integer(0)), then, otherwise: vec![otherwise] }
        })
    }

    /// The function that reads an exception's members, and keeps them where somebody wants them.
    fn exception(&self, exception: &Raised) -> Option<Declaration> {
        let stub = exception.stub?;
        let the_call = name("_call", Type::structure("whittle_iiop_call").pointer());
        let value = name("_value", exception.ty.clone());
        let wanted = name("_wanted", exception.ty.clone().pointer());
        let kept = and(not_equal(at(), null()), not_equal(wanted.clone(), null()));
        let release = self.marshalling.release(stub);
        let release = release.map(|release| call_statement(&release, vec![address(value.clone())]));
        let then = vec![assign(dereference(wanted.clone()), value.clone())];
        let otherwise = release.into_iter().collect();
        let body = vec![
            local("_value", value.ty.clone(), None),
            clear(value.clone(), false),
            local("_at", bytes(), Some(self.decoding(stub, dereference(the_call.clone()), address(value)))),
            Statement::If { condition: kept, then, otherwise },
            returns(at()),
        ];
        let parameters = vec![parameter("_call", the_call.ty), parameter("_wanted", wanted.ty)];
        Some(function(Linkage::Static, bytes(), learning(exception), parameters, body))
    }
}

/// The parameter for the members of exceptions.
fn exceptions(operation: &ObjectOperation) -> Option<Expression> {
    let union = |tag| Type::Tagged(cast::TagKind::Union, tag).pointer();
    operation.exceptions().map(|tag| name("exceptions", union(tag)))
}
