//! The server's file, `b_server.c`: a function for each procedure, which unmarshals what is asked where it lies, calls the
//! user's and marshals what it answers; and for each interface the dispatch, a switch on the procedure's number. Source:
//! Flick (PLDI'97) section 3.3 ("Message Demultiplexing"), 3.1 (parameters in the message).

use cast::build::{
    address, and, arrow, assign, braces, call, call_through, cast as cast_to, equal, integer, less, local, member,
    name, null, parameter, returns, sizeof_value, when,
};
use cast::{CaseLabel, Declaration, Expression, File, Linkage, Statement, Storage, SwitchArm, Type, Variable};
use pres::{ObjectInterface, ObjectOperation, PresC, TypeStubId, Way};

use super::marshalling::Marshalling;
use super::{After, Options, bytes, numbers, unless_null, word};
use crate::links::packs;
use crate::links::plain::{answered, answered_in_place, context, functions, functions_type, is_asked, passed, serving};
use crate::links::words::{call_statement, clear, function};
use crate::plan::Direction;

/// The server's file.
pub fn server_file(pres: &PresC, options: &Options, after: After) -> File {
    let operations = || pres.objects.iter().flat_map(|object| object.operations.iter().map(move |of| (object, of)));
    let mut wanted: Vec<(TypeStubId, Direction)> = Vec::new();
    for (_, operation) in operations() {
        wanted.extend(operation.server_request.map(|stub| (stub, Direction::Decode)));
        let own = operation.server_request.filter(|_| !operation.borrows);
        wanted.extend(own.map(|stub| (stub, Direction::Release)));
        wanted.extend(operation.server_reply.map(|stub| (stub, Direction::Encode)));
        wanted.extend(operation.server_reply.map(|stub| (stub, Direction::Release)));
    }
    let marshalling = Marshalling::new(pres, options, &wanted, after);
    let structures = operations().flat_map(|(_, of)| packs::declarations(pres, &[of.server_request, of.server_reply]));
    let mut rest: Vec<Declaration> = structures.collect();
    rest.extend(marshalling.declarations());
    let stubs = Stubs { pres, marshalling: &marshalling };
    for (object, operation) in operations() {
        rest.extend([Declaration::Blank, stubs.operation(object, operation)]);
    }
    for object in &pres.objects {
        rest.extend([Declaration::Blank, dispatch(object), Declaration::Blank, serve(object)]);
    }
    super::file(pres, options, rest)
}

struct Stubs<'a> {
    pres: &'a PresC,
    marshalling: &'a Marshalling<'a>,
}

fn request() -> Expression {
    name("_request", Type::structure("whittle_onc_request").pointer())
}

fn of_request(part: &str, ty: Type) -> Expression {
    arrow(request(), part, ty)
}

fn status() -> Expression {
    name("_status", Type::INT)
}

fn to() -> Expression {
    name("_to", Type::CHAR.pointer())
}

