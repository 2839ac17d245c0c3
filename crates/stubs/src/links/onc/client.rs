//! The client's functions, `b_client.c`: marshal what is asked behind a constant header, send it, wait, unmarshal what is
//! answered into the caller's storage. Each returns a status; where it is not 0, results are empty.

use cast::build::{
    address, and, assign, call, cast as cast_to, dereference, equal, integer, local, member, name, not_equal, null,
    parameter, returns, sizeof_value, when,
};
use cast::{Declaration, Expression, File, Linkage, Statement, Type};
use pres::{Argument, Carrier, ObjectInterface, ObjectOperation, PresC, TypeStubId, Way};

use super::marshalling::Marshalling;
use super::{After, Options, bytes, numbers, unless_null, word};
use crate::links::packs;
use crate::links::plain::{answers, asked, emptied, exchanged, lent, pack_variables, reply, request};
use crate::links::words::{call_statement, function};
use crate::plan::Direction;

/// The client's file.
pub fn client_file(pres: &PresC, options: &Options, after: After) -> File {
    let operations = || pres.objects.iter().flat_map(|object| object.operations.iter().map(move |of| (object, of)));
    let mut wanted: Vec<(TypeStubId, Direction)> = Vec::new();
    for (_, operation) in operations() {
        wanted.extend(operation.client_request.map(|stub| (stub, Direction::Encode)));
        wanted.extend(operation.client_reply.map(|stub| (stub, Direction::Decode)));
        let own = operation.client_reply.filter(|_| operation.lent.is_none());
        wanted.extend(own.map(|stub| (stub, Direction::Release)));
    }
    let marshalling = Marshalling::new(pres, options, &wanted, after);
    let structures = operations().flat_map(|(_, of)| packs::declarations(pres, &[of.client_request, of.client_reply]));
    let mut rest: Vec<Declaration> = structures.collect();
    rest.extend(marshalling.declarations());
    let stubs = Stubs { pres, marshalling: &marshalling };
    for (object, operation) in operations() {
        rest.extend([Declaration::Blank, stubs.function(object, operation)]);
    }
    super::file(pres, options, rest)
}

struct Stubs<'a> {
    pres: &'a PresC,
    marshalling: &'a Marshalling<'a>,
}

fn the_call() -> Expression {
    name("_call", Type::structure("whittle_onc_call"))
}

fn of_call(part: &str, ty: Type) -> Expression {
    member(the_call(), part, ty)
}

fn to() -> Expression {
    name("_to", Type::CHAR.pointer())
}

fn at() -> Expression {
    name("_at", bytes())
}

fn status() -> Expression {
    name("_status", Type::INT)
}

/// Results are unmarshalled where the caller wants them; else they are beside it until they are known to be good.
fn is_direct(operation: &ObjectOperation) -> bool {
    operation.raises.is_empty() && operation.parameters.iter().all(|argument| argument.way != Way::InOut)
}

