//! The server's file, `b_server.c`: a function for each operation, which unmarshals what is asked where it lies, calls the
//! user's and marshals what it answers; and for each interface the dispatch, nested switches on the words of the operation's
//! name. Source: Flick (PLDI'97) section 3.3 ("Message Demultiplexing"), 3.1 (parameters in the message).

use cast::build::{
    address, arrow, assign, braces, call, call_through, cast as cast_to, equal, local, member, name, null, parameter,
    returns, sizeof_value, text, when,
};
use cast::{Declaration, Expression, File, Linkage, Statement, Storage, TagKind, Type, Variable};
use pres::{Carrier, ObjectInterface, ObjectOperation, PresC, Raised, TypeStubId, Way};

use super::super::client::raised;
use super::super::marshalling::{Marshalling, Use};
use super::super::words::{bytes, unless_null};
use super::super::{After, Options, demux};
use super::{exception_of, operations, status, status_is, structures, to};
use crate::links::plain::{answered, answered_in_place, context, functions, functions_type, is_asked, passed, serving};
use crate::links::words::{call_statement, clear, function};
use crate::plan::Direction;

/// The server's file.
pub fn server_file(pres: &PresC, options: &Options, after: After) -> File {
    let raised = raised(operations(pres));
    let mut wanted: Vec<Use> = Vec::new();
    for operation in operations(pres) {
        wanted.extend(operation.server_request.map(|stub| Use::new(stub, Direction::Decode)));
        let own = operation.server_request.filter(|_| !operation.borrows);
        wanted.extend(own.map(|stub| Use::new(stub, Direction::Release)));
        wanted.extend(operation.server_reply.map(Use::body));
        wanted.extend(operation.server_reply.map(|stub| Use::new(stub, Direction::Release)));
    }
    let both = |stub| [Direction::Encode, Direction::Release].map(|direction| Use::new(stub, direction));
    wanted.extend(raised.iter().filter_map(|of| of.stub).flat_map(both));
    let marshalling = Marshalling::new(pres, options, &wanted, after);
    let mut rest = structures(pres, |of| [of.server_request, of.server_reply]);
    rest.extend(marshalling.declarations.iter().cloned());
    let stubs = Stubs { pres, marshalling: &marshalling };
    rest.extend(raised.iter().flat_map(|exception| [Declaration::Blank, stubs.exception(exception)]));
    for object in &pres.objects {
        for operation in &object.operations {
            rest.extend([Declaration::Blank, stubs.operation(object, operation)]);
        }
        rest.extend([Declaration::Blank, dispatch(object), Declaration::Blank, serve(object)]);
    }
    super::super::file(pres, options, &["string.h"], rest)
}

struct Stubs<'a> {
    pres: &'a PresC,
    marshalling: &'a Marshalling<'a>,
}

fn request() -> Expression {
    name("_asked", Type::structure("whittle_request").pointer())
}

fn of_request(part: &str, ty: Type) -> Expression {
    arrow(request(), part, ty)
}

/// The variable for the members of exceptions.
fn exceptions(operation: &ObjectOperation) -> Option<Expression> {
    operation.exceptions().map(|tag| name("_exceptions", Type::Tagged(TagKind::Union, tag)))
}

/// `raise_Mail_Full`.
fn raising(exception: &Raised) -> String {
    format!("raise_{}", exception.id)
}

