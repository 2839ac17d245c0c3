//! The client's functions, `b_client.c`: marshal the request behind the link's header, send it, wait, unmarshal the reply into
//! the caller's storage. Each returns a status; where it is not 0, results are empty.

use cast::build::{
    address, and, assign, cast as cast_to, conditional, dereference, equal, integer, local, member, name, not_equal,
    null, parameter, returns, sizeof_value, when,
};
use cast::{Declaration, Expression, File, Linkage, Statement, Type};
use pres::{Argument, Interface, Operation, PresC, TypeStubId, Way};

use super::super::options::{After, Options};
use super::link::Link;
use super::marshalling::{Marshalling, Use};
use super::values::{emptied, exchanged, outputs, read_into, reply, request, requested, results, variables};
use super::{at, bytes, exceptions, operations, results_of, status, tells_in_reply};
use crate::links::statements::{call_statement, clear, function};
use crate::plan::Direction;

/// The client's file.
pub fn client_file(pres: &PresC, options: &Options, link: &dyn Link, after: After) -> File {
    let uses =
        |of: &Operation| Use::of_client(of.client_request.structure(), of.client_reply.structure(), of.lent.is_none());
    let mut wanted: Vec<Use> = operations(pres).flat_map(|(_, of)| uses(of)).collect();
    let (raised, of_exceptions) = exceptions::of_link(pres, link, [Direction::Decode, Direction::Release]);
    wanted.extend(of_exceptions);
    let marshalling = Marshalling::new(pres, options, link.payloads(), &wanted, after);
    let packs = operations(pres).map(|(_, of)| [of.client_request.structure(), of.client_reply.structure()]);
    let mut rest = super::messages(pres, packs, &marshalling);
    if let Some(replies) = link.exception_replies() {
        let reading = raised.iter().filter_map(|of| exceptions::reading(replies, &marshalling, of));
        rest.extend(reading.flat_map(|function| [Declaration::Blank, function]));
    }
    let stubs = Stubs { marshalling: &marshalling, link };
    rest.extend(operations(pres).flat_map(|(object, of)| [Declaration::Blank, stubs.function(object, of)]));
    super::file(pres, options, &["string.h"], rest)
}

struct Stubs<'a> {
    marshalling: &'a Marshalling<'a>,
    link: &'a dyn Link,
}

/// Which exception the reply holds.
fn raised() -> Expression {
    member(reply(), pres::RAISED, Type::named("uint32_t"))
}

