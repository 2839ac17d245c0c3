//! The server's file, `b-skels.c`: a function for each operation, which unmarshals what is asked, calls the servant's and
//! marshals what it answers; and for each interface the dispatch and what makes servants. Source: OMG, C Language Mapping
//! (formal/99-07-35), sections 1.25 to 1.27.

use cast::build::{
    address, arrow, assign, call_through, cast as cast_to, dereference, equal, local, member, name, null, or,
    parameter, when,
};
use cast::{Declaration, Expression, File, Function, Linkage, Statement, Type};
use pres::{Argument, Interface, Operation, Passing, PresC, Way};

use super::{Exceptions, Objects, environment, ev, exceptions, own};
use crate::links::options::{After, Options};
use crate::links::rpc::{
    Marshalling, Use, answer, file, messages, raised, received, results_of, switch, to, variables,
};
use crate::links::statements::{call_statement, clear, function};
use crate::plan::Direction;

/// The server's file; empty but for its beginning where there is no interface.
pub fn server_file(pres: &PresC, options: &Options, link: &dyn Objects, after: After) -> File {
    let operations = || own(pres).flat_map(|object| object.operations.iter().map(move |of| (object, of)));
    let raised = raised(operations().map(|(_, operation)| operation));
    let uses = |of: &Operation| Use::of_server(of.server_request.structure(), of.server_reply.structure(), !of.borrows);
    let mut wanted: Vec<Use> = operations().flat_map(|(_, of)| uses(of)).collect();
    let is_apart = matches!(link.exceptions(), Exceptions::Replies(_));
    let stubs = raised.iter().filter_map(|of| of.stub).filter(|_| is_apart);
    wanted.extend(stubs.map(|stub| Use::new(stub, Direction::Encode)));
    let marshalling = Marshalling::new(pres, options, link.payloads(), &wanted, after);
    let skeletons = Skeletons { marshalling: &marshalling, link };
    let packs = operations().map(|(_, of)| [of.server_request.structure(), of.server_reply.structure()]);
    let mut rest = messages(pres, packs, &marshalling);
    if let Exceptions::Replies(replies) = link.exceptions() {
        let answering = raised.iter().map(|of| exceptions::answering_function(link, replies, &marshalling, of));
        rest.extend(answering.flat_map(|function| [Declaration::Blank, function]));
    }
    if link.serves_heirs() {
        rest.push(Declaration::Blank);
        let objects = pres.interfaces.iter().filter(|object| !object.is_local);
        rest.extend(objects.flat_map(|object| prototypes(link, object)));
    }
    rest.extend(operations().flat_map(|(object, of)| [Declaration::Blank, skeletons.operation(object, of)]));
    rest.extend(own(pres).flat_map(|object| link.interface(pres, object)));
    file(pres, options, &["stddef.h", "string.h"], rest)
}

/// The function that serves an operation, for heirs in other files, too.
pub(in crate::links) fn serving(object: &Interface, operation: &Operation) -> String {
    format!("whittle_serve_{}_{}", object.name, operation.name)
}

pub(super) fn servant() -> Expression {
    name("_servant", Type::named("PortableServer_Servant"))
}

/// The functions of the interface that declares the operation.
fn vector(object: &Interface, operation: &Operation) -> Expression {
    let of = operation.inherited_from.as_ref().unwrap_or(&object.name);
    name("_epv", Type::named(format!("POA_{of}__epv")).constant().pointer())
}

/// Servant, the interface's functions, the request.
fn serving_parameters(link: &dyn Objects, object: &Interface, operation: &Operation) -> Vec<cast::Parameter> {
    let of = |value: Expression| parameter(cast::print_expression(&value), value.ty);
    vec![of(servant()), of(vector(object, operation)), of(link.request())]
}

fn prototypes(link: &dyn Objects, object: &Interface) -> Vec<Declaration> {
    let prototype = |operation: &Operation| {
        let parameters = serving_parameters(link, object, operation);
        Declaration::Prototype(Function { name: serving(object, operation), parameters, ..Function::default() })
    };
    object.operations.iter().map(prototype).collect()
}

struct Skeletons<'a> {
    marshalling: &'a Marshalling<'a>,
    link: &'a dyn Objects,
}

