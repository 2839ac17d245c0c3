//! The server's file, `b_server.c`: a function for each operation, which unmarshals the request where it lies, calls the
//! user's function and marshals its results; and for each interface the link's dispatch, and what begins to serve it. Source:
//! Flick (PLDI'97) section 3.1 (parameters in the message).

use cast::build::{
    address, and, arrow, assign, call, call_through, cast as cast_to, dereference, equal, integer, less, local, member,
    name, null, parameter, returns, sizeof_value, when,
};
use cast::{Declaration, Expression, File, Linkage, Statement, Type};
use pres::{Interface, Operation, PresC, TypeStubId};

use super::super::options::{After, Options};
use super::link::Link;
use super::marshalling::{Marshalling, Use};
use super::values::{answer, answered_in_place, context, functions, functions_type, passed, received, replaced};
use super::{exceptions, operations, results_of, status, tells_in_reply, to};
use crate::links::statements::{call_statement, clear, function};
use crate::plan::Direction;

/// The server's file.
pub fn server_file(pres: &PresC, options: &Options, link: &dyn Link, after: After) -> File {
    let uses = |of: &Operation| Use::of_server(of.server_request.structure(), of.server_reply.structure(), !of.borrows);
    let mut wanted: Vec<Use> = operations(pres).flat_map(|(_, of)| uses(of)).collect();
    let (raised, of_exceptions) = exceptions::of_link(pres, link, [Direction::Encode, Direction::Release]);
    wanted.extend(of_exceptions);
    let marshalling = Marshalling::new(pres, options, link.payloads(), &wanted, after);
    let packs = operations(pres).map(|(_, of)| [of.server_request.structure(), of.server_reply.structure()]);
    let mut rest = super::messages(pres, packs, &marshalling);
    if let Some(replies) = link.exception_replies() {
        let answering = raised.iter().map(|of| exceptions::raising_function(link, replies, &marshalling, of));
        rest.extend(answering.flat_map(|function| [Declaration::Blank, function]));
    }
    let stubs = Stubs { marshalling: &marshalling, link };
    rest.extend(operations(pres).flat_map(|(object, of)| [Declaration::Blank, stubs.operation(object, of)]));
    for object in &pres.interfaces {
        rest.extend([Declaration::Blank, link.dispatch(object), Declaration::Blank, stubs.serve(object)]);
    }
    super::file(pres, options, &["string.h"], rest)
}

/// `serve_dir_list`.
pub(in crate::links) fn serving(operation: &Operation) -> String {
    format!("serve_{}", operation.client)
}

struct Stubs<'a> {
    marshalling: &'a Marshalling<'a>,
    link: &'a dyn Link,
}

