//! The client's functions, `b-stubs.c`: marshal the request, send it, wait, unmarshal the reply. Exceptions of the user's have
//! a function each. Source: OMG, C Language Mapping (formal/99-07-35), sections 1.3 and 1.20.

use cast::build::{
    address, assign, cast as cast_to, dereference, equal, local, member, not_equal, null, parameter, returns,
    sizeof_value,
};
use cast::{Declaration, Expression, File, Linkage, Statement, Type};
use pres::{Argument, Interface, Operation, Passing, PresC, TypeStubId, Way};

use super::{Exceptions, Objects, environment, exceptions, own};
use crate::links::options::{After, Options};
use crate::links::rpc::{
    Marshalling, Use, at, bytes, file, given, messages, raised, read_into, reply, request, requested, results_of,
    tells_in_reply, variables,
};
use crate::links::statements::{call_statement, clear, function};
use crate::plan::Direction;

/// The client's file; empty but for its beginning where there is no interface.
pub fn client_file(pres: &PresC, options: &Options, link: &dyn Objects, after: After) -> File {
    let operations = || own(pres).flat_map(|object| object.operations.iter().map(move |of| (object, of)));
    let raised = raised(operations().map(|(_, operation)| operation));
    let uses = |of: &Operation| Use::of_client(of.client_request.structure(), of.client_reply.structure(), true);
    let mut wanted: Vec<Use> = operations().flat_map(|(_, of)| uses(of)).collect();
    let direction = match link.exceptions() {
        Exceptions::Replies(_) => Direction::Decode,
        Exceptions::InReply(_) => Direction::Release,
    };
    wanted.extend(raised.iter().filter_map(|of| of.stub).map(|stub| Use::new(stub, direction)));
    let marshalling = Marshalling::new(pres, options, link.payloads(), &wanted, after);
    let packs = operations().map(|(_, of)| [of.client_request.structure(), of.client_reply.structure()]);
    let mut rest = messages(pres, packs, &marshalling);
    let stubs = Stubs { marshalling: &marshalling, link };
    if let Exceptions::Replies(_) = link.exceptions() {
        let functions = raised.iter().map(|exception| exceptions::raising_function(link, &marshalling, exception));
        rest.extend(functions.flat_map(|function| [Declaration::Blank, function]));
    }
    rest.extend(operations().flat_map(|(object, of)| [Declaration::Blank, stubs.function(object, of)]));
    file(pres, options, &["string.h"], rest)
}

struct Stubs<'a> {
    marshalling: &'a Marshalling<'a>,
    link: &'a dyn Objects,
}

