//! The client's functions, `b-stubs.c`: marshal the request, send it, wait, unmarshal the reply. Exceptions of the user's have
//! a function each. Source: OMG, C Language Mapping (formal/99-07-35), sections 1.3 and 1.20.

use cast::build::{
    address, arrow, assign, call, cast as cast_to, conditional, dereference, equal, integer, local, member, name,
    not_equal, null, parameter, returns, sizeof_value, text,
};
use cast::{Declaration, Expression, File, Linkage, Statement, Type};
use pres::{Argument, ObjectInterface, ObjectOperation, Passing, PresC, Raised, TypeStubId, Way};

use super::{PAYLOADS, environment, ev, own};
use crate::links::options::{After, Options};
use crate::links::rpc::{
    Marshalling, Use, at, bytes, file, given, messages, raised, read_into, reply, request, requested, to, variables,
};
use crate::links::words::{call_statement, clear, function};
use crate::plan::Direction;

/// The client's file; empty but for its beginning where there is no interface.
pub fn client_file(pres: &PresC, options: &Options, after: After) -> File {
    let operations = || own(pres).flat_map(|object| object.operations.iter().map(move |of| (object, of)));
    let raised = raised(operations().map(|(_, operation)| operation));
    let uses = |of: &ObjectOperation| Use::of_client(of.client_request, of.client_reply, true);
    let mut wanted: Vec<Use> = operations().flat_map(|(_, of)| uses(of)).collect();
    wanted.extend(raised.iter().filter_map(|of| of.stub).map(|stub| Use::new(stub, Direction::Decode)));
    let marshalling = Marshalling::new(pres, options, PAYLOADS, &wanted, after);
    let packs = operations().map(|(_, of)| [&of.client_request, &of.client_reply]);
    let mut rest = messages(pres, packs, &marshalling);
    let stubs = Stubs { marshalling: &marshalling };
    rest.extend(raised.iter().flat_map(|exception| [Declaration::Blank, stubs.exception(exception)]));
    rest.extend(operations().flat_map(|(object, of)| [Declaration::Blank, stubs.function(object, of)]));
    file(pres, options, &["string.h"], rest)
}

struct Stubs<'a> {
    marshalling: &'a Marshalling<'a>,
}

/// `_call`.
fn the_call() -> Expression {
    name("_call", Type::structure("whittle_call"))
}

fn reply_is(what: &str) -> Expression {
    equal(name("_answer", Type::INT), name(format!("WHITTLE_ANSWER_{what}"), Type::INT))
}

/// The call is read up to `at`.
fn unmarshalled(call: Expression, at: Expression) -> Statement {
    call_statement("whittle_call_unmarshalled", vec![call, at, ev()])
}

