//! Which values lie in memory as they travel between equal machines: scalars at their own size, one behind the other, no
//! gap between them and none behind the last. In: PRES_C. Out: size and alignment, by the rules of the common ABIs of
//! 64-bit machines (a scalar is aligned to its size). The C that relies on it asserts what it relies on, so that it does
//! not compile where an ABI differs.

use std::collections::BTreeMap;

use cast::{Scalar, Type};
use pres::{Member, NodeId, Pres, PresC, ScalarKind, TypeStubId};

/// In bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Image {
    pub(crate) size: u64,
    pub(crate) alignment: u64,
    /// Some bytes are booleans, which not every byte may be.
    pub(crate) has_booleans: bool,
}

/// The images of named types.
pub(crate) struct Images<'a> {
    pres: &'a PresC,
    known: BTreeMap<TypeStubId, Option<Image>>,
}

/// Part of a structure: where it begins, and what it is.
pub(crate) struct Part<'a> {
    pub(crate) member: &'a Member,
    pub(crate) offset: u64,
    pub(crate) image: Image,
}

impl<'a> Images<'a> {
    /// Of all types, in the header's order: types come after the types that they hold.
    pub(crate) fn of(pres: &'a PresC) -> Images<'a> {
        let mut images = Images::none(pres);
        for (id, stub) in pres.types.iter() {
            let image = images.get(stub.node);
            images.known.insert(id, image);
        }
        images
    }

    /// Of no named type.
    pub(crate) fn none(pres: &'a PresC) -> Images<'a> {
        Images { pres, known: BTreeMap::new() }
    }

    /// What a value's memory is, where it is what travels.
    pub(crate) fn get(&self, node: NodeId) -> Option<Image> {
        let node = &self.pres.nodes[node];
        match &node.pres {
            Pres::Direct(kind) => scalar(*kind, &node.ty),
            Pres::Structure(members) => self.structure(members),
            Pres::FixedArray { element, length } => {
                let element = self.get(*element)?;
                let size = element.size.checked_mul(length.value.filter(|length| *length > 0)?)?;
                Some(Image { size, ..element })
            }
            Pres::FixedBytes { length } => {
                let size = length.value.filter(|length| *length > 0)?;
                Some(Image { size, alignment: 1, has_booleans: false })
            }
            Pres::Named(id) => self.known.get(id).copied().flatten(),
            _ => None,
        }
    }

    fn structure(&self, members: &'a [Member]) -> Option<Image> {
        let (parts, rest) = self.leading(members);
        let last = parts.last().filter(|_| rest.is_empty())?;
        let size = last.offset.checked_add(last.image.size)?;
        let alignment = parts.iter().map(|part| part.image.alignment).max()?;
        let has_booleans = parts.iter().any(|part| part.image.has_booleans);
        (size % alignment == 0).then_some(Image { size, alignment, has_booleans })
    }

    /// The members, from the first on, that are images without a gap before them, and the members behind those.
    pub(crate) fn leading(&self, members: &'a [Member]) -> (Vec<Part<'a>>, &'a [Member]) {
        let mut parts: Vec<Part<'a>> = Vec::new();
        let mut end = 0u64;
        for (at, member) in members.iter().enumerate() {
            let Some(image) = self.get(member.node).filter(|image| end.is_multiple_of(image.alignment)) else {
                return (parts, &members[at..]);
            };
            let Some(next) = end.checked_add(image.size) else { return (parts, &members[at..]) };
            parts.push(Part { member, offset: end, image });
            end = next;
        }
        (parts, &[])
    }
}

fn scalar(kind: ScalarKind, ty: &Type) -> Option<Image> {
    let plain = |size: u64| Some(Image { size, alignment: size, has_booleans: false });
    match kind {
        ScalarKind::Integer { bits, .. } | ScalarKind::Float { bits } => plain(u64::from(bits) / 8),
        ScalarKind::Boolean if *ty == Type::named("bool") || *ty == Type::Scalar(Scalar::Bool) => {
            Some(Image { has_booleans: true, ..plain(1)? })
        }
        ScalarKind::Enumeration { .. } => plain(4),
        ScalarKind::Boolean | ScalarKind::Long { .. } | ScalarKind::Quadruple => None,
    }
}