impl Stubs<'_> {
    fn function(&self, object: &ObjectInterface, operation: &ObjectOperation) -> Declaration {
        let mut parameters = vec![parameter("client", Type::structure(Carrier::Onc.client()).pointer())];
        let arguments = operation.parameters.iter().flat_map(Argument::parameters);
        parameters.extend(arguments.map(|(name, ty)| parameter(name, ty)));
        let exceptions = operation.exceptions().map(|tag| Type::Tagged(cast::TagKind::Union, tag).pointer());
        parameters.extend(exceptions.map(|ty| parameter("exceptions", ty)));
        parameters.extend(operation.reply(Carrier::Onc).map(|(name, ty)| parameter(name, ty)));
        let mut body = self.variables(operation);
        body.extend(self.asking(object, operation));
        match operation.is_oneway {
            true => body.push(call_statement("whittle_onc_post", vec![address(the_call()), to()])),
            false => body.extend(self.answering(operation)),
        }
        let ended = if operation.is_oneway { of_call("at", bytes()) } else { at() };
        let end = match operation.reply(Carrier::Onc) {
            Some((reply, ty)) => {
                call("whittle_onc_end_lent", vec![address(the_call()), ended, name(reply, ty)], Type::INT)
            }
            None => call("whittle_onc_end", vec![address(the_call()), ended], Type::INT),
        };
        match operation.raises.is_empty() {
            true => body.push(returns(end)),
            false => body.extend(self.outcome(operation, end)),
        }
        function(Linkage::Plain, Type::INT, &operation.client, parameters, body)
    }

    fn variables(&self, operation: &ObjectOperation) -> Vec<Statement> {
        let mut body = vec![local("_call", the_call().ty, None)];
        body.extend(pack_variables(self.pres, operation, is_direct(operation)));
        body
    }

    /// The call, begun and marshalled.
    fn asking(&self, object: &ObjectInterface, operation: &ObjectOperation) -> Vec<Statement> {
        let mut body: Vec<Statement> = Vec::new();
        if operation.client_request.is_some() {
            body.extend(operation.parameters.iter().flat_map(asked));
        }
        let [program, version] = numbers(object);
        let client = name("client", Type::structure(Carrier::Onc.client()).pointer());
        let begin = vec![address(the_call()), client, program, version, word(operation.number.unwrap_or(0))];
        body.push(local("_to", to().ty, Some(call("whittle_onc_begin", begin, to().ty))));
        if let Some(pack) = operation.client_request {
            let arguments = vec![address(of_call("out", Type::Void)), to(), address(request())];
            let routine = self.marshalling.name(pack, Direction::Encode);
            body.push(assign(to(), unless_null(to(), &routine, arguments)));
        }
        body
    }

    /// The exchange, and its results unmarshalled; what could not be is empty. Until then an argument may lie where a result
    /// is wanted, and be sent from there.
    fn answering(&self, operation: &ObjectOperation) -> Vec<Statement> {
        let exchange = call("whittle_onc_exchange", vec![address(the_call()), to()], Type::INT);
        let mut succeeded = equal(exchange, integer(0));
        let empties: Vec<Statement> =
            answers(operation).filter(|argument| argument.way != Way::InOut).map(emptied).collect();
        let mut body = Vec::new();
        if !empties.is_empty() {
            let answered = name("_answered", Type::named("bool"));
            body.push(local("_answered", answered.ty.clone().constant(), Some(succeeded)));
            body.extend(empties);
            succeeded = answered;
        }
        let Some(pack) = operation.client_reply else {
            let start = of_call("at", bytes());
            let chosen = cast::build::conditional(succeeded, start, null());
            body.push(local("_at", bytes(), Some(chosen)));
            return body;
        };
        let mut then = Vec::new();
        if is_direct(operation) {
            then.extend(answers(operation).map(lent));
        }
        let arguments = vec![address(of_call("in", Type::Void)), of_call("at", bytes()), address(reply())];
        then.push(assign(at(), call(self.marshalling.name(pack, Direction::Decode), arguments, bytes())));
        if operation.lent.is_some() {
            // What it holds goes with the reply.
            then.push(when(equal(at(), null()), answers(operation).map(emptied).collect()));
            let lends = call("whittle_onc_lend", vec![address(the_call())], Type::named("bool"));
            body.extend([local("_at", bytes(), Some(null())), when(and(succeeded, lends), then)]);
            return body;
        }
        let release = self.release(pack);
        if is_direct(operation) {
            let failed: Vec<Statement> = release.into_iter().chain(answers(operation).map(emptied)).collect();
            then.extend((!failed.is_empty()).then(|| when(equal(at(), null()), failed)));
        } else if operation.raises.is_empty() {
            // What was there before the call goes with what is left of the reply.
            then.push(when(not_equal(at(), null()), exchanged(operation, &results(operation))));
            then.extend(release);
        } else {
            let is_good = and(not_equal(at(), null()), equal(raised(), integer(0)));
            let got = exchanged(operation, &results(operation));
            then.extend((!got.is_empty()).then(|| when(is_good, got)));
        }
        body.extend([local("_at", bytes(), Some(null())), when(succeeded, then)]);
        body
    }

    fn release(&self, pack: TypeStubId) -> Option<Statement> {
        self.marshalling.release(pack).map(|release| call_statement(&release, vec![address(reply())]))
    }

    /// The number of the exception, whose members the caller gets if it wants them.
    fn outcome(&self, operation: &ObjectOperation, end: Expression) -> Vec<Statement> {
        let Some(pack) = operation.client_reply else { return vec![returns(end)] };
        let release = || self.release(pack).into_iter();
        let mut body = vec![local("_status", Type::INT, Some(end))];
        let kept = operation.exceptions().map(|_| {
            let exceptions = name("exceptions", Type::Void.pointer());
            let size = sizeof_value(dereference(exceptions.clone()));
            let union = address(member(reply(), "u", Type::Void));
            let copy = call_statement("memcpy", vec![exceptions.clone(), union, size]);
            let is_raised = and(equal(status(), integer(0)), not_equal(raised(), integer(0)));
            let condition = and(is_raised, not_equal(exceptions, null()));
            Statement::If { condition, then: vec![copy], otherwise: release().collect() }
        });
        match kept {
            Some(kept) => body.push(kept),
            None => body.extend(release()),
        }
        let number = cast_to(Type::INT, raised());
        body.push(returns(cast::build::conditional(equal(status(), integer(0)), number, status())));
        body
    }
}

/// Which exception the reply holds.
fn raised() -> Expression {
    member(reply(), pres::RAISED, Type::named("uint32_t"))
}

/// Where the reply holds results.
fn results(operation: &ObjectOperation) -> Expression {
    match operation.raises.is_empty() {
        true => reply(),
        false => member(member(reply(), "u", Type::Void), pres::RESULTS, Type::Void),
    }
}
