//! What a link must say of itself to carry CORBA's style: as [`rpc::Link`](crate::links::rpc::Link), but that failures are raised in
//! an environment, and that servants stand in place of functions and a context.

use cast::{Declaration, Expression, Statement};
use pres::{Interface, Operation, PresC};

use crate::links::rpc::Protocol;

/// How exceptions of the user's travel.
pub enum Exceptions<'a> {
    /// In replies of their own.
    Replies(&'a dyn ExceptionReplies),
    /// In the reply's own union, whose number says which.
    InReply(RaisedInReply),
}

/// What a link knows of replies with exceptions, which tell them by name.
pub trait ExceptionReplies {
    /// Whether the client has one.
    fn is_raised(&self) -> Expression;

    /// It tells a name that the operation does not raise.
    fn unexpected(&self) -> Statement;

    /// Begins the server's, and puts the name at `to`.
    fn begin(&self, to: Expression, id: Expression) -> [Statement; 2];
}

/// The run time's functions for exceptions in the reply's own union.
pub struct RaisedInReply {
    /// The client's, which raises one.
    pub raise: String,
    /// The server's, which begins the reply and hands over the members.
    pub begin: String,
}

/// How calls of objects travel.
pub trait Objects: Protocol {
    /// How exceptions of the user's travel.
    fn exceptions(&self) -> Exceptions<'_>;

    /// The client's variables for a call.
    fn call_variables(&self) -> Vec<Statement>;

    /// The structure that marshals for a call: it has `out`, `in`, `at` and, where an encoding has two byte orders, `swapped`.
    fn call(&self) -> Expression;

    /// Begins a request to `_obj`, marshals by `encode` and, where the link sends at once, sends.
    fn send(&self, object: &Interface, operation: &Operation, encode: Option<Statement>) -> Vec<Statement>;

    /// Ends a call that has no reply.
    fn post(&self) -> Vec<Statement>;

    /// Whether there is a reply with results.
    fn has_results(&self) -> Expression;

    /// The call of that address is read up to `at`.
    fn unmarshalled(&self, call: Expression, at: Expression) -> Statement;

    /// Stands behind all that is done with a reply.
    fn end(&self) -> Option<Statement>;

    /// The function that allocates what a request holds, where that does not lie in the message.
    fn heap(&self) -> String;

    /// The servant raised what the operation does not.
    fn raised_otherwise(&self, environment: Expression) -> Statement;

    /// What stands for an interface: its dispatch, and what makes servants and has them serve.
    fn interface(&self, pres: &PresC, object: &Interface) -> Vec<Declaration>;

    /// The functions that serve are called by other files.
    fn serves_heirs(&self) -> bool;
}
