//! The link `giop-tcp`: requests and replies of GIOP over TCP, carried by the ORB that stands beside what is generated. In
//! CORBA's style `objects`, in the plain one `plain`.
//!
//! In: interfaces with repository ids ([`pres::Interface`]). Out: what [`corba`](super::corba) and
//! [`rpc`](super::rpc) write either style's files with. Headers of messages, connections and object references are the
//! ORB's (`runtime/corba/orb/giop.h`). Source: CORBA 3.3 part 2, chapter 9; Flick (PLDI'97) section 3.3 (dispatch by words).

mod demux;
mod objects;
mod plain;
pub mod runtime;

use cast::build::{call, name, text};
use cast::{Expression, Statement, Type};
use pres::{Interface, LinkKind};

use super::rpc::{Payloads, Protocol, Refusals, to};
use super::statements::call_statement;

/// GIOP, in either style.
pub struct Giop;

/// The ORB begins the bodies of messages at a multiple of so many bytes (CORBA 3.3 part 2, section 9.4).
const BODY_PHASE: u64 = 8;

/// What the server knows a request by.
fn request() -> Expression {
    name("_asked", Type::structure("whittle_request").pointer())
}

/// Begins a reply of a kind: where its body goes.
fn begin_reply(kind: &str) -> Expression {
    let kind = name(format!("WHITTLE_ANSWER_{kind}"), Type::INT);
    call("whittle_reply_begin", vec![request(), kind], to().ty)
}

/// What dispatch does where there is no such operation.
fn unknown() -> Statement {
    call_statement("whittle_request_unknown", vec![request()])
}

/// What an object of an interface answers to: its own id first.
fn ids(object: &Interface) -> impl Iterator<Item = Expression> {
    let inherited = object.ancestors.iter().rev().map(|ancestor| &ancestor.repository_id);
    std::iter::once(&object.repository_id).chain(inherited).map(|id| text(id.as_str()))
}

impl Protocol for Giop {
    fn kind(&self) -> LinkKind {
        LinkKind::Iiop
    }

    fn payloads(&self) -> Payloads {
        Payloads::Cdr { phase: BODY_PHASE }
    }

    fn request(&self) -> Expression {
        request()
    }

    fn refusals(&self) -> Refusals {
        Refusals::new("whittle_request_unimplemented", "whittle_request_marshal", true)
    }

    fn has_exception_replies(&self) -> bool {
        true
    }

    fn begin_reply(&self) -> Expression {
        begin_reply("RESULT")
    }

    fn end_reply(&self, to: Expression) -> Statement {
        call_statement("whittle_reply_end", vec![request(), to])
    }
}
