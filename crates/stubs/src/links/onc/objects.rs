//! ONC RPC for CORBA's style: objects are programs at addresses, known by their numbers, and exceptions stand in the reply, as in the
//! plain style over this link. In: interfaces with numbers. Out: what [`corba`](crate::links::corba) writes clients and servers with.
//! The run time behind it is `runtime/corba/onc`.

use cast::build::{address, braces, call, cast as cast_to, local, member, name, parameter, spelled, unsigned};
use cast::{Declaration, Expression, Linkage, Statement, Storage, Type, Variable};
use pres::{Carrier, ObjectInterface, ObjectOperation, OncNumbers, PresC};

use super::{Onc, UNKNOWN, arms, number, procedure};
use crate::links::corba::{Exceptions, Objects, RaisedInReply, environment, ev, making, serving, vector_of};
use crate::links::rpc::{self, Payloads, Refusals, dispatching, switch, to};
use crate::links::words::{call_statement, function};

fn the_call() -> Expression {
    name("_call", Type::structure("whittle_onc_object_call"))
}

/// `0x20000001u, 1u`: what a call or a program is known by.
fn numbers(object: &ObjectInterface) -> [Expression; 2] {
    let OncNumbers { program, version } = object.onc.unwrap_or(OncNumbers { program: 0, version: 0 });
    [spelled(format!("0x{program:08x}u"), Type::named("uint32_t")), unsigned(u64::from(version))]
}

impl Objects for Onc {
    fn payloads(&self) -> Payloads {
        rpc::Link::payloads(self)
    }

    fn exceptions(&self) -> Exceptions<'_> {
        Exceptions::InReply(RaisedInReply { raise: "whittle_onc_object_raise", begin: "whittle_onc_object_raised" })
    }

    fn call_variables(&self) -> Vec<Statement> {
        vec![local("_call", the_call().ty, None)]
    }

    fn call(&self) -> Expression {
        member(the_call(), "onc", Type::structure("whittle_onc_call"))
    }

    fn send(&self, object: &ObjectInterface, operation: &ObjectOperation, encode: Option<Statement>) -> Vec<Statement> {
        let [program, version] = numbers(object);
        let target = name("_obj", Type::named("CORBA_Object"));
        let begin = vec![address(the_call()), target, program, version, procedure(operation), ev()];
        let begun = local("_to", to().ty, Some(call("whittle_onc_object_begin", begin, to().ty)));
        [begun].into_iter().chain(encode).collect()
    }

    fn post(&self) -> Vec<Statement> {
        vec![call_statement("whittle_onc_object_post", vec![address(the_call()), to(), ev()])]
    }

    fn has_results(&self) -> Expression {
        call("whittle_onc_object_exchange", vec![address(the_call()), to(), ev()], Type::named("bool"))
    }

    fn unmarshalled(&self, _: Expression, at: Expression) -> Statement {
        call_statement("whittle_onc_object_unmarshalled", vec![address(the_call()), at, ev()])
    }

    /// What follows the results ends the call already.
    fn end(&self) -> Option<Statement> {
        None
    }

    fn request(&self) -> Expression {
        rpc::Link::request(self)
    }

    fn heap(&self) -> &'static str {
        "whittle_onc_object_heap"
    }

    fn refusals(&self) -> Refusals {
        rpc::Link::refusals(self)
    }

    fn raised_otherwise(&self, environment: Expression) -> Statement {
        call_statement("whittle_onc_object_refuse", vec![Objects::request(self), environment])
    }

    fn begin_reply(&self) -> Expression {
        rpc::Link::begin_reply(self)
    }

    fn end_reply(&self, to: Expression) -> Statement {
        call_statement("whittle_onc_answer", vec![Objects::request(self), to])
    }

    fn interface(&self, _: &PresC, object: &ObjectInterface) -> Vec<Declaration> {
        let made = [making(object, "init", None), making(object, "fini", None), serve(object)];
        [dispatch(object)].into_iter().chain(made).flat_map(|function| [Declaration::Blank, function]).collect()
    }

    /// Each interface has functions for what it inherits, too.
    fn serves_heirs(&self) -> bool {
        false
    }
}

/// What serves is the context.
fn servant() -> Expression {
    name("_servant", Type::named("PortableServer_Servant"))
}

fn dispatch(object: &ObjectInterface) -> Declaration {
    let request = || Objects::request(&Onc);
    let served = object.operations.iter().map(|operation| {
        let vector = vector_of(object, operation.inherited_from.as_ref().unwrap_or(&object.name));
        (procedure(operation), call_statement(&serving(object, operation), vec![servant(), vector, request()]))
    });
    let mut body = vec![Statement::Expression(cast_to(Type::Void, name("_served", Type::Void)))];
    body.extend(object.operations.is_empty().then(|| Statement::Expression(cast_to(Type::Void, servant()))));
    body.push(switch((request(), number()), arms(object, served), UNKNOWN));
    let parameters = vec![
        parameter("_served", Type::Void.constant().pointer()),
        parameter("_servant", servant().ty),
        parameter("_request", request().ty),
    ];
    function(Linkage::Static, Type::Void, dispatching(object), parameters, body)
}

/// `POA_X__serve`: from then on the server's program is the servant.
fn serve(object: &ObjectInterface) -> Declaration {
    let [program, version] = numbers(object);
    let ty = Type::structure("whittle_onc_program").constant();
    let described = Statement::Declare(Variable {
        storage: Storage::Static,
        name: "_program".to_string(),
        ty: ty.clone(),
        initial: Some(braces(vec![program, version, name(dispatching(object), Type::Void)])),
        ..Variable::default()
    });
    let servant = name("servant", Type::named("PortableServer_Servant"));
    let server = name("server", Type::structure(Carrier::Onc.server()).pointer());
    let given = vec![server.clone(), address(name("_program", ty)), servant.clone(), ev()];
    let body = vec![described, call_statement("whittle_onc_object_serve", given)];
    let parameters = vec![
        parameter("servant", servant.ty),
        parameter("server", server.ty),
        parameter("ev", environment().pointer()),
    ];
    function(Linkage::Plain, Type::Void, format!("POA_{}__serve", object.name), parameters, body)
}