impl Stubs<'_> {
    fn function(&self, object: &Interface, operation: &Operation) -> Declaration {
        let kind = self.link.kind();
        let mut parameters = vec![parameter("client", kind.client().pointer())];
        let arguments = operation.parameters.iter().flat_map(Argument::parameters);
        parameters.extend(arguments.map(|(name, ty)| parameter(name, ty)));
        parameters.extend(exceptions::parameter_for(operation).map(|union| parameter("exceptions", union.ty)));
        parameters.extend(operation.reply(kind).map(|(name, ty)| parameter(name, ty)));
        let mut body = self.link.call_variables();
        body.extend(self.messages(operation));
        if operation.client_request.structure().is_some() {
            body.extend(operation.parameters.iter().flat_map(requested));
        }
        let encode = |pack| self.marshalling.encoded(pack, &self.link.call(), address(request()));
        body.extend(self.link.send(object, operation, operation.client_request.structure().map(encode)));
        match operation.is_oneway {
            true => body.extend(self.link.post()),
            false => body.extend(self.receive(operation)),
        }
        function(Linkage::Plain, Type::INT, &operation.client, parameters, body)
    }

    /// Results are unmarshalled where the caller wants them; else they are beside it until they are known to be good.
    fn is_direct(&self, operation: &Operation) -> bool {
        !tells_in_reply(self.link, operation) && operation.parameters.iter().all(|argument| argument.way != Way::InOut)
    }

    /// The variables of both messages; the reply empty, where it is not read to where the caller wants it.
    fn messages(&self, operation: &Operation) -> Vec<Statement> {
        let both = [(request(), operation.client_request.structure()), (reply(), operation.client_reply.structure())];
        let mut body = variables(self.marshalling.pres, both);
        let is_read_beside = operation.client_reply.structure().is_some() && !self.is_direct(operation);
        body.extend(is_read_beside.then(|| clear(reply(), false)));
        body
    }

    /// Waits for the reply and unmarshals it; results that cannot be had are empty. Until then an argument may lie where a
    /// result is wanted, and be sent from there.
    fn receive(&self, operation: &Operation) -> Vec<Statement> {
        let has_nothing = operation.client_reply.structure().is_none() && operation.raises.is_empty();
        if let Some(ended) = self.link.acknowledged().filter(|_| has_nothing && operation.lent.is_none()) {
            return vec![returns(ended)];
        }
        let mut body = Vec::new();
        let mut succeeded = self.link.has_results();
        let empties: Vec<Statement> = outputs(operation).map(emptied).collect();
        if self.link.waits_for_results() && !empties.is_empty() {
            let answered = name("_answered", Type::named("bool"));
            body.push(local("_answered", answered.ty.clone().constant(), Some(succeeded)));
            succeeded = answered;
        }
        body.extend(empties);
        let holder = self.link.call();
        let replies = self.link.exception_replies().filter(|_| !operation.raises.is_empty());
        if operation.client_reply.structure().is_none() && replies.is_none() {
            let chosen = conditional(succeeded, member(holder, "at", bytes()), null());
            body.push(local("_at", bytes(), Some(chosen)));
            body.push(returns(self.end(operation, integer(0))));
            return body;
        }
        body.push(local("_at", bytes(), Some(null())));
        body.extend(replies.map(|_| local("_status", Type::INT, Some(integer(0)))));
        let then = match operation.client_reply.structure() {
            Some(pack) => self.unmarshal(operation, pack),
            None => vec![assign(at(), member(holder.clone(), "at", bytes()))],
        };
        if operation.lent.is_some() {
            succeeded = and(succeeded, self.link.lends());
        }
        let found =
            replies.map(|replies| when(replies.is_raised(), vec![exceptions::found(replies, &holder, operation)]));
        body.push(Statement::If { condition: succeeded, then, otherwise: found.into_iter().collect() });
        match operation.client_reply.structure().filter(|_| tells_in_reply(self.link, operation)) {
            Some(pack) => body.extend(self.outcome(operation, pack)),
            None => {
                let success = if replies.is_some() { status() } else { integer(0) };
                body.push(returns(self.end(operation, success)));
            }
        }
        body
    }

    fn end(&self, operation: &Operation, success: Expression) -> Expression {
        self.link.end(success, operation.reply(self.link.kind()).map(|(reply, ty)| name(reply, ty)))
    }

    /// Results unmarshalled; those that cannot be had are empty.
    fn unmarshal(&self, operation: &Operation, pack: TypeStubId) -> Vec<Statement> {
        let is_direct = self.is_direct(operation);
        let mut body: Vec<Statement> = if is_direct { results(operation).map(read_into).collect() } else { Vec::new() };
        body.push(assign(at(), self.marshalling.decode(pack, &self.link.call(), address(reply()))));
        // What lent results hold goes with the reply.
        let release = self.marshalling.released(pack, address(reply())).filter(|_| operation.lent.is_none());
        let from = results_of(reply(), self.link, operation);
        if is_direct || operation.lent.is_some() {
            let failed: Vec<Statement> = release.into_iter().chain(results(operation).map(emptied)).collect();
            body.extend((!failed.is_empty()).then(|| when(equal(at(), null()), failed)));
        } else if tells_in_reply(self.link, operation) {
            let is_good = and(not_equal(at(), null()), equal(raised(), integer(0)));
            let got = exchanged(operation, &from);
            body.extend((!got.is_empty()).then(|| when(is_good, got)));
        } else {
            // What was there before the call goes with what is left of the reply.
            body.push(when(not_equal(at(), null()), exchanged(operation, &from)));
            body.extend(release);
        }
        body
    }

    /// The number of the exception that the reply tells, whose members the caller gets if it wants them.
    fn outcome(&self, operation: &Operation, pack: TypeStubId) -> Vec<Statement> {
        let release = self.marshalling.released(pack, address(reply()));
        let mut body = vec![local("_status", Type::INT, Some(self.end(operation, integer(0))))];
        if operation.exceptions().is_some() {
            let wanted = name("exceptions", Type::Void.pointer());
            let size = sizeof_value(dereference(wanted.clone()));
            let union = address(member(reply(), "u", Type::Void));
            let copy = call_statement("memcpy", vec![wanted.clone(), union, size]);
            let is_raised = and(equal(status(), integer(0)), not_equal(raised(), integer(0)));
            let condition = and(is_raised, not_equal(wanted, null()));
            body.push(Statement::If { condition, then: vec![copy], otherwise: release.into_iter().collect() });
        } else {
            body.extend(release);
        }
        let number = cast_to(Type::INT, raised());
        body.push(returns(conditional(equal(status(), integer(0)), number, status())));
        body
    }
}
