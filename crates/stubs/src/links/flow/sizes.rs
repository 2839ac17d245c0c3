//! The most bytes that a packet takes on the wire.

use std::collections::BTreeMap;

use pres::{DefaultArm, Extent, Member, NodeId, Pres, PresC, TypeStubId};

use crate::encodings::Encoding;

/// What is known of the types of a file.
pub(super) struct Sizes<'a> {
    pres: &'a PresC,
    encoding: &'a dyn Encoding,
    known: BTreeMap<TypeStubId, Option<u64>>,
}

impl<'a> Sizes<'a> {
    /// In the header's order: types come after those that they hold. What holds itself has no bound.
    pub(super) fn of(pres: &'a PresC, encoding: &'a dyn Encoding) -> Sizes<'a> {
        let mut sizes = Sizes { pres, encoding, known: BTreeMap::new() };
        for (id, stub) in pres.types.iter() {
            let size = sizes.node(stub.node);
            sizes.known.insert(id, size);
        }
        sizes
    }

    /// `None` where there is no bound.
    pub(super) fn largest(&mut self, stub: TypeStubId) -> Option<u64> {
        self.known.get(&stub).copied().flatten()
    }

    fn node(&self, id: NodeId) -> Option<u64> {
        let node = &self.pres.nodes[id];
        let count = self.encoding.count_size();
        let counted = |bound: Option<u64>| self.padded(bound?)?.checked_add(count);
        match &node.pres {
            Pres::Void => Some(0),
            Pres::Direct(kind) => Some(self.encoding.scalar_size(*kind)),
            Pres::Structure(members) => self.members(members.iter()),
            Pres::Union { discriminant, arms, default, .. } => {
                let last = if let DefaultArm::Body(Some(member)) = default { Some(member) } else { None };
                let mut most = 0;
                for member in arms.iter().filter_map(|arm| arm.member.as_ref()).chain(last) {
                    most = most.max(self.node(member.node)?);
                }
                self.node(discriminant.node)?.checked_add(most)
            }
            Pres::FixedArray { element, length } => self.node(*element)?.checked_mul(length.value?),
            Pres::FixedBytes { length } => self.padded(length.value?),
            Pres::InlineArray { element, .. } => self.node(*element)?.checked_mul(self.most(node.mint)?),
            Pres::InlineBytes { .. } => self.padded(self.most(node.mint)?),
            Pres::CountedArray { element, bound, .. } => {
                self.node(*element)?.checked_mul(known(bound.as_ref())?)?.checked_add(count)
            }
            Pres::CountedBytes { bound, .. } | Pres::TerminatedText { bound, .. } => counted(known(bound.as_ref())),
            Pres::InlineText { bound } => counted(bound.value),
            Pres::OptionalPointer { target, .. } => self.node(*target)?.checked_add(count),
            Pres::Named(stub) => self.known.get(stub).copied().flatten(),
            Pres::External { .. } => None,
        }
    }

    fn members<'m>(&self, mut members: impl Iterator<Item = &'m Member>) -> Option<u64> {
        members.try_fold(0u64, |sum, member| sum.checked_add(self.node(member.node)?))
    }

    /// The most elements that an array has, as its message says.
    fn most(&self, message: mint::NodeId) -> Option<u64> {
        match &self.pres.mint.nodes[message].node {
            mint::Node::Array { most: mint::Bound::Number(most), .. } => u64::try_from(*most).ok(),
            _ => None,
        }
    }

    fn padded(&self, bytes: u64) -> Option<u64> {
        // No padding goes beyond that.
        (bytes < u64::MAX / 2).then(|| self.encoding.padded(bytes))
    }
}

fn known(bound: Option<&Extent>) -> Option<u64> {
    bound.and_then(|bound| bound.value)
}
