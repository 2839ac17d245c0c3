//! GIOP for the plain style: `b_types.c`, `b_client.c`, `b_server.c`. The ORB is the one that stands beside CORBA's stubs
//! (`runtime/corba`), behind what plain programs see (`runtime/corba/plain`). Exceptions come in replies of their own, known by
//! their repository ids.
//!
//! In: interfaces with repository ids. Out: what [`rpc`](crate::links::rpc) writes clients and servers with. Source: CORBA 3.3
//! part 2, chapter 9; Flick (PLDI'97) section 2.2.

use cast::build::{
    address, arrow, assign, braces, call, cast as cast_to, dereference, equal, local, member, name, null, parameter,
    returns, sizeof_value, text,
};
use cast::{Declaration, Expression, Linkage, Statement, TagKind, Type};
use pres::{Interface, LinkKind, Operation};

use super::{Giop, demux};
use crate::links::rpc::{ExceptionReplies, Link, Protocol, at, bytes, functions_type, serving, to};
use crate::links::statements::{call_statement, described, function, kept};

fn the_call() -> Expression {
    name("_call", Type::structure("whittle_iiop_call"))
}

/// What the ORB knows a call by.
fn giop_of(call: Expression) -> Expression {
    member(call, "giop", Type::structure("whittle_call"))
}

fn reply_is(what: &str) -> Expression {
    equal(name("_answer", Type::INT), name(format!("WHITTLE_ANSWER_{what}"), Type::INT))
}

impl Link for Giop {
    fn exception_replies(&self) -> Option<&dyn ExceptionReplies> {
        Some(self)
    }

    fn call_variables(&self) -> Vec<Statement> {
        let answer = Type::Tagged(TagKind::Enum, "whittle_answer".to_string());
        vec![local("_call", the_call().ty, None), local("_answer", answer, None)]
    }

    fn call(&self) -> Expression {
        giop_of(the_call())
    }

    /// The request, again as long as the object is found to be elsewhere.
    fn send(&self, _: &Interface, operation: &Operation, encode: Option<Statement>) -> Vec<Statement> {
        let client = name("client", LinkKind::Iiop.client().pointer());
        let waits = name(if operation.is_oneway { "false" } else { "true" }, Type::INT);
        let named = || text(operation.name.as_str());
        let begin = vec![address(the_call()), named(), sizeof_value(named()), waits];
        let mut body = vec![local("_to", to().ty, Some(call("whittle_iiop_begin", begin, to().ty)))];
        body.extend(encode);
        let sent = call("whittle_iiop_send", vec![address(the_call()), to()], Type::INT);
        body.push(assign(name("_answer", Type::INT), sent));
        vec![
            call_statement("whittle_iiop_open", vec![address(the_call()), client]),
            Statement::DoWhile { body, condition: reply_is("AGAIN") },
        ]
    }

    fn post(&self) -> Vec<Statement> {
        vec![returns(call("whittle_iiop_posted", vec![address(the_call())], Type::INT))]
    }

    fn has_results(&self) -> Expression {
        reply_is("RESULT")
    }

    fn waits_for_results(&self) -> bool {
        false
    }

    fn lends(&self) -> Expression {
        call("whittle_iiop_lend", vec![address(the_call())], Type::named("bool"))
    }

    fn end(&self, status: Expression, lent: Option<Expression>) -> Expression {
        let how = if lent.is_some() { "whittle_iiop_end_lent" } else { "whittle_iiop_end" };
        call(how, vec![address(the_call()), at(), lent.unwrap_or(status)], Type::INT)
    }

    fn before_function(&self) -> Option<Statement> {
        Some(call_statement("whittle_iiop_call_begins", Vec::new()))
    }

    /// Nested switches on the words of the operation's name (Flick, section 3.3, "Message Demultiplexing").
    fn dispatch(&self, object: &Interface) -> Declaration {
        let servant = || name("_servant", Type::named("PortableServer_Servant"));
        let of = Type::structure("whittle_iiop_object").constant().pointer();
        let the_object = name("_object", of.clone());
        let part = |part: &str| arrow(the_object.clone(), part, Type::Void.pointer());
        let given = || vec![cast_to(functions_type(object), part("operations")), part("context"), self.request()];
        let served = object.operations.iter().map(|of| (of.name.as_str(), call_statement(&serving(of), given())));
        let body = match demux::by_name(served) {
            Some(switch) => vec![local("_object", of.clone(), Some(cast_to(of, servant()))), switch],
            None => vec![Statement::Expression(cast_to(Type::Void, servant())), super::unknown()],
        };
        let parameters = vec![parameter("_servant", servant().ty), parameter("_asked", self.request().ty)];
        function(Linkage::Static, Type::Void, object.dispatch.as_str(), parameters, body)
    }

    fn description(&self, object: &Interface) -> (Vec<Statement>, Vec<Expression>) {
        let ids = super::ids(object).chain([null()]).collect();
        let list = Type::Array(Box::new(bytes().constant()), None);
        let own = vec![
            text(object.repository_id.as_str()),
            name("_ids", Type::Void),
            name(object.dispatch.as_str(), Type::Void),
        ];
        let ids = Statement::Declare(kept("_ids", list, Some(braces(ids))));
        let (described, interface) = described("_interface", "whittle_interface", own);
        (vec![ids, described], vec![interface, text(object.name.as_str())])
    }
}

impl ExceptionReplies for Giop {
    fn is_raised(&self) -> Expression {
        reply_is("EXCEPTION")
    }

    fn id(&self) -> Expression {
        member(self.call(), "exception", bytes())
    }

    fn unexpected(&self) -> Statement {
        call_statement("whittle_iiop_unexpected", vec![address(the_call())])
    }

    fn call_pointer(&self) -> (Expression, Expression) {
        let pointer = name("_call", the_call().ty.pointer());
        (pointer.clone(), giop_of(dereference(pointer)))
    }

    fn call_address(&self) -> Expression {
        address(the_call())
    }

    fn begin(&self, id: Expression) -> [Statement; 2] {
        let named = vec![self.request(), to(), id.clone(), sizeof_value(id)];
        [
            local("_to", to().ty, Some(super::begin_reply("EXCEPTION"))),
            assign(to(), call("whittle_reply_id", named, to().ty)),
        ]
    }
}
