//! What follows from the rest, so that the text need not say it.

use cast::{Field, Record, RecordKind, Type};
use mint::Mint;

use super::terms::scalar_type;
use crate::{DefaultArm, Extent, Member, Node, NodeId, Pres, PresC};

/// The C type that a node of this kind has where nothing else is said.
pub(super) fn natural_type(pres: &PresC, kind: &Pres) -> Type {
    let ty = |id: &NodeId| pres.nodes[*id].ty.clone();
    match kind {
        Pres::Void => Type::Void,
        Pres::Direct(scalar) => scalar_type(*scalar),
        Pres::Structure(members) => record(RecordKind::Struct, fields(pres, members.iter())),
        Pres::Union { discriminant, body, body_type, .. } => {
            let body = Field { name: body.clone(), ty: body_type.clone() };
            let mut members = fields(pres, std::iter::once(discriminant));
            if !is_empty(&body.ty) {
                members.push(body);
            }
            record(RecordKind::Struct, members)
        }
        Pres::FixedArray { element, length } => ty(element).array(length.c.clone()),
        Pres::FixedBytes { length } => Type::CHAR.array(length.c.clone()),
        Pres::CountedArray { length, data, element, .. } => counted(length, data, ty(element)),
        Pres::CountedBytes { length, data, .. } => counted(length, data, Type::CHAR),
        Pres::InlineArray { element, bound: Some(bound), .. } => ty(element).array(bound.c.clone()),
        Pres::InlineArray { element, bound: None, .. } => Type::Array(Box::new(ty(element)), None),
        Pres::InlineBytes { bound: Some(bound), .. } => Type::CHAR.array(bound.c.clone()),
        Pres::InlineBytes { bound: None, .. } => Type::Array(Box::new(Type::CHAR), None),
        Pres::InlineText { bound } => Type::CHAR.array(one_more(bound)),
        Pres::TerminatedText { .. } => Type::CHAR.pointer(),
        Pres::OptionalPointer { target, .. } | Pres::Reference { target, .. } => ty(target).pointer(),
        Pres::Named(stub) => pres.types[*stub].ty.clone(),
        Pres::External { routine, .. } => Type::named(routine.strip_prefix("xdr_").unwrap_or(routine)),
    }
}

/// The length of an array for a text: there is room for the NUL.
fn one_more(bound: &Extent) -> cast::Expression {
    match bound.value.and_then(|value| value.checked_add(1)) {
        Some(length) => cast::build::integer(i128::from(length)),
        None => cast::build::add(bound.c.clone(), cast::build::integer(1)),
    }
}

fn is_empty(ty: &Type) -> bool {
    matches!(ty, Type::Anonymous(record) if record.fields.is_empty())
}

fn record(kind: RecordKind, fields: Vec<Field>) -> Type {
    Type::Anonymous(Box::new(Record { kind, tag: None, fields }))
}

fn fields<'m>(pres: &PresC, members: impl Iterator<Item = &'m Member>) -> Vec<Field> {
    members.map(|member| Field { name: member.name.clone(), ty: pres.nodes[member.node].ty.clone() }).collect()
}

fn counted(length: &str, data: &str, element: Type) -> Type {
    let length = Field { name: length.to_string(), ty: Type::named("u_int") };
    let data = Field { name: data.to_string(), ty: element.pointer() };
    record(RecordKind::Struct, vec![length, data])
}

/// The C union of the bodies, in the order of the arms, the default last.
pub(super) fn natural_body(pres: &PresC, arms: &[crate::Arm], default: &DefaultArm) -> Type {
    let default = match default {
        DefaultArm::Body(member) => member.as_ref(),
        DefaultArm::Error => None,
    };
    let bodies = arms.iter().filter_map(|arm| arm.member.as_ref()).chain(default);
    record(RecordKind::Union, fields(pres, bodies))
}

/// The parts of a message that stand where the children of a node stand, in the order of [`children`]; `None` where the
/// message is of another shape.
pub(super) fn parts(mint: &Mint, message: Option<mint::NodeId>, kind: &Pres) -> Vec<Option<mint::NodeId>> {
    let content = message.map(|id| &mint.nodes[id].node);
    match (kind, content) {
        (Pres::Structure(members), Some(mint::Node::Structure(parts))) if members.len() == parts.len() => {
            parts.iter().map(|part| Some(*part)).collect()
        }
        (Pres::Structure(members), _) => vec![None; members.len()],
        (Pres::Union { arms, .. }, Some(mint::Node::Union { discriminant, cases, default }))
            if arms.len() == cases.len() =>
        {
            let bodies = cases.iter().map(|case| Some(case.body));
            std::iter::once(Some(*discriminant)).chain(bodies).chain([*default]).collect()
        }
        (Pres::Union { arms, .. }, _) => vec![None; arms.len() + 2],
        (
            Pres::FixedArray { .. } | Pres::CountedArray { .. } | Pres::InlineArray { .. },
            Some(mint::Node::Array { element, .. }),
        ) => vec![Some(*element)],
        (
            Pres::OptionalPointer { .. },
            Some(mint::Node::Optional(target) | mint::Node::Value { state: target, .. }),
        ) => vec![Some(*target)],
        // The pointer is not seen in the message.
        (Pres::Reference { .. }, _) => vec![message],
        _ => vec![None],
    }
}

/// The nodes that a node refers to, in order.
pub(crate) fn children(node: &Node) -> Vec<NodeId> {
    match &node.pres {
        Pres::Structure(members) => members.iter().map(|member| member.node).collect(),
        Pres::Union { discriminant, arms, default, .. } => {
            let default = match default {
                DefaultArm::Body(Some(member)) => Some(member.node),
                _ => None,
            };
            let bodies = arms.iter().filter_map(|arm| arm.member.as_ref()).map(|member| member.node);
            std::iter::once(discriminant.node).chain(bodies).chain(default).collect()
        }
        Pres::FixedArray { element, .. } | Pres::CountedArray { element, .. } | Pres::InlineArray { element, .. } => {
            vec![*element]
        }
        Pres::OptionalPointer { target, .. } | Pres::Reference { target, .. } => vec![*target],
        Pres::Void
        | Pres::Direct(_)
        | Pres::FixedBytes { .. }
        | Pres::CountedBytes { .. }
        | Pres::InlineBytes { .. }
        | Pres::InlineText { .. }
        | Pres::TerminatedText { .. }
        | Pres::Named(_)
        | Pres::External { .. } => Vec::new(),
    }
}
