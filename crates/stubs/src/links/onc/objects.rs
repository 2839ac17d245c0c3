//! ONC RPC for CORBA's style: objects are programs at addresses, known by their numbers, and exceptions stand in the reply, as in the
//! plain style over this link. In: interfaces with numbers. Out: what [`corba`](crate::links::corba) writes clients and servers with.
//! The run time behind it is `runtime/corba/onc`.

use cast::build::{address, call, local, member, name};
use cast::{Declaration, Expression, Statement, Type};
use pres::{Interface, Operation, PresC};

use super::Onc;
use crate::links::corba::{Exceptions, Objects, RaisedInReply, by_number, ev, making, serve, served};
use crate::links::rpc::{Protocol, to};
use crate::links::statements::call_statement;

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
        let served = object.operations.iter().map(|of| (of.procedure(), served(object, of, self.request())));
        let (arms, unknown) = (self.arms(object, served), self.refusals().unimplemented);
        let dispatch = by_number(object, (self.request(), self.number()), arms, &unknown);
        let serve = serve(object, self.kind().server(), self.described(object), &self.object("serve"));
        let made = [dispatch, making(object, "init", None), making(object, "fini", None), serve];
        made.into_iter().flat_map(|function| [Declaration::Blank, function]).collect()
    }

    /// Each interface has functions for what it inherits, too.
    fn serves_heirs(&self) -> bool {
        false
    }
}
