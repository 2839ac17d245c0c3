//! What both sides share, `b-common.c`: type codes, and what lets go of values that hold something.

use cast::build::{cast as cast_to, parameter};
use cast::{Declaration, File, Linkage, Type};
use pres::{Pres, PresC, TypeStub, TypeStubId};

use super::marshalling::{Marshalling, Use};
use super::{After, Options};
use crate::links::words::{call_statement, function};
use crate::plan::Direction;

/// The shared file.
pub fn common_file(pres: &PresC, options: &Options, after: After) -> File {
    let wanted: Vec<(TypeStubId, &TypeStub)> = pres.types.iter().filter(|(_, stub)| is_wanted(pres, stub)).collect();
    let uses: Vec<Use> = wanted.iter().map(|(id, _)| Use::new(*id, Direction::Release)).collect();
    let marshalling = Marshalling::new(pres, options, &uses, after);
    let mut rest = marshalling.declarations.clone();
    for (id, stub) in wanted {
        let Some(release) = marshalling.release(id) else { continue };
        let value = cast::build::name("value", Type::Void.pointer());
        let given = cast_to(stub.ty.clone().pointer(), value.clone());
        let body = vec![call_statement(&release, vec![given])];
        let name = format!("whittle_release_{}", stub.name);
        let parameters = vec![parameter("value", value.ty)];
        rest.extend([Declaration::Blank, function(Linkage::Plain, Type::Void, name, parameters, body)]);
    }
    rest.push(Declaration::Blank);
    rest.extend(pres.common.iter().cloned());
    super::file(pres, options, &["stddef.h"], rest)
}

/// Structures, unions, exceptions and arrays that this file's header declares.
fn is_wanted(pres: &PresC, stub: &TypeStub) -> bool {
    let shape = &pres.nodes[stub.node].pres;
    !stub.imported && matches!(shape, Pres::Structure(_) | Pres::Union { .. } | Pres::FixedArray { .. })
}
