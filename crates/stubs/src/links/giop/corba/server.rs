//! The server's file, `b-skels.c`: a function for each operation, which unmarshals what is asked, calls the servant's and
//! marshals what it answers; and for each interface the dispatch and what makes servants. Source: OMG, C Language Mapping
//! (formal/99-07-35), sections 1.25 to 1.27.

use cast::build::{
    address, arrow, assign, braces, call, call_through, cast as cast_to, conditional, dereference, equal, integer,
    local, member, name, null, or, parameter, sizeof_value, text, when,
};
use cast::{Declaration, Expression, File, Function, Linkage, Statement, Storage, Type, Variable};
use pres::{Argument, ObjectInterface, ObjectOperation, Passing, PresC, Raised, Way};

use super::{PAYLOADS, environment, ev, own};
use crate::links::giop::{begin_reply, demux, end_reply, ids, request, unknown};
use crate::links::options::{After, Options};
use crate::links::rpc::{Marshalling, Use, answer, bytes, file, messages, raised, received, to, variables};
use crate::links::words::{call_statement, clear, function};
use crate::plan::Direction;

/// The server's file; empty but for its beginning where there is no interface.
pub fn server_file(pres: &PresC, options: &Options, after: After) -> File {
    let operations = || own(pres).flat_map(|object| object.operations.iter().map(move |of| (object, of)));
    let raised = raised(operations().map(|(_, operation)| operation));
    let uses = |of: &ObjectOperation| Use::of_server(of.server_request, of.server_reply, !of.borrows);
    let mut wanted: Vec<Use> = operations().flat_map(|(_, of)| uses(of)).collect();
    wanted.extend(raised.iter().filter_map(|of| of.stub).map(|stub| Use::new(stub, Direction::Encode)));
    let marshalling = Marshalling::new(pres, options, PAYLOADS, &wanted, after);
    let skeletons = Skeletons { marshalling: &marshalling };
    let packs = operations().map(|(_, of)| [&of.server_request, &of.server_reply]);
    let mut rest = messages(pres, packs, &marshalling);
    rest.extend(raised.iter().flat_map(|exception| [Declaration::Blank, skeletons.exception(exception)]));
    rest.push(Declaration::Blank);
    rest.extend(pres.objects.iter().filter(|object| !object.is_local).flat_map(prototypes));
    rest.extend(operations().flat_map(|(object, of)| [Declaration::Blank, skeletons.operation(object, of)]));
    rest.extend(own(pres).flat_map(|object| interface(pres, object)));
    file(pres, options, &["stddef.h", "string.h"], rest)
}

/// The function that serves an operation, for heirs in other files, too.
fn serving(object: &ObjectInterface, operation: &ObjectOperation) -> String {
    format!("whittle_serve_{}_{}", object.name, operation.name)
}

fn servant() -> Expression {
    name("_servant", Type::named("PortableServer_Servant"))
}

fn vector(object: &ObjectInterface) -> Expression {
    name("_epv", Type::named(format!("POA_{}__epv", object.name)).constant().pointer())
}

/// Servant, the interface's functions, the request.
fn serving_parameters(object: &ObjectInterface) -> Vec<cast::Parameter> {
    let of = |value: Expression| parameter(cast::print_expression(&value), value.ty);
    vec![of(servant()), of(vector(object)), of(request())]
}

fn prototypes(object: &ObjectInterface) -> Vec<Declaration> {
    let prototype = |operation: &ObjectOperation| {
        let parameters = serving_parameters(object);
        Declaration::Prototype(Function { name: serving(object, operation), parameters, ..Function::default() })
    };
    object.operations.iter().map(prototype).collect()
}

struct Skeletons<'a> {
    marshalling: &'a Marshalling<'a>,
}

