//! The header's types: constants, enumerations, structures, unions, names for types, and what releases values. In: lifted
//! AOI, definition by definition. Out: declarations.

use aoi::{DefinitionId, DefinitionKind, Type};
use cast::build::parameter;
use cast::{Declaration, Field, Function, Record, RecordKind, Type as C};
use pres::LinkKind;

use crate::enumerations;

use super::c_types::{self, BODY, c_type};
use super::names;
use super::nodes::Nodes;
use super::shape::marks;
use super::values::VALUES;

/// The declarations of one definition.
pub(super) fn definition(nodes: &Nodes, id: DefinitionId) -> Vec<Declaration> {
    let aoi = nodes.tree.aoi;
    let definition = &aoi.definitions[id];
    let name = names::of_definition(aoi, id);
    let mut body = match &definition.kind {
        DefinitionKind::Constant(constant) => {
            return vec![Declaration::Define(cast::Definition { name, value: Some(VALUES.constant(aoi, constant)) })];
        }
        DefinitionKind::Enumeration(enumeration) => {
            let members = enumeration.members.iter().map(|member| {
                let value = member.explicit.as_ref().map(|value| VALUES.expression(aoi, value));
                (names::of_member(definition, &member.name), value)
            });
            let members = members.collect();
            vec![enumerations::declaration(name.clone(), members, enumeration)]
        }
        DefinitionKind::Structure(structure) | DefinitionKind::Exception(structure) => {
            vec![record(&name, c_types::fields(aoi, structure))]
        }
        DefinitionKind::Union(union) => {
            let discriminant = &union.discriminant;
            let fields = vec![
                Field { name: names::discriminant(&discriminant.name), ty: c_type(aoi, &discriminant.ty) },
                Field { name: BODY.to_string(), ty: c_types::union_body(aoi, union) },
            ];
            vec![record(&name, fields)]
        }
        DefinitionKind::Alias(Type::Sequence { element, .. }) => {
            vec![record(&name, c_types::counted(c_type(aoi, element)))]
        }
        DefinitionKind::Alias(Type::Opaque { .. }) => vec![record(&name, c_types::counted(c_types::octet()))],
        DefinitionKind::Alias(ty) if marks::is_inline_array(definition) => {
            vec![record(&name, c_types::inline_array(c_type(aoi, ty)))]
        }
        DefinitionKind::Alias(ty) => {
            vec![Declaration::Typedef { name: name.clone(), ty: c_types::of_alias(aoi, definition, ty) }]
        }
        _ => return Vec::new(),
    };
    body.insert(0, Declaration::Blank);
    if let Some(stub) = nodes.stub(id).filter(|_| nodes.link == LinkKind::None) {
        let is_taken = |name: &str| nodes.names.contains(name);
        body.extend(crate::objects::codec(&nodes.tree.pres.types[stub], &is_taken));
    } else if c_types::is_freed(aoi, id) {
        body.push(Declaration::comment("Releases all that the value holds, and empties it."));
        body.push(freeing(&name, c_types::of_definition(aoi, id)));
    }
    body
}

/// `void name_free(struct name *value);`
fn freeing(name: &str, ty: C) -> Declaration {
    let value = parameter("value", ty.pointer());
    Declaration::Prototype(Function { name: pres::freeing(name), parameters: vec![value], ..Function::default() })
}

pub(super) fn record(name: &str, fields: Vec<Field>) -> Declaration {
    Declaration::Record(Record { kind: RecordKind::Struct, tag: Some(name.to_string()), fields })
}
