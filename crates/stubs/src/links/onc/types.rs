//! What both sides share, `b_types.c`: what lets go of values of the header's types.

use cast::build::{cast as cast_to, name, parameter};
use cast::{Declaration, File, Linkage, TagKind, Type};
use pres::{Pres, PresC, TypeStub, TypeStubId};

use super::marshalling::Marshalling;
use super::{After, Options};
use crate::links::words::{call_statement, clear_at, function};
use crate::plan::Direction;

/// The shared file.
pub fn types_file(pres: &PresC, options: &Options, after: After) -> File {
    let own: Vec<(TypeStubId, &TypeStub)> = pres.types.iter().filter(|(_, stub)| is_freed(pres, stub)).collect();
    let wanted: Vec<(TypeStubId, Direction)> = own.iter().map(|(id, _)| (*id, Direction::Release)).collect();
    let marshalling = Marshalling::new(pres, options, &wanted, after);
    let mut rest = marshalling.declarations();
    for (id, stub) in own {
        let Some(release) = marshalling.release(id) else { continue };
        let value = name("value", stub.ty.clone().pointer());
        let untyped = cast_to(Type::Void.pointer(), value.clone());
        let body = vec![call_statement(&release, vec![untyped]), clear_at(value.clone())];
        let parameters = vec![parameter("value", value.ty)];
        let free = function(Linkage::Plain, Type::Void, pres::freeing(&stub.name), parameters, body);
        rest.extend([Declaration::Blank, free]);
    }
    super::file(pres, options, rest)
}

/// A type of this file's header whose values are let go of by a function of their own.
fn is_freed(pres: &PresC, stub: &TypeStub) -> bool {
    let has_parts = matches!(pres.nodes[stub.node].pres, Pres::OptionalPointer { .. } | Pres::FixedArray { .. });
    !stub.imported && (has_parts || matches!(stub.ty, Type::Tagged(TagKind::Struct, _)))
}
