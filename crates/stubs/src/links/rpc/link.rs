//! What a link must say of itself: each method is a header, a transport call or a capability.

use cast::build::{address, call, equal, integer, local, name, returns};
use cast::{Declaration, Expression, Statement, Type};
use pres::{Interface, LinkKind, Operation};

use super::ExceptionReplies;
use super::marshalling::Payloads;
use super::{at, to};
use crate::links::statements::call_statement;

/// What a link says of itself to every style.
pub trait Protocol {
    /// What users of the run time see of it: names, headers.
    fn kind(&self) -> LinkKind;

    /// How payloads are marshalled.
    fn payloads(&self) -> Payloads;

    /// What the server knows a request by: a pointer to what has `out`, `in` and so on.
    fn request(&self) -> Expression {
        name("_request", Type::structure(self.own("request")).pointer())
    }

    /// What the server says in place of a reply.
    fn refusals(&self) -> Refusals;

    /// Exceptions travel in replies of their own; else the reply's own union has them.
    fn has_exception_replies(&self) -> bool {
        false
    }

    /// The run time's name of something: `whittle_onc_begin`.
    fn own(&self, what: &str) -> String {
        format!("{}_{what}", self.kind().prefix())
    }

    /// Begins a reply with results: where its payload goes.
    fn begin_reply(&self) -> Expression {
        call(self.own("reply"), vec![self.request()], to().ty)
    }

    /// Sends the reply that ends at `to`.
    fn end_reply(&self, to: Expression) -> Statement {
        call_statement(&self.own("answer"), vec![self.request(), to])
    }

    /// Sends a reply without results.
    fn acknowledge(&self) -> Vec<Statement> {
        vec![local("_to", to().ty, Some(self.begin_reply())), self.end_reply(to())]
    }
}

/// How calls travel. What is usual: the run time's functions begin and end calls, and are named by the kind's prefix.
pub trait Link: Protocol {
    /// What is known of replies with exceptions, where it has them.
    fn exception_replies(&self) -> Option<&dyn ExceptionReplies> {
        None
    }

    /// The client's variables for a call.
    fn call_variables(&self) -> Vec<Statement> {
        vec![local("_call", self.call().ty, None)]
    }

    /// The structure that marshals for a call: it has `out`, `in`, `at` and, where an encoding has two byte orders, `swapped`.
    fn call(&self) -> Expression {
        name("_call", Type::structure(self.own("call")))
    }

    /// Begins a request, marshals by `encode` and, where the link sends at once, sends.
    fn send(&self, object: &Interface, operation: &Operation, encode: Option<Statement>) -> Vec<Statement>;

    /// Ends a call that has no reply, and returns a status.
    fn post(&self) -> Vec<Statement> {
        vec![returns(call(self.own("post"), vec![address(self.call()), to()], Type::INT))]
    }

    /// Waits for a reply without results, ends the call and tells its status; `None`: such a reply is waited for and ended as one
    /// with results.
    fn acknowledged(&self) -> Option<Expression> {
        None
    }

    /// Whether there is a reply with results.
    fn has_results(&self) -> Expression {
        equal(call(self.own("exchange"), vec![address(self.call()), to()], Type::INT), integer(0))
    }

    /// True where `has_results` waits for them: it stands once, and before results are emptied.
    fn waits_for_results(&self) -> bool {
        true
    }

    /// Whether the reply may stay with the caller, with the results in it.
    fn lends(&self) -> Expression {
        call(self.own("lend"), vec![address(self.call())], Type::named("bool"))
    }

    /// Ends a call that was read up to `_at`, and tells its status: the one given where it succeeded. The reply goes to
    /// `lent` where results lie in it.
    fn end(&self, _: Expression, lent: Option<Expression>) -> Expression {
        let how = if lent.is_some() { "end_lent" } else { "end" };
        call(self.own(how), [address(self.call()), at()].into_iter().chain(lent).collect(), Type::INT)
    }

    /// Stands before the user's function.
    fn before_function(&self) -> Option<Statement> {
        None
    }

    /// The function `dispatch_X`, which finds the function that serves a request.
    fn dispatch(&self, object: &Interface) -> Declaration;

    /// What describes an interface to the run time: static variables, and the arguments that pass them on.
    fn description(&self, object: &Interface) -> (Vec<Statement>, Vec<Expression>);
}

/// The run time's functions that refuse a request.
pub struct Refusals {
    pub unimplemented: String,
    pub malformed: String,
    /// They take no notice of requests that nobody waits for; else they are not to be called for those.
    pub know_oneway: bool,
}

impl Refusals {
    /// Those of these names.
    pub fn new(unimplemented: impl Into<String>, malformed: impl Into<String>, know_oneway: bool) -> Refusals {
        Refusals { unimplemented: unimplemented.into(), malformed: malformed.into(), know_oneway }
    }

    /// What is done where the call is not made; who waits for no reply may get none.
    pub(in crate::links) fn refused(&self, how: &str, operation: &Operation, request: Expression) -> Vec<Statement> {
        let is_said = !operation.is_oneway || self.know_oneway;
        let said = is_said.then(|| call_statement(how, vec![request]));
        said.into_iter().chain([Statement::Return(None)]).collect()
    }
}