impl Stubs<'_> {
    fn operation(&self, object: &ObjectInterface, operation: &ObjectOperation) -> Declaration {
        let implementation = arrow(functions(object), operation.member.as_str(), Type::Void.pointer());
        let unknown = refused(operation, "whittle_onc_unknown");
        let mut body = self.variables(operation);
        body.push(when(equal(implementation.clone(), null()), unknown));
        body.extend(self.arguments(operation));
        let results = results(operation);
        let mut arguments = vec![context()];
        arguments.extend(operation.parameters.iter().flat_map(|argument| passed(argument, &results)));
        arguments.extend(operation.exceptions().map(|_| address(name("_exceptions", Type::Void))));
        let called = call_through(implementation, arguments, Type::INT);
        if operation.is_oneway {
            // Nothing is asked but that it runs, and nothing is answered.
            let is_unused = operation.server_request.is_none();
            body.extend(is_unused.then(|| Statement::Expression(cast_to(Type::Void, request()))));
            body.push(Statement::Expression(cast_to(Type::Void, called)));
        } else {
            body.push(local("_status", Type::INT, Some(called)));
            body.extend((!operation.raises.is_empty()).then(|| self.outcome(operation)));
            body.extend(self.answer(operation));
        }
        body.extend(self.release(operation.server_reply, answered()));
        body.extend(self.release(operation.server_request.filter(|_| !operation.borrows), is_asked()));
        let parameters = [functions(object), context(), request()];
        let parameters = parameters.map(|of| parameter(cast::print_expression(&of), of.ty)).to_vec();
        function(Linkage::Static, Type::Void, serving(operation), parameters, body)
    }

    fn variables(&self, operation: &ObjectOperation) -> Vec<Statement> {
        let packs = [(is_asked(), operation.server_request), (answered(), operation.server_reply)];
        let (mut declared, mut cleared) = (Vec::new(), Vec::new());
        for (variable, pack) in packs {
            let Some(pack) = pack else { continue };
            declared.push(local(cast::print_expression(&variable), self.pres.types[pack].ty.clone(), None));
            cleared.push(clear(variable, false));
        }
        if let Some(tag) = operation.exceptions() {
            declared.push(local("_exceptions", Type::Tagged(cast::TagKind::Union, tag), None));
            cleared.push(clear(name("_exceptions", Type::Void), false));
        }
        declared.into_iter().chain(cleared).collect()
    }

    /// Unmarshals what is asked, in the message where nothing of it can be replaced.
    fn arguments(&self, operation: &ObjectOperation) -> Vec<Statement> {
        let Some(pack) = operation.server_request else { return Vec::new() };
        let mut body = Vec::new();
        if !operation.borrows {
            let input = of_request("in", Type::structure("whittle_xdr_in"));
            body.push(assign(member(input.clone(), "borrow", Type::INT), name("false", Type::INT)));
            body.push(assign(member(input, "allocate", Type::Void), name("whittle_onc_heap", Type::Void)));
        }
        let arguments = vec![address(of_request("in", Type::Void)), of_request("at", bytes()), address(is_asked())];
        let decoded = call(self.marshalling.name(pack, Direction::Decode), arguments, bytes());
        let mut failed: Vec<Statement> =
            self.release(Some(pack).filter(|_| !operation.borrows), is_asked()).into_iter().collect();
        failed.extend(refused(operation, "whittle_onc_garbage"));
        body.push(when(equal(decoded, null()), failed));
        body.extend(
            operation
                .parameters
                .iter()
                .filter(|of| of.way == Way::InOut)
                .map(|of| answered_in_place(of, &results(operation))),
        );
        body
    }

    /// The reply tells an exception in place of results.
    fn outcome(&self, operation: &ObjectOperation) -> Statement {
        // Results that are there already are not answered.
        let mut then: Vec<Statement> = self.release(operation.server_reply, answered()).into_iter().collect();
        then.push(clear(answered(), false));
        let number = member(answered(), pres::RAISED, Type::named("uint32_t"));
        then.push(assign(number, cast_to(Type::named("uint32_t"), status())));
        if operation.exceptions().is_some() {
            let exceptions = name("_exceptions", Type::Void);
            let union = address(member(answered(), "u", Type::Void));
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

    /// Marshals what was answered.
    fn answer(&self, operation: &ObjectOperation) -> Vec<Statement> {
        let refuse = call_statement("whittle_onc_refuse", vec![request(), status()]);
        let reply = call("whittle_onc_reply", vec![request()], to().ty);
        let mut good = vec![local("_to", to().ty, Some(reply))];
        if let Some(pack) = operation.server_reply {
            let arguments = vec![address(of_request("out", Type::Void)), to(), address(answered())];
            let routine = self.marshalling.name(pack, Direction::Encode);
            good.push(assign(to(), unless_null(to(), &routine, arguments)));
        }
        good.push(call_statement("whittle_onc_answer", vec![request(), to()]));
        let condition = equal(status(), integer(0));
        vec![Statement::If { condition, then: good, otherwise: vec![refuse] }]
    }

    fn release(&self, pack: Option<TypeStubId>, value: Expression) -> Option<Statement> {
        let release = self.marshalling.release(pack?)?;
        Some(call_statement(&release, vec![address(value)]))
    }
}

/// What is said where the call is not made; who waits for no reply gets none (RFC 5531, section 8.4.1).
fn refused(operation: &ObjectOperation, how: &str) -> Vec<Statement> {
    let said = (!operation.is_oneway).then(|| call_statement(how, vec![request()]));
    said.into_iter().chain([Statement::Return(None)]).collect()
}

/// Where the reply holds results.
fn results(operation: &ObjectOperation) -> Expression {
    match operation.raises.is_empty() {
        true => answered(),
        false => member(member(answered(), "u", Type::Void), pres::RESULTS, Type::Void),
    }
}

/// The function that serves a procedure, found by its number. Procedure 0 answers that the server is there (RFC 5531,
/// section 12.1).
fn dispatch(object: &ObjectInterface) -> Declaration {
    // C++ converts no `void *` by itself.
    let served = cast_to(functions_type(object), name("_served", Type::Void.constant().pointer()));
    let typed = local("_operations", functions_type(object), Some(served));
    let arm = |number: u32, body: Statement| SwitchArm {
        labels: vec![CaseLabel::Value(word(number))],
        body: vec![body, Statement::Break],
    };
    let mut arms: Vec<SwitchArm> = Vec::new();
    if !object.operations.iter().any(|operation| operation.number == Some(0)) {
        let reply = call("whittle_onc_reply", vec![request()], to().ty);
        arms.push(arm(0, call_statement("whittle_onc_answer", vec![request(), reply])));
    }
    for operation in &object.operations {
        let served = call_statement(&serving(operation), vec![functions(object), context(), request()]);
        arms.push(arm(operation.number.unwrap_or(0), served));
    }
    let unknown = call_statement("whittle_onc_unknown", vec![request()]);
    arms.push(SwitchArm { labels: vec![CaseLabel::Default], body: vec![unknown, Statement::Break] });
    let switch = Statement::Switch { value: of_request("procedure", Type::named("uint32_t")), arms };
    let mut body = vec![typed, switch];
    if object.operations.is_empty() {
        body[0] = Statement::Expression(cast_to(Type::Void, name("_served", Type::Void)));
        body.insert(1, Statement::Expression(cast_to(Type::Void, context())));
    }
    let parameters = vec![
        parameter("_served", Type::Void.constant().pointer()),
        parameter("_context", Type::Void.pointer()),
        parameter("_request", request().ty),
    ];
    function(Linkage::Static, Type::Void, format!("dispatch_{}", object.name), parameters, body)
}

/// `dir_serve`.
fn serve(object: &ObjectInterface) -> Declaration {
    let [program, version] = numbers(object);
    let dispatching = name(format!("dispatch_{}", object.name), Type::Void);
    let ty = Type::structure("whittle_onc_program").constant();
    let described = Statement::Declare(Variable {
        storage: Storage::Static,
        name: "_program".to_string(),
        ty: ty.clone(),
        initial: Some(braces(vec![program, version, dispatching])),
        ..Variable::default()
    });
    let server = Type::structure("whittle_onc_server").pointer();
    let parameters = vec![
        parameter("server", server.clone()),
        parameter("operations", functions_type(object)),
        parameter("context", Type::Void.pointer()),
    ];
    let arguments = vec![
        name("server", server),
        address(name("_program", ty)),
        name("operations", functions_type(object)),
        name("context", Type::Void.pointer()),
    ];
    let body = vec![described, returns(call("whittle_onc_serve", arguments, Type::INT))];
    function(Linkage::Plain, Type::INT, format!("{}_serve", object.name), parameters, body)
}
