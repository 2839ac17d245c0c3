//! ONC RPC for CORBA's style: objects are programs at addresses, known by their numbers, and exceptions stand in the reply, as in the
//! plain style over this link. In: interfaces with numbers. Out: what [`corba`](crate::links::corba) writes clients and servers with.
//! The run time behind it is `runtime/corba/onc`.

use cast::build::{address, call, cast as cast_to, local, member, name, parameter};
use cast::{Declaration, Expression, Linkage, Statement, Type};
use pres::{Interface, Operation, PresC};

use super::Onc;
use crate::links::corba::{Exceptions, Objects, RaisedInReply, environment, ev, making, serving, vector_of};
use crate::links::rpc::{Protocol, switch, to};
use crate::links::words::{call_statement, function};

impl Onc {
    /// The run time's name of something of this style's: `whittle_onc_object_begin`.
    fn object(self, what: &str) -> String {
        self.own(&format!("object_{what}"))
    }

    /// The member of this style's call that is the plain style's.
    fn member(self) -> &'static str {
        match self {
            Onc::Whole => "onc",
            Onc::Tirpc => "tirpc",
        }
    }

    fn object_call(self) -> Expression {
        name("_call", Type::structure(self.object("call")))
    }
}

impl Objects for Onc {
    fn exceptions(&self) -> Exceptions<'_> {
        Exceptions::InReply(RaisedInReply { raise: self.object("raise"), begin: self.object("raised") })
    }

    fn call_variables(&self) -> Vec<Statement> {
        vec![local("_call", self.object_call().ty, None)]
    }

    fn call(&self) -> Expression {
        member(self.object_call(), self.member(), Type::structure(self.own("call")))
    }

    fn send(&self, object: &Interface, operation: &Operation, encode: Option<Statement>) -> Vec<Statement> {
        let [program, version] = object.numbers();
        let target = name("_obj", Type::named("CORBA_Object"));
        let begin = vec![address(self.object_call()), target, program, version, operation.procedure(), ev()];
        let begun = local("_to", to().ty, Some(call(self.object("begin"), begin, to().ty)));
        [begun].into_iter().chain(encode).collect()
    }

    fn post(&self) -> Vec<Statement> {
        vec![call_statement(&self.object("post"), vec![address(self.object_call()), to(), ev()])]
    }

    fn has_results(&self) -> Expression {
        call(self.object("exchange"), vec![address(self.object_call()), to(), ev()], Type::named("bool"))
    }

    fn unmarshalled(&self, _: Expression, at: Expression) -> Statement {
        call_statement(&self.object("unmarshalled"), vec![address(self.object_call()), at, ev()])
    }

    /// What follows the results ends the call already.
    fn end(&self) -> Option<Statement> {
        None
    }

    fn heap(&self) -> String {
        self.object("heap")
    }

    fn raised_otherwise(&self, environment: Expression) -> Statement {
        call_statement(&self.object("refuse"), vec![self.request(), environment])
    }

    fn interface(&self, _: &PresC, object: &Interface) -> Vec<Declaration> {
        let made = [making(object, "init", None), making(object, "fini", None), serve(*self, object)];
        [dispatch(*self, object)].into_iter().chain(made).flat_map(|function| [Declaration::Blank, function]).collect()
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

fn dispatch(link: Onc, object: &Interface) -> Declaration {
    let request = || link.request();
    let served = object.operations.iter().map(|operation| {
        let vector = vector_of(object, operation.inherited_from.as_ref().unwrap_or(&object.name));
        (operation.procedure(), call_statement(&serving(object, operation), vec![servant(), vector, request()]))
    });
    let mut body = vec![Statement::Expression(cast_to(Type::Void, name("_served", Type::Void)))];
    body.extend(object.operations.is_empty().then(|| Statement::Expression(cast_to(Type::Void, servant()))));
    body.push(switch((request(), link.number()), link.arms(object, served), &link.refusals().unimplemented));
    let parameters = vec![
        parameter("_served", Type::Void.constant().pointer()),
        parameter("_servant", servant().ty),
        parameter("_request", request().ty),
    ];
    function(Linkage::Static, Type::Void, object.dispatch.as_str(), parameters, body)
}

/// `POA_X__serve`: from then on the server's program is the servant.
fn serve(link: Onc, object: &Interface) -> Declaration {
    let (described, program) = link.described(object);
    let servant = name("servant", Type::named("PortableServer_Servant"));
    let server = name("server", link.carrier().server().pointer());
    let given = vec![server.clone(), program, servant.clone(), ev()];
    let body = vec![described, call_statement(&link.object("serve"), given)];
    let parameters = vec![
        parameter("servant", servant.ty),
        parameter("server", server.ty),
        parameter("ev", environment().pointer()),
    ];
    function(Linkage::Plain, Type::Void, format!("POA_{}__serve", object.name), parameters, body)
}