impl Stubs<'_> {
    fn operation(&self, object: &Interface, operation: &Operation) -> Declaration {
        let implementation = arrow(functions(object), operation.server.as_str(), Type::Void.pointer());
        let mut body = self.variables(operation);
        let refusals = self.link.refusals();
        let unimplemented = refusals.refused(&refusals.unimplemented, operation, self.link.request());
        body.push(when(equal(implementation.clone(), null()), unimplemented));
        body.extend(self.arguments(operation));
        let results = self.results(operation);
        let mut arguments = vec![context()];
        arguments.extend(operation.parameters.iter().flat_map(|argument| passed(argument, &results)));
        arguments.extend(exceptions::variable_for(operation).map(address));
        let called = call_through(implementation, arguments, Type::INT);
        if operation.is_oneway {
            // Nothing is wanted but that it runs, and nothing is answered.
            let is_unused = operation.server_request.structure().is_none() && !self.link.refusals().know_oneway;
            body.extend(is_unused.then(|| Statement::Expression(cast_to(Type::Void, self.link.request()))));
            body.push(Statement::Expression(cast_to(Type::Void, called)));
        } else {
            body.extend(self.link.before_function());
            body.push(local("_status", Type::INT, Some(called)));
            body.extend(tells_in_reply(self.link, operation).then(|| self.outcome(operation)));
            body.push(self.answer(operation));
        }
        body.extend(self.release(operation.server_reply.structure(), answer()));
        body.extend(self.marshalling.release_request(operation));
        let parameters = [functions(object), context(), self.link.request()];
        let parameters = parameters.map(|of| parameter(cast::print_expression(&of), of.ty)).to_vec();
        function(Linkage::Static, Type::Void, serving(operation), parameters, body)
    }

    /// Where the reply holds results.
    fn results(&self, operation: &Operation) -> Expression {
        results_of(answer(), self.link, operation)
    }

    fn variables(&self, operation: &Operation) -> Vec<Statement> {
        let packs =
            [(received(), operation.server_request.structure()), (answer(), operation.server_reply.structure())];
        let typed = |(variable, pack): (Expression, Option<TypeStubId>)| {
            Some((variable, self.marshalling.pres.types[pack?].ty.clone()))
        };
        let exceptions = exceptions::variable_for(operation).map(|union| (union.clone(), union.ty));
        let all: Vec<(Expression, Type)> = packs.into_iter().filter_map(typed).chain(exceptions).collect();
        let declared = all.iter().map(|(variable, ty)| local(cast::print_expression(variable), ty.clone(), None));
        let cleared = all.iter().map(|(variable, _)| clear(variable.clone(), false));
        declared.chain(cleared).collect()
    }

    /// Unmarshals the request; what is replaced is answered from where it came.
    fn arguments(&self, operation: &Operation) -> Vec<Statement> {
        let heap = format!("{}_heap", self.link.kind().prefix());
        let mut body = self.marshalling.arguments(operation, self.link.request(), &heap, &self.link.refusals());
        let results = self.results(operation);
        body.extend(replaced(operation).map(|of| answered_in_place(of, &results)));
        body
    }

    /// The reply tells an exception in place of results.
    fn outcome(&self, operation: &Operation) -> Statement {
        // Results that are there already are not answered.
        let mut then: Vec<Statement> = self.release(operation.server_reply.structure(), answer()).into_iter().collect();
        then.push(clear(answer(), false));
        let number = member(answer(), pres::RAISED, Type::named("uint32_t"));
        then.push(assign(number, cast_to(Type::named("uint32_t"), status())));
        if let Some(exceptions) = exceptions::variable_for(operation) {
            let union = address(member(answer(), "u", Type::Void));
            let size = sizeof_value(exceptions.clone());
            then.push(call_statement("memcpy", vec![union, address(exceptions), size]));
        }
        then.push(assign(status(), integer(0)));
        let last = i128::try_from(operation.raises.len()).unwrap_or_default();
        let is_raised = match last {
            1 => equal(status(), integer(1)),
            _ => and(less(integer(0), status()), less(status(), integer(last + 1))),
        };
        when(is_raised, then)
    }

    /// Answers with results, an exception, or a refusal in their place.
    fn answer(&self, operation: &Operation) -> Statement {
        let refuse = format!("{}_refuse", self.link.kind().prefix());
        let mut otherwise = call_statement(&refuse, vec![self.link.request(), status()]);
        if self.link.exception_replies().is_some() {
            otherwise = exceptions::answered(self.link, operation, otherwise);
        }
        let holder = dereference(self.link.request());
        let then = match operation.server_reply.structure() {
            None => self.link.acknowledge(),
            Some(pack) => vec![
                local("_to", to().ty, Some(self.link.begin_reply())),
                self.marshalling.encoded(pack, &holder, address(answer())),
                self.link.end_reply(to()),
            ],
        };
        Statement::If { condition: equal(status(), integer(0)), then, otherwise: vec![otherwise] }
    }

    fn release(&self, pack: Option<TypeStubId>, value: Expression) -> Option<Statement> {
        self.marshalling.released(pack?, address(value))
    }

    /// `dir_serve`.
    fn serve(&self, object: &Interface) -> Declaration {
        let kind = self.link.kind();
        let given = [
            name("server", kind.server().pointer()),
            name("operations", functions_type(object)),
            name("context", Type::Void.pointer()),
        ];
        let parameters = given.iter().map(|of| parameter(cast::print_expression(of), of.ty.clone())).collect();
        let (mut body, described) = self.link.description(object);
        let [server, operations, context] = given;
        let arguments = [vec![server], described, vec![operations, context]].concat();
        body.push(returns(call(format!("{}_serve", kind.prefix()), arguments, Type::INT)));
        function(Linkage::Plain, Type::INT, format!("{}_serve", object.name), parameters, body)
    }
}
