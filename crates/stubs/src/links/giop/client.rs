//! The client's functions, `b-stubs.c`: marshal what is asked, send it, wait, unmarshal what is answered. Exceptions of
//! the user's have a function each. Source: OMG, C Language Mapping (formal/99-07-35), sections 1.3 and 1.20.

use cast::build::{
    address, arrow, assign, call, cast as cast_to, conditional, dereference, equal, integer, local, member, name,
    not_equal, null, parameter, returns, sizeof_value, text,
};
use cast::{Declaration, Expression, File, Linkage, Statement, Type};
use pres::{Argument, ObjectInterface, ObjectOperation, Passing, PresC, Raised, TypeStubId, Way};

use super::marshalling::{Marshalling, Use};
use super::words::{bytes, environment, ev, size_of_text, unless_null};
use super::{After, Options};
use crate::links::packs;
use crate::links::words::{call_statement, clear, function};
use crate::plan::Direction;

/// The client's file; empty but for its beginning where there is no interface.
pub fn client_file(pres: &PresC, options: &Options, after: After) -> File {
    let own = || pres.objects.iter().filter(|object| !object.imported && !object.is_local);
    let operations: Vec<(&ObjectInterface, &ObjectOperation)> =
        own().flat_map(|object| object.operations.iter().map(move |operation| (object, operation))).collect();
    let raised = raised(operations.iter().map(|(_, operation)| *operation));
    let mut wanted: Vec<Use> = Vec::new();
    for (_, operation) in &operations {
        wanted.extend(operation.client_request.map(Use::body));
        wanted.extend(operation.client_reply.map(|stub| Use::new(stub, Direction::Decode)));
        wanted.extend(operation.client_reply.map(|stub| Use::new(stub, Direction::Release)));
    }
    wanted.extend(raised.iter().filter_map(|of| of.stub).map(|stub| Use::new(stub, Direction::Decode)));
    let marshalling = Marshalling::new(pres, options, &wanted, after);
    let stubs = Stubs { pres, marshalling: &marshalling };
    let structures =
        operations.iter().flat_map(|(_, of)| packs::declarations(pres, &[of.client_request, of.client_reply]));
    let mut rest: Vec<Declaration> = structures.collect();
    rest.extend(marshalling.declarations.iter().cloned());
    for exception in &raised {
        rest.extend([Declaration::Blank, stubs.exception(exception)]);
    }
    for (object, operation) in &operations {
        rest.extend([Declaration::Blank, stubs.function(object, operation)]);
    }
    super::file(pres, options, &["string.h"], rest)
}

/// Each exception once.
pub(super) fn raised<'a>(operations: impl Iterator<Item = &'a ObjectOperation>) -> Vec<&'a Raised> {
    let mut found: Vec<&Raised> = Vec::new();
    for exception in operations.flat_map(|operation| &operation.raises) {
        if !found.iter().any(|known| known.id == exception.id) {
            found.push(exception);
        }
    }
    found
}

struct Stubs<'a> {
    pres: &'a PresC,
    marshalling: &'a Marshalling<'a>,
}

/// `_call`.
fn the_call() -> Expression {
    name("_call", Type::structure("whittle_call"))
}

/// `_call.part`.
fn of_call(part: &str, ty: Type) -> Expression {
    member(the_call(), part, ty)
}