impl Skeletons<'_> {
    fn operation(&self, object: &Interface, operation: &Operation) -> Declaration {
        let mut body = self.variables(operation);
        body.push(self.implemented(object, operation));
        body.extend(self.marshalling.arguments(
            operation,
            self.link.request(),
            &self.link.heap(),
            &self.link.refusals(),
        ));
        body.push(self.call(object, operation));
        match operation.is_oneway && !self.link.refusals().know_oneway {
            false => body.push(self.answer(operation)),
            true if operation.server_request.structure().is_none() => {
                body.push(Statement::Expression(cast_to(Type::Void, self.link.request())));
            }
            true => {}
        }
        body.extend(self.marshalling.release_request(operation));
        body.push(call_statement("CORBA_exception_free", vec![address(environment_variable())]));
        let linkage = if self.link.serves_heirs() { Linkage::Plain } else { Linkage::Static };
        let parameters = serving_parameters(self.link, object, operation);
        function(linkage, Type::Void, serving(object, operation), parameters, body)
    }

    /// A servant may leave a function out.
    fn implemented(&self, object: &Interface, operation: &Operation) -> Statement {
        let vector = vector(object, operation);
        let missing = or(equal(vector, null()), equal(implementation(object, operation), null()));
        let refusals = self.link.refusals();
        when(missing, refusals.refused(&refusals.unimplemented, operation, self.link.request()))
    }

    /// Where the reply holds results.
    fn results(&self, operation: &Operation) -> Expression {
        results_of(answer(), self.link, operation)
    }

    fn variables(&self, operation: &Operation) -> Vec<Statement> {
        let packs =
            [(received(), operation.server_request.structure()), (answer(), operation.server_reply.structure())];
        let mut body = variables(self.marshalling.pres, packs.clone());
        body.push(local("_ev", environment(), None));
        for argument in operation.parameters.iter().filter(|argument| is_slice(argument)) {
            let slice = argument.passed.element().cloned().unwrap_or_default();
            body.push(local(slice_name(argument), slice, Some(null())));
        }
        body.push(call_statement("CORBA_exception_init", vec![address(environment_variable())]));
        body.extend(packs.into_iter().filter(|(_, pack)| pack.is_some()).map(|(variable, _)| clear(variable, false)));
        body
    }

    /// The servant's function.
    fn call(&self, object: &Interface, operation: &Operation) -> Statement {
        let mut arguments = vec![servant()];
        let to = self.results(operation);
        arguments.extend(operation.parameters.iter().map(|argument| passed(argument, &to)));
        arguments.push(address(environment_variable()));
        let result = operation.result.as_ref();
        let ty = result.map_or(Type::Void, |result| result.passed.clone());
        let called = call_through(implementation(object, operation), arguments, ty);
        match result {
            None => Statement::Expression(called),
            Some(result) => {
                let to = member(to, &result.name, result.ty.clone());
                let is_array = matches!(result.passing, Passing::FixedArray | Passing::VariableArray);
                assign(to, if is_array { cast_to(result.ty.clone().pointer(), called) } else { called })
            }
        }
    }

    /// Marshals what the servant answered.
    fn answer(&self, operation: &Operation) -> Statement {
        let major = member(environment_variable(), "_major", Type::INT);
        let no_exception = equal(major, name("CORBA_NO_EXCEPTION", Type::INT));
        let results = self.results(operation);
        let out = operation.parameters.iter().filter_map(|argument| returned(argument, &results));
        let mut good: Vec<Statement> = out.collect();
        match operation.server_reply.structure() {
            None => good.extend(self.link.acknowledge()),
            Some(pack) => {
                good.push(local("_to", to().ty, Some(self.link.begin_reply())));
                good.push(self.marshalling.encoded(pack, &dereference(self.link.request()), address(answer())));
                good.push(self.link.end_reply(to()));
                good.extend(self.marshalling.released(pack, address(answer())));
            }
        }
        let otherwise = vec![exceptions::answered(self.link, self.marshalling, operation, &environment_variable())];
        Statement::If { condition: no_exception, then: good, otherwise }
    }
}

/// The servant's function, which a servant may leave out.
fn implementation(object: &Interface, operation: &Operation) -> Expression {
    arrow(vector(object, operation), operation.server.as_str(), Type::Void)
}

fn environment_variable() -> Expression {
    name("_ev", environment())
}

fn is_slice(argument: &Argument) -> bool {
    argument.way == Way::Out && argument.passing == Passing::VariableArray
}

/// The variable that the servant stores an array's address in.
fn slice_name(argument: &Argument) -> String {
    format!("_{}", argument.name)
}