impl Stubs<'_> {
    fn operation(&self, object: &ObjectInterface, operation: &ObjectOperation) -> Declaration {
        let implementation = arrow(functions(object), operation.member.as_str(), Type::Void.pointer());
        let missing = vec![call_statement("whittle_request_unimplemented", vec![request()]), Statement::Return(None)];
        let mut body = self.variables(operation);
        body.push(when(equal(implementation.clone(), null()), missing));
        body.extend(self.arguments(operation));
        let mut arguments = vec![context()];
        arguments.extend(operation.parameters.iter().flat_map(|argument| passed(argument, &answered())));
        arguments.extend(exceptions(operation).map(address));
        let called = call_through(implementation, arguments, Type::INT);
        if operation.is_oneway {
            body.push(Statement::Expression(cast_to(Type::Void, called)));
        } else {
            body.push(call_statement("whittle_iiop_call_begins", Vec::new()));
            body.push(local("_status", Type::INT, Some(called)));
            body.push(self.answer(operation));
        }
        body.extend(self.release(operation.server_reply, answered()));
        body.extend(self.release(operation.server_request.filter(|_| !operation.borrows), is_asked()));
        let parameters = [functions(object), context(), request()];
        let parameters = parameters.map(|of| parameter(cast::print_expression(&of), of.ty)).to_vec();
        function(Linkage::Static, Type::Void, serving(operation), parameters, body)
    }

    fn variables(&self, operation: &ObjectOperation) -> Vec<Statement> {
        let packs = [(is_asked(), operation.server_request), (answered(), operation.server_reply)];
        let packs =
            packs.into_iter().filter_map(|(variable, pack)| Some((variable, self.pres.types[pack?].ty.clone())));
        let all = packs.chain(exceptions(operation).map(|union| (union.clone(), union.ty)));
        let (mut declared, mut cleared) = (Vec::new(), Vec::new());
        for (variable, ty) in all {
            declared.push(local(cast::print_expression(&variable), ty, None));
            cleared.push(clear(variable, false));
        }
        declared.into_iter().chain(cleared).collect()
    }

    /// Unmarshals what is asked, in the message where nothing of it can be replaced.
    fn arguments(&self, operation: &ObjectOperation) -> Vec<Statement> {
        let Some(pack) = operation.server_request else { return Vec::new() };
        let mut body = Vec::new();
        if !operation.borrows {
            let input = of_request("in", Type::structure("whittle_cdr_in"));
            body.push(assign(member(input.clone(), "borrow", Type::INT), name("false", Type::INT)));
            body.push(assign(member(input, "allocate", Type::Void), name("whittle_iiop_heap", Type::Void)));
        }
        let arguments = [address(of_request("in", Type::Void)), of_request("at", bytes()), address(is_asked())];
        let decoded = self.marshalling.decode(pack, of_request("swapped", Type::named("bool")), &arguments);
        let own = Some(pack).filter(|_| !operation.borrows);
        let mut failed: Vec<Statement> = self.release(own, is_asked()).into_iter().collect();
        failed.push(call_statement("whittle_request_marshal", vec![request()]));
        failed.push(Statement::Return(None));
        body.push(when(equal(decoded, null()), failed));
        let replaced = operation.parameters.iter().filter(|of| of.way == Way::InOut);
        body.extend(replaced.map(|of| answered_in_place(of, &answered())));
        body
    }

    /// Answers with results, an exception, or a system exception in their place.
    fn answer(&self, operation: &ObjectOperation) -> Statement {
        let refuse = call_statement("whittle_iiop_refuse", vec![request(), status()]);
        let raised = operation.raises.iter().enumerate().rev().fold(refuse, |otherwise, (number, exception)| {
            let mut arguments = vec![request()];
            if exception.stub.is_some() {
                arguments.extend(exceptions(operation).map(|union| address(exception_of(&union, exception))));
            }
            let condition = status_is(i128::try_from(number + 1).unwrap_or_default());
            let then = vec![call_statement(&raising(exception), arguments)];
            Statement::If { condition, then, otherwise: vec![otherwise] }
        });
        let begin = vec![request(), name("WHITTLE_ANSWER_RESULT", Type::INT)];
        let mut good = vec![local("_to", to().ty, Some(call("whittle_reply_begin", begin, to().ty)))];
        if let Some(pack) = operation.server_reply {
            let arguments = [address(of_request("out", Type::Void)), to(), address(answered())];
            good.push(assign(to(), unless_null(to(), self.marshalling.encode(pack, &arguments))));
        }
        good.push(call_statement("whittle_reply_end", vec![request(), to()]));
        Statement::If { condition: status_is(0), then: good, otherwise: vec![raised] }
    }

    /// The function that answers with an exception, and lets go of what its members hold.
    fn exception(&self, exception: &Raised) -> Declaration {
        let id = || text(exception.repository_id.as_str());
        let begin = vec![request(), name("WHITTLE_ANSWER_EXCEPTION", Type::INT)];
        let named = vec![request(), to(), id(), sizeof_value(id())];
        let mut body = vec![
            local("_to", to().ty, Some(call("whittle_reply_begin", begin, to().ty))),
            assign(to(), call("whittle_reply_id", named, to().ty)),
        ];
        let mut parameters = vec![parameter("_asked", request().ty)];
        let end = call_statement("whittle_reply_end", vec![request(), to()]);
        match exception.stub {
            None => body.push(end),
            Some(stub) => {
                let value = name("_value", exception.ty.clone().pointer());
                parameters.push(parameter("_value", value.ty.clone()));
                let arguments = [address(of_request("out", Type::Void)), to(), value.clone()];
                body.push(assign(to(), unless_null(to(), self.marshalling.encode(stub, &arguments))));
                body.push(end);
                let release = self.marshalling.release(stub);
                body.extend(release.map(|release| call_statement(&release, vec![value])));
            }
        }
        function(Linkage::Static, Type::Void, raising(exception), parameters, body)
    }

    fn release(&self, pack: Option<TypeStubId>, value: Expression) -> Option<Statement> {
        let release = self.marshalling.release(pack?)?;
        Some(call_statement(&release, vec![address(value)]))
    }
}

