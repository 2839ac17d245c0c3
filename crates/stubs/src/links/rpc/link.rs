//! What a link must say of itself: each method is a header, a transport call or a capability.

use cast::{Declaration, Expression, Statement};
use pres::{Carrier, Interface, Operation};

use super::ExceptionReplies;
use super::marshalling::Payloads;

/// How calls travel.
pub trait Link {
    /// What users of the run time see of it: names, headers.
    fn carrier(&self) -> Carrier;

    /// How payloads are marshalled.
    fn payloads(&self) -> Payloads;

    /// Exceptions that travel in replies of their own; `None` where the reply's own union has them.
    fn exception_replies(&self) -> Option<&dyn ExceptionReplies> {
        None
    }

    /// The client's variables for a call.
    fn call_variables(&self) -> Vec<Statement>;

    /// The structure that marshals for a call: it has `out`, `in`, `at` and, where an encoding has two byte orders, `swapped`.
    fn call(&self) -> Expression;

    /// Begins a request, marshals by `encode` and, where the link sends at once, sends.
    fn send(&self, object: &Interface, operation: &Operation, encode: Option<Statement>) -> Vec<Statement>;

    /// Ends a call that has no reply, and returns a status.
    fn post(&self) -> Vec<Statement>;

    /// Whether there is a reply with results.
    fn has_results(&self) -> Expression;

    /// True where `has_results` waits for them: it stands once, and before results are emptied.
    fn waits_for_results(&self) -> bool {
        false
    }

    /// Whether the reply may stay with the caller, with the results in it.
    fn lends(&self) -> Expression;

    /// Ends a call that was read up to `_at`, and tells its status: the one given where it succeeded. The reply goes to
    /// `lent` where results lie in it.
    fn end(&self, status: Expression, lent: Option<Expression>) -> Expression;

    /// What the server knows a request by: a pointer to what has `out`, `in` and so on.
    fn request(&self) -> Expression;

    /// What the server says in place of a reply.
    fn refusals(&self) -> Refusals;

    /// Stands before the user's function.
    fn before_function(&self) -> Option<Statement> {
        None
    }

    /// Begins a reply with results: where its payload goes.
    fn begin_reply(&self) -> Expression;

    /// Sends the reply that ends at `_to`.
    fn end_reply(&self) -> Statement;

    /// The function `dispatch_X`, which finds the function that serves a request.
    fn dispatch(&self, object: &Interface) -> Declaration;

    /// What describes an interface to the run time: static variables, and the arguments that pass them on.
    fn description(&self, object: &Interface) -> (Vec<Statement>, Vec<Expression>);
}

/// The run time's functions that refuse a request.
pub struct Refusals {
    pub unimplemented: &'static str,
    pub malformed: &'static str,
    /// They take no notice of requests that nobody waits for; else they are not to be called for those.
    pub know_oneway: bool,
}