/// What the servant is given for a parameter.
fn passed(argument: &Argument, results: &Expression) -> Expression {
    let part = |of: Expression| member(of, &argument.name, argument.ty.clone());
    let (from, to) = (part(received()), part(results.clone()));
    let is_array = matches!(argument.passing, Passing::FixedArray | Passing::VariableArray);
    let simple = matches!(argument.passing, Passing::Value | Passing::Text);
    match argument.way {
        Way::In if simple => from,
        // C does not make a pointer to constant rows from one to rows by itself.
        Way::In if is_array => cast_to(argument.passed.clone(), from),
        Way::InOut if is_array => from,
        Way::In | Way::InOut => address(from),
        Way::Out | Way::Result if is_slice(argument) => address(name(slice_name(argument), Type::Void)),
        Way::Out | Way::Result if is_array => to,
        Way::Out | Way::Result => address(to),
    }
}

/// What the reply is to have of a parameter, beside what the servant stored in it.
fn returned(argument: &Argument, results: &Expression) -> Option<Statement> {
    let part = |of: Expression| member(of, &argument.name, argument.ty.clone());
    let to = part(results.clone());
    match argument.way {
        Way::InOut => Some(assign(to, address(part(received())))),
        Way::Out if is_slice(argument) => {
            let from = name(slice_name(argument), Type::Void);
            Some(assign(to, cast_to(argument.ty.clone().pointer(), from)))
        }
        _ => None,
    }
}

/// `POA_X__init` and `POA_X__fini`.
pub(in crate::links) fn making(object: &Interface, what: &str, description: Option<Expression>) -> Declaration {
    let servant = name("servant", Type::named("PortableServer_Servant"));
    let mut body = vec![call_statement(&format!("PortableServer_ServantBase__{what}"), vec![servant.clone(), ev()])];
    if let Some(description) = description {
        let typed = cast_to(Type::named(format!("POA_{}", object.name)).pointer(), servant.clone());
        body.push(assign(arrow(typed, "_private", Type::Void.pointer()), cast_to(Type::Void.pointer(), description)));
    }
    let parameters = vec![parameter("servant", servant.ty), parameter("ev", environment().pointer())];
    function(Linkage::Plain, Type::Void, format!("POA_{}__{what}", object.name), parameters, body)
}

/// The call of what serves an operation that the interface itself has a function for.
pub(in crate::links) fn served(object: &Interface, operation: &Operation, request: Expression) -> Statement {
    let vector = vector_of(object, operation.inherited_from.as_ref().unwrap_or(&object.name));
    call_statement(&serving(object, operation), vec![servant(), vector, request])
}

/// The dispatch of such an interface, by the number that a request has. What serves is the context.
pub(in crate::links) fn by_number(
    object: &Interface,
    (request, number): (Expression, Expression),
    arms: Vec<(Expression, Vec<Statement>)>,
    unknown: &str,
) -> Declaration {
    let mut body = vec![Statement::Expression(cast_to(Type::Void, name("_served", Type::Void)))];
    body.extend(object.operations.is_empty().then(|| Statement::Expression(cast_to(Type::Void, servant()))));
    body.push(switch((request.clone(), number), arms, unknown));
    let parameters = vec![
        parameter("_served", Type::Void.constant().pointer()),
        parameter("_servant", servant().ty),
        parameter(cast::print_expression(&request), request.ty),
    ];
    function(Linkage::Static, Type::Void, object.dispatch.as_str(), parameters, body)
}

/// `POA_X__serve`: from then on a server has the servant, by the function `how` of the run time and what describes the interface to it.
pub(in crate::links) fn serve(
    object: &Interface,
    server: Type,
    (described, description): (Statement, Expression),
    how: &str,
) -> Declaration {
    let servant = name("servant", Type::named("PortableServer_Servant"));
    let server = name("server", server.pointer());
    let given = vec![server.clone(), description, servant.clone(), ev()];
    let body = vec![described, call_statement(how, given)];
    let parameters = vec![
        parameter("servant", servant.ty),
        parameter("server", server.ty),
        parameter("ev", environment().pointer()),
    ];
    function(Linkage::Plain, Type::Void, format!("POA_{}__serve", object.name), parameters, body)
}

/// `((POA_X *)servant)->vepv->Y_epv`.
pub(in crate::links) fn vector_of(object: &Interface, part: &str) -> Expression {
    let typed = cast_to(Type::named(format!("POA_{}", object.name)).pointer(), servant());
    let vectors = arrow(typed, "vepv", Type::Void.pointer());
    arrow(vectors, format!("{part}_epv"), Type::Void.pointer())
}
