//! Which packets travel as they lie in memory: scalars and arrays without a gap, and at most one counted array, at the end.
//! Of that, only what is used travels. In: PRES_C and the images of its types. Out: how the bytes of a packet are counted.

use cast::Type;
use pres::{Extent, Member, NodeId, Pres, PresC};

use super::Use;
use crate::encodings::ByteOrder;
use crate::lower::images::{Image, Images};

/// A packet that is sent without being encoded.
pub(super) struct InPlace {
    /// What only a part of may be there; without it, all of the packet is.
    pub(super) counted: Option<Counted>,
    /// Not every byte may be anything.
    pub(super) has_booleans: bool,
}

/// The array at the end.
pub(super) struct Counted {
    pub(super) array: Member,
    /// The member that counts it.
    pub(super) count: String,
    pub(super) bound: Option<Extent>,
    /// Where it begins: so many bytes are always there.
    pub(super) fixed: u64,
    pub(super) element: Element,
}

/// What the array is of.
pub(super) enum Element {
    Byte,
    Node(NodeId, Image),
}

/// How a packet travels without being encoded, if it can.
pub(super) fn in_place(pres: &PresC, images: &Images, of: &Use) -> Option<InPlace> {
    let plain = of.encoding.goes_by_place() && of.encoding.padded(1) == 1 && of.encoding.order() == ByteOrder::Host;
    let node = root(pres, pres.types[of.packet.stub].node);
    if !plain {
        return None;
    }
    if let Some(image) = images.get(node) {
        return Some(InPlace { counted: None, has_booleans: image.has_booleans });
    }
    let Pres::Structure(members) = &pres.nodes[node].pres else { return None };
    let (parts, [array]) = images.leading(members) else { return None };
    let last = parts.last()?;
    let fixed = last.offset.checked_add(last.image.size)?;
    let (count, bound, element) = match &pres.nodes[array.node].pres {
        Pres::InlineBytes { count, bound } => (count, bound, Element::Byte),
        Pres::InlineArray { count, element, bound } => {
            (count, bound, Element::Node(*element, images.get(*element).filter(|image| fixed % image.alignment == 0)?))
        }
        _ => return None,
    };
    let has_booleans = parts.iter().any(|part| part.image.has_booleans)
        || matches!(element, Element::Node(_, image) if image.has_booleans);
    let counted = Counted { array: array.clone(), count: count.clone(), bound: bound.clone(), fixed, element };
    Some(InPlace { counted: Some(counted), has_booleans })
}

/// Behind all names of a type.
pub(super) fn root(pres: &PresC, node: NodeId) -> NodeId {
    let mut node = node;
    for _ in 0..pres.types.len() {
        match &pres.nodes[node].pres {
            Pres::Named(stub) => node = pres.types[*stub].node,
            _ => break,
        }
    }
    node
}

/// The type's name, as `offsetof` and `sizeof` want it.
pub(super) fn type_name(ty: &Type) -> String {
    cast::print_type(ty)
}
