//! The most bytes that a packet, or a message's payload, takes on the wire. Where the encoding aligns, a value takes more or less padding with where it
//! begins, so that sizes are those of a type at each phase.

use std::collections::BTreeMap;

use pres::{DefaultArm, Extent, Member, NodeId, Pres, PresC, TypeStubId};

use crate::encodings::Encoding;
use crate::plan::phase::Phase;

/// The most bytes of a value, and what is known of where it ends. `None` where there is no bound.
type Size = Option<(u64, Phase)>;

/// What is known of the types of a file.
pub(super) struct Sizes<'a> {
    pres: &'a PresC,
    encoding: &'a dyn Encoding,
    known: BTreeMap<(TypeStubId, Phase), Size>,
}

impl<'a> Sizes<'a> {
    /// In the header's order: types come after those that they hold. What holds itself has no bound.
    pub(super) fn of(pres: &'a PresC, encoding: &'a dyn Encoding) -> Sizes<'a> {
        let mut sizes = Sizes { pres, encoding, known: BTreeMap::new() };
        let phases = if sizes.aligns() { Phase::all() } else { vec![Phase::ANY] };
        for (id, stub) in pres.types.iter() {
            for phase in &phases {
                let size = sizes.node(stub.node, *phase);
                sizes.known.insert((id, *phase), size);
            }
        }
        sizes
    }

    fn aligns(&self) -> bool {
        self.encoding.count_alignment() > 1
    }

    /// `None` where there is no bound. What is measured begins at position 0.
    pub(super) fn largest(&self, stub: TypeStubId) -> Option<u64> {
        let phase = if self.aligns() { Phase::multiple(0) } else { Phase::ANY };
        Some(self.stub(stub, phase)?.0)
    }

    fn stub(&self, stub: TypeStubId, phase: Phase) -> Size {
        self.known.get(&(stub, phase)).copied().flatten()
    }

    /// So many bytes at a multiple of `to`.
    fn item(&self, phase: Phase, to: u64, size: u64) -> Size {
        Some((phase.most_padding(to).checked_add(size)?, phase.aligned(to).moved(size)))
    }

    fn count(&self, phase: Phase) -> Size {
        self.item(phase, self.encoding.count_alignment(), self.encoding.count_size())
    }

    fn node(&self, id: NodeId, phase: Phase) -> Size {
        let node = &self.pres.nodes[id];
        match &node.pres {
            Pres::Void => Some((0, phase)),
            Pres::Direct(kind) => self.item(phase, self.encoding.alignment(*kind), self.encoding.scalar_size(*kind)),
            Pres::Structure(members) => self.members(members.iter(), phase),
            Pres::Union { discriminant, arms, default, .. } => {
                let last = if let DefaultArm::Body(Some(member)) = default { Some(member) } else { None };
                let (chosen, behind) = self.node(discriminant.node, phase)?;
                let mut most = (0, behind);
                for member in arms.iter().filter_map(|arm| arm.member.as_ref()).chain(last) {
                    let (size, end) = self.node(member.node, behind)?;
                    most = (most.0.max(size), most.1.join(end));
                }
                Some((chosen.checked_add(most.0)?, most.1))
            }
            Pres::FixedArray { element, length } => self.items(*element, length.value?, phase),
            Pres::FixedBytes { length } => self.bytes(length.value?, phase).map(|(size, _)| (size, phase.moved(size))),
            Pres::InlineArray { element, .. } => self.items(*element, self.most(node.mint)?, phase),
            Pres::InlineBytes { .. } => self.bytes(self.most(node.mint)?, phase),
            Pres::CountedArray { element, bound, .. } => {
                let (count, behind) = self.count(phase)?;
                let (items, end) = self.items(*element, known(bound.as_ref())?, behind)?;
                Some((count.checked_add(items)?, end))
            }
            Pres::CountedBytes { bound, .. } => {
                let (count, behind) = self.count(phase)?;
                let (bytes, end) = self.bytes(known(bound.as_ref())?, behind)?;
                Some((count.checked_add(bytes)?, end))
            }
            Pres::TerminatedText { bound, .. } => self.text(known(bound.as_ref())?, phase),
            Pres::InlineText { bound } => self.text(bound.value?, phase),
            Pres::OptionalPointer { target, .. } => {
                let (count, behind) = self.count(phase)?;
                let (size, end) = self.node(*target, behind)?;
                Some((count.checked_add(size)?, behind.join(end)))
            }
            Pres::Reference { target, .. } => self.node(*target, phase),
            Pres::Named(stub) => self.stub(*stub, phase),
            Pres::External { routine, .. } => {
                let size = self.encoding.external_most(routine)?;
                self.item(phase, self.encoding.count_alignment(), size)
            }
        }
    }

    fn members<'m>(&self, mut members: impl Iterator<Item = &'m Member>, phase: Phase) -> Size {
        members.try_fold((0u64, phase), |(sum, phase), member| {
            let (size, end) = self.node(member.node, phase)?;
            Some((sum.checked_add(size)?, end))
        })
    }

    /// At most so many elements, each as large as it may be wherever it begins.
    fn items(&self, element: NodeId, most: u64, phase: Phase) -> Size {
        let head = phase.in_rounds(|head| self.node(element, head).map_or(Phase::ANY, |(_, end)| end));
        let (size, end) = self.node(element, head)?;
        Some((size.checked_mul(most)?, phase.join(end)))
    }

    fn bytes(&self, most: u64, phase: Phase) -> Size {
        // No padding goes beyond that.
        let end = if self.aligns() { Phase::ANY } else { phase };
        (most < u64::MAX / 2).then(|| (self.encoding.padded(most), end))
    }

    fn text(&self, most: u64, phase: Phase) -> Size {
        let (count, behind) = self.count(phase)?;
        let (_, end) = self.bytes(most, behind)?;
        Some((count.checked_add(self.encoding.text_size(most))?, end))
    }

    /// The most elements that an array has, as its message says.
    fn most(&self, message: mint::NodeId) -> Option<u64> {
        match &self.pres.mint.nodes[message].node {
            mint::Node::Array { most: mint::Bound::Number(most), .. } => u64::try_from(*most).ok(),
            _ => None,
        }
    }
}

fn known(bound: Option<&Extent>) -> Option<u64> {
    bound.and_then(|bound| bound.value)
}
