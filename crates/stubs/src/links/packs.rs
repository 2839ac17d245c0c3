//! The structures that messages are marshalled from and into: a member for each value that travels.

use cast::{Declaration, Field, Record, RecordKind, Type};
use pres::{Pres, PresC, TypeStubId};

/// The declarations of the structures that are there.
pub(super) fn declarations(pres: &PresC, packs: &[Option<TypeStubId>]) -> Vec<Declaration> {
    packs.iter().flatten().flat_map(|pack| [declaration(pres, *pack), Declaration::Blank]).collect()
}

fn declaration(pres: &PresC, pack: TypeStubId) -> Declaration {
    let stub = &pres.types[pack];
    let field = |member: &pres::Member| Field { name: member.name.clone(), ty: pres.nodes[member.node].ty.clone() };
    let fields = match &pres.nodes[stub.node].pres {
        Pres::Structure(members) => members.iter().map(field).collect(),
        Pres::Union { discriminant, body, body_type, .. } => {
            vec![field(discriminant), Field { name: body.clone(), ty: body_type.clone() }]
        }
        _ => Vec::new(),
    };
    let tag = match &stub.ty {
        Type::Tagged(_, tag) => Some(tag.clone()),
        _ => None,
    };
    Declaration::Record(Record { kind: RecordKind::Struct, tag, fields })
}
