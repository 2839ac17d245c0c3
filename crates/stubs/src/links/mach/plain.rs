//! The link `mach` of `.x` and `.idl`: calls over Mach's ports, in the plain style. A message is Mach's header and one array of bytes,
//! typed as such: CDR in the machine's byte order, so that arrays of numbers are copied as they are. Large ones go beside the message.
//!
//! In: interfaces. Out: what [`rpc`](crate::links::rpc) writes clients and servers with, and the run time (`runtime/mach`). Source:
//! Flick (PLDI'97) sections 3.2 and 4, the message format of `mach/message.h`.

use cast::build::{address, arrow, call, local, name, unsigned};
use cast::{Declaration, Expression, Statement, Type};
use pres::{Interface, LinkKind, Operation};

use crate::links::rpc::{Link, Payloads, Protocol, Refusals, by_number, served, to};
use crate::links::statements::{self, call_statement};

/// The run time begins the bytes of messages at a multiple of so many.
const PHASE: u64 = 8;

/// Mach's ports.
pub struct Mach;

pub(super) fn message_id(operation: &Operation) -> Expression {
    unsigned(u64::from(pres::mach_id(&operation.name)))
}

impl Protocol for Mach {
    fn kind(&self) -> LinkKind {
        LinkKind::Mach
    }

    fn payloads(&self) -> Payloads {
        Payloads::Local { phase: PHASE }
    }

    fn refusals(&self) -> Refusals {
        Refusals::new("whittle_mach_unknown", "whittle_mach_garbage", true)
    }

    fn acknowledge(&self) -> Vec<Statement> {
        vec![call_statement("whittle_mach_acknowledge", vec![self.request()])]
    }
}

impl Link for Mach {
    fn send(&self, _: &Interface, operation: &Operation, encode: Option<Statement>) -> Vec<Statement> {
        let client = name("client", LinkKind::Mach.client().pointer());
        let begin = vec![address(self.call()), client, message_id(operation)];
        let begun = local("_to", to().ty, Some(call(self.own("begin"), begin, to().ty)));
        [begun].into_iter().chain(encode).collect()
    }

    fn acknowledged(&self) -> Option<Expression> {
        Some(call(self.own("command"), vec![address(self.call()), to()], Type::INT))
    }

    /// A switch on the message's number.
    fn dispatch(&self, object: &Interface) -> Declaration {
        let arm = |operation| (message_id(operation), vec![served(operation, self.request())]);
        let arms = object.operations.iter().map(arm).collect();
        by_number(object, number(), arms, &self.refusals().unimplemented)
    }

    fn description(&self, object: &Interface) -> (Vec<Statement>, Vec<Expression>) {
        let (described, given) = described(object, false);
        (vec![described], vec![given])
    }
}

/// What knows a request, and the number that it has.
pub(super) fn number() -> (Expression, Expression) {
    let request = Mach.request();
    (request.clone(), arrow(request, "id", Type::named("uint32_t")))
}

/// `static const struct whittle_mach_interface _interface = {dispatch_dir, false};`
pub(super) fn described(object: &Interface, carries_rights: bool) -> (Statement, Expression) {
    let carries_rights = name(if carries_rights { "true" } else { "false" }, Type::INT);
    let values = vec![name(object.dispatch.as_str(), Type::Void), carries_rights];
    statements::described("_interface", "whittle_mach_interface", values)
}
