//! What both sides share, `b_types.c`: what releases values of the header's types.

use cast::build::{cast as cast_to, name, parameter};
use cast::{Declaration, File, Linkage, TagKind, Type};
use pres::{Pres, PresC, TypeStub};

use super::super::options::{After, Options};
use super::link::Link;
use super::marshalling::{Marshalling, Use};
use crate::links::statements::{call_statement, clear_at, function};
use crate::plan::Direction;

/// The shared file.
pub fn types_file(pres: &PresC, options: &Options, link: &dyn Link, after: After) -> File {
    let own: Vec<_> = pres.types.iter().filter(|(_, stub)| is_released(pres, stub)).collect();
    let wanted: Vec<Use> = own.iter().map(|(id, _)| Use::new(*id, Direction::Release)).collect();
    let marshalling = Marshalling::new(pres, options, link.payloads(), &wanted, after);
    let mut rest = marshalling.declarations();
    for (id, stub) in own {
        let release = marshalling.release(id);
        rest.extend(release.into_iter().flat_map(|release| [Declaration::Blank, releasing(stub, &release)]));
    }
    super::file(pres, options, &["string.h"], rest)
}

/// The types of this file's header whose values are released by a function of their own.
fn is_released(pres: &PresC, stub: &TypeStub) -> bool {
    let has_parts = matches!(pres.nodes[stub.node].pres, Pres::OptionalPointer { .. } | Pres::FixedArray { .. });
    !stub.imported && (has_parts || matches!(stub.ty, Type::Tagged(TagKind::Struct, _)))
}

/// That function, around the routine that releases.
fn releasing(stub: &TypeStub, release: &str) -> Declaration {
    let value = name("value", stub.ty.clone().pointer());
    let untyped = cast_to(Type::Void.pointer(), value.clone());
    let body = vec![call_statement(release, vec![untyped]), clear_at(value.clone())];
    let parameters = vec![parameter("value", value.ty)];
    function(Linkage::Plain, Type::Void, pres::freeing(&stub.name), parameters, body)
}
