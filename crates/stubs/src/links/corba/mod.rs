//! The style of CORBA's C mapping, over any link: `b-common.c` (type codes, and what releases values), `b-stubs.c`, `b-skels.c`.
//!
//! In: PRES_C of that style, a link ([`Objects`]). Out: CAST files. Source: OMG, C Language Mapping (formal/99-07-35).

mod client;
mod exceptions;
mod link;
mod server;

use cast::build::{cast as cast_to, name, parameter};
use cast::{Declaration, Expression, File, Linkage, Type};
use pres::{Interface, Pres, PresC, TypeStub, TypeStubId};

use crate::links::options::{After, Options};
use crate::links::rpc::{Marshalling, Use, file};
use crate::links::statements::{call_statement, function};
use crate::plan::Direction;

pub use client::client_file;
pub use link::{ExceptionReplies, Exceptions, Objects, RaisedInReply};
pub use server::server_file;
pub(in crate::links) use server::{by_number, making, serve, served, serving, vector_of};

/// The shared file.
pub fn common_file(pres: &PresC, options: &Options, link: &dyn Objects, after: After) -> File {
    let wanted: Vec<(TypeStubId, &TypeStub)> = pres.types.iter().filter(|(_, stub)| is_released(pres, stub)).collect();
    let uses: Vec<Use> = wanted.iter().map(|(id, _)| Use::new(*id, Direction::Release)).collect();
    let marshalling = Marshalling::new(pres, options, link.payloads(), &uses, after);
    let mut rest = marshalling.declarations();
    for (id, stub) in wanted {
        let Some(release) = marshalling.release(id) else { continue };
        let value = name("value", Type::Void.pointer());
        let given = cast_to(stub.ty.clone().pointer(), value.clone());
        let body = vec![call_statement(&release, vec![given])];
        let name = format!("whittle_release_{}", stub.name);
        let parameters = vec![parameter("value", value.ty)];
        rest.extend([Declaration::Blank, function(Linkage::Plain, Type::Void, name, parameters, body)]);
    }
    rest.push(Declaration::Blank);
    rest.extend(pres.common.iter().cloned());
    file(pres, options, &["stddef.h"], rest)
}

/// Structures, unions, exceptions and arrays that this file's header declares.
fn is_released(pres: &PresC, stub: &TypeStub) -> bool {
    let shape = &pres.nodes[stub.node].pres;
    !stub.imported && matches!(shape, Pres::Structure(_) | Pres::Union { .. } | Pres::FixedArray { .. })
}

/// The interfaces that this file has stubs of.
fn own(pres: &PresC) -> impl Iterator<Item = &Interface> {
    pres.interfaces.iter().filter(|object| !object.imported && !object.is_local)
}

pub(in crate::links) fn environment() -> Type {
    Type::named("CORBA_Environment")
}

/// `ev`.
pub(in crate::links) fn ev() -> Expression {
    name("ev", environment().pointer())
}