impl Stubs<'_> {
    fn function(&self, object: &ObjectInterface, operation: &ObjectOperation) -> Declaration {
        let mut parameters = vec![parameter("_obj", Type::named(&object.name))];
        parameters.extend(operation.parameters.iter().map(|of| parameter(&of.name, of.passed.clone())));
        parameters.push(parameter("ev", environment().pointer()));
        let mut body = self.variables(operation);
        body.push(self.exchange(operation));
        body.extend(self.results(operation));
        body.push(call_statement("whittle_call_end", vec![address(the_call())]));
        let result = operation.result.as_ref();
        body.extend(result.map(|result| returns(returned(result))));
        let ty = result.map_or(Type::Void, |result| result.passed.clone());
        function(Linkage::Plain, ty, &operation.client, parameters, body)
    }

    fn pack_variable(&self, variable: &str, pack: TypeStubId) -> Expression {
        name(variable, self.pres.types[pack].ty.clone())
    }

    fn variables(&self, operation: &ObjectOperation) -> Vec<Statement> {
        let new = Some(name("WHITTLE_NEW_CALL", Type::Void));
        let mut body = vec![local("_call", Type::structure("whittle_call"), new)];
        body.push(local("_answer", Type::Tagged(cast::TagKind::Enum, "whittle_answer".to_string()), None));
        if let Some(pack) = operation.client_request {
            body.push(local("_request", self.pres.types[pack].ty.clone(), None));
        }
        if let Some(pack) = operation.client_reply {
            body.push(local("_reply", self.pres.types[pack].ty.clone(), None));
        }
        if let Some(pack) = operation.client_request {
            let request = self.pack_variable("_request", pack);
            body.extend(operation.parameters.iter().filter_map(|argument| asked(argument, &request)));
        }
        if let Some(pack) = operation.client_reply {
            let reply = self.pack_variable("_reply", pack);
            body.push(clear(reply.clone(), false));
            body.extend(operation.parameters.iter().filter_map(|argument| lent(argument, &reply)));
        }
        body
    }

    /// The request, again as long as the object is found to be elsewhere.
    fn exchange(&self, operation: &ObjectOperation) -> Statement {
        let to = name("_to", Type::CHAR.pointer());
        let operation_name = operation.name.as_str();
        let waits = name(if operation.is_oneway { "false" } else { "true" }, Type::INT);
        let object = name("_obj", Type::named("CORBA_Object"));
        let begin = vec![address(the_call()), object, text(operation_name), size_of_text(operation_name), waits, ev()];
        let mut body = vec![local("_to", to.ty.clone(), Some(call("whittle_call_begin", begin, to.ty.clone())))];
        if let Some(pack) = operation.client_request {
            let out = address(of_call("out", Type::Void));
            let arguments = vec![out, to.clone(), address(self.pack_variable("_request", pack))];
            body.push(assign(to.clone(), unless_null(to.clone(), self.marshalling.encode(pack, &arguments))));
        }
        let answer = name("_answer", Type::INT);
        let send = call("whittle_call_send", vec![address(the_call()), to, ev()], Type::INT);
        body.push(assign(answer.clone(), send));
        Statement::DoWhile { body, condition: equal(answer, name("WHITTLE_ANSWER_AGAIN", Type::INT)) }
    }

    /// What is done with the answer.
    fn results(&self, operation: &ObjectOperation) -> Option<Statement> {
        if operation.is_oneway {
            return None;
        }
        let answered =
            |what: &str| equal(name("_answer", Type::INT), name(format!("WHITTLE_ANSWER_{what}"), Type::INT));
        let exceptions = Statement::If {
            condition: answered("EXCEPTION"),
            then: vec![self.exceptions(&operation.raises)],
            otherwise: Vec::new(),
        };
        let at = name("_at", bytes());
        let mut then = Vec::new();
        match operation.client_reply {
            None => then.push(call_statement(
                "whittle_call_unmarshalled",
                vec![address(the_call()), of_call("at", bytes()), ev()],
            )),
            Some(pack) => {
                let reply = self.pack_variable("_reply", pack);
                then.push(local("_at", bytes(), Some(self.decoding(pack, address(reply.clone())))));
                then.push(call_statement("whittle_call_unmarshalled", vec![address(the_call()), at.clone(), ev()]));
                let mut failed = Vec::new();
                if let Some(release) = self.marshalling.release(pack) {
                    failed.push(call_statement(&release, vec![address(reply.clone())]));
                }
                if operation.result.is_some() {
                    failed.push(clear(reply.clone(), false));
                }
                let got: Vec<Statement> =
                    operation.parameters.iter().flat_map(|argument| given(argument, &reply)).collect();
                if !failed.is_empty() || !got.is_empty() {
                    let (condition, then_do, otherwise) = if got.is_empty() {
                        (equal(at, null()), failed, got)
                    } else {
                        (not_equal(at, null()), got, failed)
                    };
                    then.push(Statement::If { condition, then: then_do, otherwise });
                }
            }
        }
        Some(Statement::If { condition: answered("RESULT"), then, otherwise: vec![exceptions] })
    }

    fn decoding(&self, pack: TypeStubId, value: Expression) -> Expression {
        let arguments = [address(of_call("in", Type::Void)), of_call("at", bytes()), value];
        self.marshalling.decode(pack, of_call("swapped", Type::named("bool")), &arguments)
    }

    /// Looks for the exception among those that the operation may raise.
    fn exceptions(&self, raises: &[Raised]) -> Statement {
        let unknown = call_statement("whittle_call_unknown", vec![address(the_call()), ev()]);
        raises.iter().rev().fold(unknown, |otherwise, exception| {
            let given = of_call("exception", bytes());
            let same = call("strcmp", vec![given, name(&exception.id, bytes())], Type::INT);
            let raise = call_statement(&raising(exception), vec![address(the_call()), ev()]);
            Statement::If { condition: equal(same, integer(0)), then: vec![raise], otherwise: vec![otherwise] }
        })
    }

    /// The function that makes an exception of the environment's from a reply.
    fn exception(&self, exception: &Raised) -> Declaration {
        let the_call = name("_call", Type::structure("whittle_call").pointer());
        let of = |part: &str, ty: Type| arrow(the_call.clone(), part, ty);
        let value = name("value", exception.ty.clone().pointer());
        let at = name("at", bytes());
        let allocate = call(exception.allocate.as_str(), Vec::new(), value.ty.clone());
        let decoded = match exception.stub {
            None => of("at", bytes()),
            Some(stub) => {
                let arguments = [address(of("in", Type::Void)), of("at", bytes()), value.clone()];
                self.marshalling.decode(stub, of("swapped", Type::named("bool")), &arguments)
            }
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
            call_statement("whittle_call_unmarshalled", vec![the_call.clone(), at, ev()]),
        ];
        let parameters = vec![parameter("_call", the_call.ty.clone()), parameter("ev", environment().pointer())];
        function(Linkage::Static, Type::Void, raising(exception), parameters, body)
    }
}