impl Skeletons<'_> {
    fn operation(&self, object: &ObjectInterface, operation: &ObjectOperation) -> Declaration {
        let mut body = self.variables(operation);
        body.push(implemented(object, operation));
        body.extend(self.arguments(operation));
        body.push(self.call(object, operation));
        body.push(self.answer(operation));
        body.extend(self.release_request(operation));
        body.push(call_statement("CORBA_exception_free", vec![address(environment_variable())]));
        function(Linkage::Plain, Type::Void, serving(object, operation), serving_parameters(object), body)
    }

    fn variables(&self, operation: &ObjectOperation) -> Vec<Statement> {
        let packs = [(received(), operation.server_request), (answer(), operation.server_reply)];
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

    /// Unmarshals the request.
    fn arguments(&self, operation: &ObjectOperation) -> Vec<Statement> {
        let Some(pack) = operation.server_request else { return Vec::new() };
        let holder = dereference(request());
        let mut body = Vec::new();
        if !operation.borrows {
            let input = member(holder.clone(), "in", Type::structure("whittle_cdr_in"));
            body.push(assign(member(input.clone(), "borrow", Type::INT), name("false", Type::INT)));
            let allocate = name("whittle_corba_allocate", Type::Void);
            body.push(assign(member(input, "allocate", Type::Void), allocate));
        }
        let mut failed: Vec<Statement> = self.release_request(operation).into_iter().collect();
        failed.push(call_statement("whittle_request_marshal", vec![request()]));
        failed.push(Statement::Return(None));
        let decoded = self.marshalling.decode(pack, &holder, address(received()));
        body.push(when(equal(decoded, null()), failed));
        body
    }

    /// What was not borrowed from the message is released.
    fn release_request(&self, operation: &ObjectOperation) -> Option<Statement> {
        let pack = operation.server_request.filter(|_| !operation.borrows)?;
        self.marshalling.released(pack, address(received()))
    }

    /// The servant's function.
    fn call(&self, object: &ObjectInterface, operation: &ObjectOperation) -> Statement {
        let mut arguments = vec![servant()];
        arguments.extend(operation.parameters.iter().map(passed));
        arguments.push(address(environment_variable()));
        let result = operation.result.as_ref();
        let ty = result.map_or(Type::Void, |result| result.passed.clone());
        let called = call_through(implementation(object, operation), arguments, ty);
        match result {
            None => Statement::Expression(called),
            Some(result) => {
                let to = member(name("_out", Type::Void), &result.name, result.ty.clone());
                let is_array = matches!(result.passing, Passing::FixedArray | Passing::VariableArray);
                assign(to, if is_array { cast_to(result.ty.clone().pointer(), called) } else { called })
            }
        }
    }

    /// Marshals what the servant answered.
    fn answer(&self, operation: &ObjectOperation) -> Statement {
        let major = member(environment_variable(), "_major", Type::INT);
        let no_exception = equal(major, name("CORBA_NO_EXCEPTION", Type::INT));
        let mut good: Vec<Statement> = operation.parameters.iter().filter_map(told).collect();
        good.push(local("_to", to().ty, Some(begin_reply("RESULT"))));
        let (pack, holder) = (operation.server_reply, dereference(request()));
        good.extend(pack.map(|pack| self.marshalling.encoded(pack, &holder, address(answer()))));
        good.push(end_reply());
        good.extend(pack.and_then(|pack| self.marshalling.released(pack, address(answer()))));
        Statement::If { condition: no_exception, then: good, otherwise: vec![exceptions(&operation.raises)] }
    }

    /// The function that answers with an exception of the environment's.
    fn exception(&self, exception: &Raised) -> Declaration {
        let to = name("to", to().ty);
        let id = name(&exception.id, bytes());
        let named = vec![request(), to.clone(), id.clone(), sizeof_value(id)];
        let mut body = vec![
            local("to", to.ty.clone(), Some(begin_reply("EXCEPTION"))),
            assign(to.clone(), call("whittle_reply_id", named, to.ty.clone())),
        ];
        match exception.stub {
            Some(stub) => {
                let value = name("value", exception.ty.clone().constant().pointer());
                let given = call("CORBA_exception_value", vec![ev()], Type::Void.pointer());
                body.insert(0, local("value", value.ty.clone(), Some(cast_to(value.ty.clone(), given))));
                let missing = or(equal(to.clone(), null()), equal(value.clone(), null()));
                let encoded = self.marshalling.encode(stub, &dereference(request()), to.clone(), value);
                body.push(assign(to.clone(), conditional(missing, null(), encoded)));
            }
            None => body.insert(0, Statement::Expression(cast_to(Type::Void, ev()))),
        }
        body.push(call_statement("whittle_reply_end", vec![request(), to]));
        let parameters = vec![parameter("_asked", request().ty), parameter("ev", environment().pointer())];
        function(Linkage::Static, Type::Void, answering(exception), parameters, body)
    }
}

/// The servant's function, which a servant may leave out.
fn implementation(object: &ObjectInterface, operation: &ObjectOperation) -> Expression {
    arrow(vector(object), operation.member.as_str(), Type::Void)
}

fn implemented(object: &ObjectInterface, operation: &ObjectOperation) -> Statement {
    let missing = or(equal(vector(object), null()), equal(implementation(object, operation), null()));
    let answer = call_statement("whittle_request_unimplemented", vec![request()]);
    when(missing, vec![answer, Statement::Return(None)])
}

fn environment_variable() -> Expression {
    name("_ev", environment())
}

/// `answer_Mail_Full`.
fn answering(exception: &Raised) -> String {
    format!("answer_{}", cast::print_type(&exception.ty))
}

/// Answers with the exception that the servant raised.
fn exceptions(raises: &[Raised]) -> Statement {
    let environment = || address(environment_variable());
    let other = call_statement("whittle_reply_system", vec![request(), environment()]);
    raises.iter().rev().fold(other, |otherwise, exception| {
        let id = call("CORBA_exception_id", vec![environment()], bytes());
        let same = call("strcmp", vec![id, name(&exception.id, bytes())], Type::INT);
        let answer = call_statement(&answering(exception), vec![request(), environment()]);
        Statement::If { condition: equal(same, integer(0)), then: vec![answer], otherwise: vec![otherwise] }
    })
}

fn is_slice(argument: &Argument) -> bool {
    argument.way == Way::Out && argument.passing == Passing::VariableArray
}

