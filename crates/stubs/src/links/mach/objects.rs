//! Mach's ports for CORBA's style: an object is a port, a reference to it a right to send, which travels beside the bytes of messages;
//! exceptions stand in the reply, as in the plain style over this link. In: interfaces. Out: what [`corba`](crate::links::corba) writes
//! clients and servers with. The run time behind it is `runtime/corba/mach`.

use cast::build::{address, call, local, member, name};
use cast::{Declaration, Expression, Statement, Type};
use pres::{Interface, Operation, PresC};

use super::Mach;
use super::plain::{described, message_id, number};
use crate::links::corba::{Exceptions, Objects, RaisedInReply, by_number, ev, making, serve, served};
use crate::links::rpc::{Protocol, to};
use crate::links::statements::call_statement;

/// The run time's name of something of this style's: `whittle_mach_object_begin`.
fn object(what: &str) -> String {
    Mach.own(&format!("object_{what}"))
}

fn the_call() -> Expression {
    name("_call", Type::structure(object("call")))
}

impl Objects for Mach {
    fn exceptions(&self) -> Exceptions<'_> {
        Exceptions::InReply(RaisedInReply { raise: object("raise"), begin: object("raised") })
    }

    fn call_variables(&self) -> Vec<Statement> {
        vec![local("_call", the_call().ty, None)]
    }

    fn call(&self) -> Expression {
        member(the_call(), "mach", Type::structure(self.own("call")))
    }

    fn send(&self, _: &Interface, operation: &Operation, encode: Option<Statement>) -> Vec<Statement> {
        let target = name("_obj", Type::named("CORBA_Object"));
        let begin = vec![address(the_call()), target, message_id(operation), ev()];
        let begun = local("_to", to().ty, Some(call(object("begin"), begin, to().ty)));
        [begun].into_iter().chain(encode).collect()
    }

    fn post(&self) -> Vec<Statement> {
        vec![call_statement(&object("post"), vec![address(the_call()), to(), ev()])]
    }

    fn has_results(&self) -> Expression {
        call(object("exchange"), vec![address(the_call()), to(), ev()], Type::named("bool"))
    }

    fn unmarshalled(&self, _: Expression, at: Expression) -> Statement {
        call_statement(&object("unmarshalled"), vec![address(the_call()), at, ev()])
    }

    /// What follows the results ends the call already.
    fn end(&self) -> Option<Statement> {
        None
    }

    fn heap(&self) -> String {
        object("heap")
    }

    fn raised_otherwise(&self, environment: Expression) -> Statement {
        call_statement(&object("refuse"), vec![self.request(), environment])
    }

    fn interface(&self, _: &PresC, interface: &Interface) -> Vec<Declaration> {
        let arm = |of: &Operation| (message_id(of), vec![served(interface, of, self.request())]);
        let arms = interface.operations.iter().map(arm).collect();
        let dispatch = by_number(interface, number(), arms, &self.refusals().unimplemented);
        let serve = serve(interface, self.kind().server(), described(interface, true), &object("serve"));
        let made = [dispatch, making(interface, "init", None), making(interface, "fini", None), serve];
        made.into_iter().flat_map(|function| [Declaration::Blank, function]).collect()
    }

    /// Each interface has functions for what it inherits, too.
    fn serves_heirs(&self) -> bool {
        false
    }
}