/// The function that serves an operation, found by the words of its name.
fn dispatch(object: &ObjectInterface) -> Declaration {
    let servant = || name("_servant", Type::named("PortableServer_Servant"));
    let of = Type::structure("whittle_iiop_object").constant().pointer();
    let the_object = name("_object", of.clone());
    let part = |part: &str| arrow(the_object.clone(), part, Type::Void.pointer());
    let given = || vec![cast_to(functions_type(object), part("operations")), part("context"), request()];
    let served = object.operations.iter().map(|of| (of.name.as_str(), call_statement(&serving(of), given())));
    let body = match demux::by_name(served) {
        Some(switch) => vec![local("_object", of.clone(), Some(cast_to(of, servant()))), switch],
        None => {
            let unused = Statement::Expression(cast_to(Type::Void, servant()));
            vec![unused, call_statement("whittle_request_unknown", vec![request()])]
        }
    };
    let parameters = vec![parameter("_servant", servant().ty), parameter("_asked", request().ty)];
    function(Linkage::Static, Type::Void, demux::dispatching(object), parameters, body)
}

/// `Mail_Folder_serve`.
fn serve(object: &ObjectInterface) -> Declaration {
    let described = |name: &str, ty: Type, values: Vec<Expression>| {
        let (name, initial) = (name.to_string(), Some(braces(values)));
        Statement::Declare(Variable { storage: Storage::Static, name, ty, initial, ..Variable::default() })
    };
    let ids = std::iter::once(&object.repository_id)
        .chain(object.ancestors.iter().rev().map(|ancestor| &ancestor.repository_id))
        .map(|id| text(id.as_str()))
        .chain([null()]);
    let list = Type::Array(Box::new(bytes().constant()), None);
    let own = vec![
        text(object.repository_id.as_str()),
        name("_ids", Type::Void),
        name(demux::dispatching(object), Type::Void),
    ];
    let ty = Type::structure("whittle_interface").constant();
    let server = name("server", Type::structure(Carrier::Iiop.server()).pointer());
    let given = [server, name("operations", functions_type(object)), context_given()];
    let parameters = given.iter().map(|of| parameter(cast::print_expression(of), of.ty.clone())).collect();
    let [server, operations, context] = given;
    let arguments =
        vec![server, address(name("_interface", ty.clone())), text(object.name.as_str()), operations, context];
    let body = vec![
        described("_ids", list, ids.collect()),
        described("_interface", ty, own),
        returns(call("whittle_iiop_serve", arguments, Type::INT)),
    ];
    function(Linkage::Plain, Type::INT, format!("{}_serve", object.name), parameters, body)
}

fn context_given() -> Expression {
    name("context", Type::Void.pointer())
}