/// The variable that the servant stores an array's address in.
fn slice_name(argument: &Argument) -> String {
    format!("_{}", argument.name)
}

/// What the servant is given for a parameter.
fn passed(argument: &Argument) -> Expression {
    let of = |pack: &str| member(name(pack, Type::Void), &argument.name, argument.ty.clone());
    let is_array = matches!(argument.passing, Passing::FixedArray | Passing::VariableArray);
    let simple = matches!(argument.passing, Passing::Value | Passing::Text);
    match argument.way {
        Way::In if simple => of("_in"),
        // C does not make a pointer to constant rows from one to rows by itself.
        Way::In if is_array => cast_to(argument.passed.clone(), of("_in")),
        Way::InOut if is_array => of("_in"),
        Way::In | Way::InOut => address(of("_in")),
        Way::Out | Way::Result if is_slice(argument) => address(name(slice_name(argument), Type::Void)),
        Way::Out | Way::Result if is_array => of("_out"),
        Way::Out | Way::Result => address(of("_out")),
    }
}

/// What the reply is to have of a parameter, beside what the servant stored in it.
fn told(argument: &Argument) -> Option<Statement> {
    let part = |pack: &str| member(name(pack, Type::Void), &argument.name, argument.ty.clone());
    match argument.way {
        Way::InOut => Some(assign(part("_out"), address(part("_in")))),
        Way::Out if is_slice(argument) => {
            let from = name(slice_name(argument), Type::Void);
            Some(assign(part("_out"), cast_to(argument.ty.clone().pointer(), from)))
        }
        _ => None,
    }
}

/// What stands for an interface: its ids, its dispatch, and what makes servants of it.
fn interface(pres: &PresC, object: &ObjectInterface) -> Vec<Declaration> {
    let name_of = &object.name;
    let ancestors = format!("ancestors_of_{name_of}");
    let ids = ids(object).chain([text("IDL:omg.org/CORBA/Object:1.0"), null()]);
    let constant = |name: String, ty: Type, initial: Expression| {
        let variable = Variable { storage: Storage::Static, name, ty, initial: Some(initial), ..Variable::default() };
        Declaration::Variable(variable)
    };
    let list = Type::Array(Box::new(bytes().constant()), None);
    let described = vec![
        text(object.repository_id.as_str()),
        name(ancestors.as_str(), Type::Void),
        name(demux::dispatching(object), Type::Void),
    ];
    let description = format!("interface_of_{name_of}");
    let ty = Type::structure("whittle_interface").constant();
    vec![
        Declaration::Blank,
        dispatch(pres, object),
        Declaration::Blank,
        constant(ancestors, list, braces(ids.collect())),
        constant(description.clone(), ty.clone(), braces(described)),
        Declaration::Blank,
        making(object, "init", Some(address(name(description, ty)))),
        Declaration::Blank,
        making(object, "fini", None),
    ]
}

/// `POA_X__init` and `POA_X__fini`.
fn making(object: &ObjectInterface, what: &str, description: Option<Expression>) -> Declaration {
    let servant = name("servant", Type::named("PortableServer_Servant"));
    let mut body = vec![call_statement(&format!("PortableServer_ServantBase__{what}"), vec![servant.clone(), ev()])];
    if let Some(description) = description {
        let typed = cast_to(Type::named(format!("POA_{}", object.name)).pointer(), servant.clone());
        body.push(assign(arrow(typed, "_private", Type::Void.pointer()), cast_to(Type::Void.pointer(), description)));
    }
    let parameters = vec![parameter("servant", servant.ty), parameter("ev", environment().pointer())];
    function(Linkage::Plain, Type::Void, format!("POA_{}__{what}", object.name), parameters, body)
}

/// `((POA_X *)servant)->vepv->Y_epv`.
fn vector_of(object: &ObjectInterface, part: &str) -> Expression {
    let typed = cast_to(Type::named(format!("POA_{}", object.name)).pointer(), servant());
    let vectors = arrow(typed, "vepv", Type::Void.pointer());
    arrow(vectors, format!("{part}_epv"), Type::Void.pointer())
}

/// The dispatch of an interface, its ancestors' operations among its own.
fn dispatch(pres: &PresC, object: &ObjectInterface) -> Declaration {
    let ancestors =
        object.ancestors.iter().filter_map(|ancestor| pres.objects.iter().find(|of| of.name == ancestor.name));
    let all = std::iter::once(object).chain(ancestors).flat_map(|of| of.operations.iter().map(move |each| (of, each)));
    let served = all.map(|(of, operation)| {
        let arguments = vec![servant(), vector_of(object, &of.name), request()];
        (operation.name.as_str(), call_statement(&serving(of, operation), arguments))
    });
    let unused = Statement::Expression(cast_to(Type::Void, name("_servant", Type::Void)));
    let body = demux::by_name(served).map_or_else(|| vec![unused, unknown()], |switch| vec![switch]);
    let parameters = vec![parameter("_servant", servant().ty), parameter("_asked", request().ty)];
    function(Linkage::Static, Type::Void, demux::dispatching(object), parameters, body)
}
