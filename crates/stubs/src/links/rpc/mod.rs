//! Remote calls: the clients and servers of every link, written once. A link is a value of [`Link`]: what its run time is called,
//! and what its messages have around the payload. The rest, such as how parameters reach the payload, where results go, who
//! releases what, and what becomes of failures, is the same for all.
//!
//! In: PRES_C of the plain style ([`pres::Interface`]), a link. Out: `b_types.c` (what releases values), `b_client.c`,
//! `b_server.c`. `docs/guides/add-a-link.md` shows how to write a link. Source: Flick (PLDI'97) sections 2.3 and 3.

mod client;
mod dispatch;
mod exceptions;
mod link;
mod marshalling;
mod server;
mod types;
mod values;

use cast::build::{conditional, equal, member, name, null};
use cast::{Declaration, Expression, File, Type};
use pres::{Interface, Operation, PresC, TypeStubId};

use super::options::Options;

pub use client::client_file;
pub(in crate::links) use dispatch::{by_number, served, switch};
pub use exceptions::ExceptionReplies;
pub(in crate::links) use exceptions::raised;
pub use link::{Link, Protocol, Refusals};
pub use marshalling::Payloads;
pub(in crate::links) use marshalling::{Marshalling, Use};
pub use server::server_file;
pub(in crate::links) use server::serving;
pub use types::types_file;
pub(in crate::links) use values::{
    answer, context, functions, functions_type, given, read_into, received, reply, request, requested, variables,
};

/// A file that begins as all do.
pub(in crate::links) fn file(pres: &PresC, options: &Options, system: &[&'static str], rest: Vec<Declaration>) -> File {
    let mut declarations = super::net::checked(pres.prologue.clone());
    let own = declarations.iter().position(|d| matches!(d, Declaration::Include(_))).unwrap_or(declarations.len());
    let includes = system.iter().map(|path| Declaration::system_include(path));
    declarations.splice(own..own, options.definitions().chain(includes).collect::<Vec<_>>());
    declarations.extend(rest);
    super::statements::file(declarations)
}

/// All operations, with their interfaces.
fn operations(pres: &PresC) -> impl Iterator<Item = (&Interface, &Operation)> {
    pres.interfaces.iter().flat_map(|object| object.operations.iter().map(move |of| (object, of)))
}

/// The structures of messages, then the routines that marshal them.
pub(in crate::links) fn messages(
    pres: &PresC,
    packs: impl Iterator<Item = [Option<TypeStubId>; 2]>,
    marshalling: &Marshalling,
) -> Vec<Declaration> {
    let structures = packs.flat_map(|packs| super::packs::declarations(pres, &packs));
    structures.chain(marshalling.declarations()).collect()
}

/// A pointer to `const char`.
pub(in crate::links) fn bytes() -> Type {
    Type::CHAR.constant().pointer()
}

/// Where the message goes on, while it is written.
pub(in crate::links) fn to() -> Expression {
    name("_to", Type::CHAR.pointer())
}

/// Where the message goes on, while it is read.
pub(in crate::links) fn at() -> Expression {
    name("_at", bytes())
}

fn status() -> Expression {
    name("_status", Type::INT)
}

/// `at == NULL ? NULL : otherwise`.
pub(in crate::links) fn unless_null(at: Expression, otherwise: Expression) -> Expression {
    conditional(equal(at, null()), null(), otherwise)
}

/// Whether a reply tells by a number of its own that an exception stands in place of results.
pub(in crate::links) fn tells_in_reply(link: &(impl Protocol + ?Sized), operation: &Operation) -> bool {
    !link.has_exception_replies() && !operation.raises.is_empty()
}

/// Where a reply holds results.
pub(in crate::links) fn results_of(
    reply: Expression,
    link: &(impl Protocol + ?Sized),
    operation: &Operation,
) -> Expression {
    match tells_in_reply(link, operation) {
        false => reply,
        true => member(member(reply, pres::OUTCOME, Type::Void), pres::RESULTS, Type::Void),
    }
}