/// `raise_Mail_Full`.
fn raising(exception: &Raised) -> String {
    format!("raise_{}", cast::print_type(&exception.ty))
}

/// The parameter as the function has it.
fn parameter_of(argument: &Argument) -> Expression {
    name(&argument.name, argument.passed.clone())
}

fn part_of(pack: &Expression, argument: &Argument) -> Expression {
    member(pack.clone(), &argument.name, argument.ty.clone())
}

/// The member of the request that a parameter gives.
fn asked(argument: &Argument, request: &Expression) -> Option<Statement> {
    let given = parameter_of(argument);
    let to = part_of(request, argument);
    let simple = matches!(argument.passing, Passing::Value | Passing::Text);
    Some(match (argument.way, argument.passing) {
        (Way::Out | Way::Result, _) => return None,
        (Way::In, Passing::Text) if matches!(argument.ty, Type::Named(_)) => assign(to, given),
        (Way::In, Passing::Text) => assign(to, cast_to(argument.ty.clone(), given)),
        (Way::In, _) if simple => assign(to, given),
        (Way::InOut, _) if simple => assign(to, dereference(given)),
        (_, Passing::FixedArray | Passing::VariableArray) => {
            assign(to, cast_to(argument.ty.clone().constant().pointer(), given))
        }
        _ => assign(to, given),
    })
}

/// What the reply is read into where it is the caller's.
fn lent(argument: &Argument, reply: &Expression) -> Option<Statement> {
    let (given, to) = (parameter_of(argument), part_of(reply, argument));
    match (argument.way, argument.passing) {
        (Way::Out | Way::InOut, Passing::FixedRecord) => Some(assign(to, given)),
        (Way::Out | Way::InOut, Passing::FixedArray) => Some(assign(to, cast_to(argument.ty.clone().pointer(), given))),
        _ => None,
    }
}

/// What the caller gets of a good reply.
fn given(argument: &Argument, reply: &Expression) -> Vec<Statement> {
    let (parameter, from) = (parameter_of(argument), part_of(reply, argument));
    let free = argument.release.as_ref().map(|release| call_statement(release, vec![parameter.clone()]));
    let target = || dereference(parameter.clone());
    match (argument.way, argument.passing) {
        (Way::In | Way::Result, _) | (_, Passing::FixedRecord | Passing::FixedArray) => Vec::new(),
        (Way::Out, Passing::VariableArray) => {
            let slice = argument.passed.element().cloned().unwrap_or_default();
            vec![assign(target(), cast_to(slice, from))]
        }
        (Way::Out, _) => vec![assign(target(), from)],
        (Way::InOut, Passing::VariableArray) => {
            let size = sizeof_value(from.clone());
            free.into_iter().chain([call_statement("memcpy", vec![parameter.clone(), from, size])]).collect()
        }
        (Way::InOut, _) => free.into_iter().chain([assign(target(), from)]).collect(),
    }
}

/// What the function returns; zero where the call failed.
fn returned(result: &Argument) -> Expression {
    let value = member(name("_reply", Type::Void), &result.name, result.ty.clone());
    match result.passing {
        Passing::FixedArray | Passing::VariableArray => cast_to(result.passed.clone(), value),
        _ => value,
    }
}
