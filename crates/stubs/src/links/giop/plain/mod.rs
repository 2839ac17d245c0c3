//! The plain style over IIOP: the same functions as over ONC RPC, for objects that anybody's ORB serves or calls.
//!
//! In: PRES_C of the plain style for [`pres::Carrier::Iiop`]. Out: `b_types.c` (what lets go of values), `b_client.c` (the
//! client's functions), `b_server.c` (a function for each operation, and the dispatch), and the run time: the ORB, and
//! beside it what plain programs see (`runtime/corba/plain`). Exceptions come in replies of their own, known by their
//! repository ids. Source: CORBA 3.3 part 2, chapter 9; Flick (PLDI'97) section 2.2.

mod client;
mod server;

use cast::build::{arrow, equal, member, name};
use cast::{Declaration, Expression, File, Type};
use pres::{ObjectOperation, PresC, Raised, TypeStubId};

use super::marshalling::{Marshalling, Use};
use super::{After, Options};
use crate::links::plain;
use crate::plan::Direction;

pub use client::client_file;
pub use server::server_file;

/// The shared file.
pub fn types_file(pres: &PresC, options: &Options, after: After) -> File {
    let own = plain::freed(pres);
    let wanted: Vec<Use> = own.iter().map(|(id, _)| Use::new(*id, Direction::Release)).collect();
    let marshalling = Marshalling::new(pres, options, &wanted, after);
    let mut rest = marshalling.declarations.clone();
    for (id, stub) in own {
        let Some(release) = marshalling.release(id) else { continue };
        rest.extend([Declaration::Blank, plain::freeing(stub, &release)]);
    }
    super::file(pres, options, &["string.h"], rest)
}

/// All operations of all interfaces.
fn operations(pres: &PresC) -> impl Iterator<Item = &ObjectOperation> {
    pres.objects.iter().flat_map(|object| &object.operations)
}

/// The structures of messages, of two for each operation.
fn structures(pres: &PresC, packs: impl Fn(&ObjectOperation) -> [Option<TypeStubId>; 2]) -> Vec<Declaration> {
    operations(pres).flat_map(|of| crate::links::packs::declarations(pres, &packs(of))).collect()
}

/// The union that a function is given, or a server's variable, and its member for an exception.
fn exception_of(union: &Expression, raised: &Raised) -> Expression {
    match union.ty {
        Type::Pointer(_) => arrow(union.clone(), raised.id.as_str(), raised.ty.clone()),
        _ => member(union.clone(), raised.id.as_str(), raised.ty.clone()),
    }
}

fn status() -> Expression {
    name("_status", Type::INT)
}

fn to() -> Expression {
    name("_to", Type::CHAR.pointer())
}

fn status_is(number: i128) -> Expression {
    equal(status(), cast::build::integer(number))
}