impl Stubs<'_> {
    fn function(&self, object: &ObjectInterface, operation: &ObjectOperation) -> Declaration {
        let mut parameters = vec![parameter("_obj", Type::named(&object.name))];
        parameters.extend(operation.parameters.iter().map(|of| parameter(&of.name, of.passed.clone())));
        parameters.push(parameter("ev", environment().pointer()));
        let mut body = self.variables(operation);
        body.push(self.exchange(operation));
        body.extend((!operation.is_oneway).then(|| self.receive(operation)));
        body.push(call_statement("whittle_call_end", vec![address(the_call())]));
        let result = operation.result.as_ref();
        body.extend(result.map(|result| returns(returned(result))));
        let ty = result.map_or(Type::Void, |result| result.passed.clone());
        function(Linkage::Plain, ty, &operation.client, parameters, body)
    }

    fn variables(&self, operation: &ObjectOperation) -> Vec<Statement> {
        let new = Some(name("WHITTLE_NEW_CALL", Type::Void));
        let mut body = vec![local("_call", the_call().ty, new)];
        body.push(local("_answer", Type::Tagged(cast::TagKind::Enum, "whittle_answer".to_string()), None));
        let packs = [(request(), operation.client_request), (reply(), operation.client_reply)];
        body.extend(variables(self.marshalling.pres, packs));
        if operation.client_request.is_some() {
            body.extend(operation.parameters.iter().flat_map(requested));
        }
        if operation.client_reply.is_some() {
            body.push(clear(reply(), false));
            body.extend(operation.parameters.iter().filter(|of| is_callers(of)).map(read_into));
        }
        body
    }

    /// The request, again as long as the object is found to be elsewhere.
    fn exchange(&self, operation: &ObjectOperation) -> Statement {
        let named = || text(operation.name.as_str());
        let waits = name(if operation.is_oneway { "false" } else { "true" }, Type::INT);
        let object = name("_obj", Type::named("CORBA_Object"));
        let begin = vec![address(the_call()), object, named(), sizeof_value(named()), waits, ev()];
        let mut body = vec![local("_to", to().ty, Some(call("whittle_call_begin", begin, to().ty)))];
        let encode = |pack| self.marshalling.encoded(pack, &the_call(), address(request()));
        body.extend(operation.client_request.map(encode));
        let send = call("whittle_call_send", vec![address(the_call()), to(), ev()], Type::INT);
        body.push(assign(name("_answer", Type::INT), send));
        Statement::DoWhile { body, condition: reply_is("AGAIN") }
    }

    /// What is done with the reply.
    fn receive(&self, operation: &ObjectOperation) -> Statement {
        let exceptions = vec![exceptions(&operation.raises)];
        let exceptions = Statement::If { condition: reply_is("EXCEPTION"), then: exceptions, otherwise: Vec::new() };
        let then = match operation.client_reply {
            None => vec![unmarshalled(address(the_call()), member(the_call(), "at", bytes()))],
            Some(pack) => self.results(operation, pack),
        };
        Statement::If { condition: reply_is("RESULT"), then, otherwise: vec![exceptions] }
    }

    fn results(&self, operation: &ObjectOperation, pack: TypeStubId) -> Vec<Statement> {
        let decoded = self.marshalling.decode(pack, &the_call(), address(reply()));
        let mut body = vec![local("_at", bytes(), Some(decoded)), unmarshalled(address(the_call()), at())];
        let mut failed: Vec<Statement> = self.marshalling.released(pack, address(reply())).into_iter().collect();
        failed.extend(operation.result.as_ref().map(|_| clear(reply(), false)));
        let got: Vec<Statement> = operation.parameters.iter().flat_map(handed_over).collect();
        match (got.is_empty(), failed.is_empty()) {
            (true, true) => {}
            (true, false) => {
                body.push(Statement::If { condition: equal(at(), null()), then: failed, otherwise: got });
            }
            _ => body.push(Statement::If { condition: not_equal(at(), null()), then: got, otherwise: failed }),
        }
        body
    }

    /// The function that makes an exception of the environment's from a reply.
    fn exception(&self, exception: &Raised) -> Declaration {
        let the_call = name("_call", the_call().ty.pointer());
        let value = name("value", exception.ty.clone().pointer());
        let at = name("at", bytes());
        let allocate = call(exception.allocate.as_str(), Vec::new(), value.ty.clone());
        let decoded = match exception.stub {
            None => arrow(the_call.clone(), "at", bytes()),
            Some(stub) => self.marshalling.decode(stub, &dereference(the_call.clone()), value.clone()),
        };
        let code = name(format!("TC_{}", cast::print_type(&exception.ty)), Type::named("CORBA_TypeCode"));
        let set = vec![ev(), name(&exception.id, bytes()), code, value.clone()];
        let body = vec![
            local("value", value.ty.clone(), Some(allocate)),
            local("at", bytes(), Some(conditional(equal(value.clone(), null()), null(), decoded))),
            Statement::If {
                condition: not_equal(at.clone(), null()),
                then: vec![call_statement("whittle_exception_user", set)],
                otherwise: vec![call_statement("CORBA_free", vec![value])],
            },
            unmarshalled(the_call.clone(), at),
        ];
        let parameters = vec![parameter("_call", the_call.ty), parameter("ev", environment().pointer())];
        function(Linkage::Static, Type::Void, raising(exception), parameters, body)
    }
}

/// Looks for the exception among those that the operation may raise.
fn exceptions(raises: &[Raised]) -> Statement {
    let unknown = call_statement("whittle_call_unknown", vec![address(the_call()), ev()]);
    raises.iter().rev().fold(unknown, |otherwise, exception| {
        let id = vec![member(the_call(), "exception", bytes()), name(&exception.id, bytes())];
        let raise = call_statement(&raising(exception), vec![address(the_call()), ev()]);
        let condition = equal(call("strcmp", id, Type::INT), integer(0));
        Statement::If { condition, then: vec![raise], otherwise: vec![otherwise] }
    })
}

/// `raise_Mail_Full`.
fn raising(exception: &Raised) -> String {
    format!("raise_{}", cast::print_type(&exception.ty))
}

/// Read to where the caller wants it.
fn is_callers(argument: &Argument) -> bool {
    argument.way != Way::In && matches!(argument.passing, Passing::FixedRecord | Passing::FixedArray)
}

/// What the caller gets of a good reply, beside what was read to where it wants it.
fn handed_over(argument: &Argument) -> Vec<Statement> {
    if argument.way == Way::In || is_callers(argument) {
        return Vec::new();
    }
    let (parameter, from) = (given(argument), member(reply(), &argument.name, argument.ty.clone()));
    let target = dereference(parameter.clone());
    let taken = match (argument.way, argument.passing) {
        (Way::Out, Passing::VariableArray) => {
            let slice = argument.passed.element().cloned().unwrap_or_default();
            assign(target, cast_to(slice, from))
        }
        (_, Passing::VariableArray) => {
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
fn returned(result: &Argument) -> Expression {
    let value = member(reply(), &result.name, result.ty.clone());
    match result.passing {
        Passing::FixedArray | Passing::VariableArray => cast_to(result.passed.clone(), value),
        _ => value,
    }
}