impl Stubs<'_> {
    fn function(&self, object: &Interface, operation: &Operation) -> Declaration {
        let mut parameters = vec![parameter("_obj", Type::named(&object.name))];
        parameters.extend(operation.parameters.iter().map(|of| parameter(&of.name, of.passed.clone())));
        parameters.push(parameter("ev", environment().pointer()));
        let mut body = self.variables(operation);
        let encode = |pack| self.marshalling.encoded(pack, &self.link.call(), address(request()));
        body.extend(self.link.send(object, operation, operation.client_request.structure().map(encode)));
        match operation.is_oneway {
            true => body.extend(self.link.post()),
            false => body.push(self.receive(operation)),
        }
        body.extend(self.link.end());
        let result = operation.result.as_ref();
        body.extend(result.map(|result| returns(returned(result, results_of(reply(), self.link, operation)))));
        let ty = result.map_or(Type::Void, |result| result.passed.clone());
        function(Linkage::Plain, ty, &operation.client, parameters, body)
    }

    fn variables(&self, operation: &Operation) -> Vec<Statement> {
        let mut body = self.link.call_variables();
        let packs = [(request(), operation.client_request.structure()), (reply(), operation.client_reply.structure())];
        body.extend(variables(self.marshalling.pres, packs));
        if operation.client_request.structure().is_some() {
            body.extend(operation.parameters.iter().flat_map(requested));
        }
        if operation.client_reply.structure().is_some() {
            body.push(clear(reply(), false));
            if !tells_in_reply(self.link, operation) {
                body.extend(operation.parameters.iter().filter(|of| is_callers(of)).map(read_into));
            }
        }
        body
    }

    /// What is done with the reply.
    fn receive(&self, operation: &Operation) -> Statement {
        let otherwise = match self.link.exceptions() {
            Exceptions::Replies(replies) => {
                let then = vec![exceptions::found(self.link, replies, &operation.raises)];
                vec![Statement::If { condition: replies.is_raised(), then, otherwise: Vec::new() }]
            }
            Exceptions::InReply(_) => Vec::new(),
        };
        let call = self.link.call();
        let then = match operation.client_reply.structure() {
            None => vec![self.link.unmarshalled(address(call.clone()), member(call, "at", bytes()))],
            Some(pack) => self.results(operation, pack),
        };
        Statement::If { condition: self.link.has_results(), then, otherwise }
    }

    fn results(&self, operation: &Operation, pack: TypeStubId) -> Vec<Statement> {
        let decoded = self.marshalling.decode(pack, &self.link.call(), address(reply()));
        let mut body = vec![local("_at", bytes(), Some(decoded))];
        body.push(self.link.unmarshalled(address(self.link.call()), at()));
        let mut failed: Vec<Statement> = self.marshalling.released(pack, address(reply())).into_iter().collect();
        failed.extend(operation.result.as_ref().map(|_| clear(reply(), false)));
        let is_beside = tells_in_reply(self.link, operation);
        let from = results_of(reply(), self.link, operation);
        let kept = operation.parameters.iter().filter(|of| of.way != Way::In && (is_beside || !is_callers(of)));
        let mut got: Vec<Statement> = kept.flat_map(|argument| handed_over(argument, &from)).collect();
        if let (Exceptions::InReply(how), true) = (self.link.exceptions(), is_beside) {
            got = exceptions::raised_in_reply(&how, self.marshalling, operation, got);
        }
        match (got.is_empty(), failed.is_empty()) {
            (true, true) => {}
            (true, false) => {
                body.push(Statement::If { condition: equal(at(), null()), then: failed, otherwise: got });
            }
            _ => body.push(Statement::If { condition: not_equal(at(), null()), then: got, otherwise: failed }),
        }
        body
    }
}

/// Read to where the caller wants it.
fn is_callers(argument: &Argument) -> bool {
    argument.way != Way::In && matches!(argument.passing, Passing::FixedRecord | Passing::FixedArray)
}

/// What the caller gets of the results of a good reply.
fn handed_over(argument: &Argument, results: &Expression) -> Vec<Statement> {
    let (parameter, from) = (given(argument), member(results.clone(), &argument.name, argument.ty.clone()));
    let target = dereference(parameter.clone());
    let taken = match (argument.way, argument.passing) {
        (Way::Out, Passing::VariableArray) => {
            let slice = argument.passed.element().cloned().unwrap_or_default();
            assign(target, cast_to(slice, from))
        }
        (_, Passing::VariableArray | Passing::FixedArray) => {
            let size = sizeof_value(from.clone());
            call_statement("memcpy", vec![parameter.clone(), from, size])
        }
        _ => assign(target, from),
    };
    let release = argument.release.as_ref().filter(|_| argument.way == Way::InOut);
    let freed = release.map(|release| call_statement(release, vec![parameter]));
    freed.into_iter().chain([taken]).collect()
}

/// What the function returns; zero where the call failed.
fn returned(result: &Argument, results: Expression) -> Expression {
    let value = member(results, &result.name, result.ty.clone());
    match result.passing {
        Passing::FixedArray | Passing::VariableArray => cast_to(result.passed.clone(), value),
        _ => value,
    }
}
