//! Which types a table can say, and how large their values are. In: PRES_C. Out: for each node whether it has a table and whether
//! offsets in its values fit 16 bits.

use std::cell::RefCell;
use std::collections::BTreeMap;

use pres::{DefaultArm, Member, NodeId, Pres, PresC, ScalarKind, Storage, TypeStubId};

use super::build::{is_char, word_of};

/// Offsets have 16 bits, and what the C compiler adds for alignment is at most double.
const LARGEST_NEAR: u64 = 24_000;

/// Cases are found by 16 bits.
const MOST_ENTRIES: usize = 20_000;

/// Types that hold each other more deeply have routines.
const DEEPEST: usize = 100;

/// What is not known here, such as a constant of the user's header, may be as large as this.
const UNKNOWN: u64 = 1 << 40;

/// Judges types, each once: types that hold each other twice double at each level.
pub(super) struct Fit<'a> {
    pub(super) pres: &'a PresC,
    /// About the bytes of a value in C; none where tables do not know its parts.
    sizes: RefCell<BTreeMap<TypeStubId, Option<u64>>>,
}

impl<'a> Fit<'a> {
    pub(super) fn new(pres: &'a PresC) -> Fit<'a> {
        Fit { pres, sizes: RefCell::default() }
    }

    /// Whether a table says all of a type: rpcgen's presentation with storage of the heap.
    pub(super) fn has_table(&self, node: NodeId) -> bool {
        self.size(node, DEEPEST).is_some() && self.entries(node) <= MOST_ENTRIES
    }

    /// Offsets in values of the type may have more than 16 bits.
    pub(super) fn is_far(&self, node: NodeId) -> bool {
        self.size(node, DEEPEST).is_none_or(|size| size > LARGEST_NEAR)
    }

    /// At most so many entries of tables a type comes to, others that it mentions left out.
    fn entries(&self, node: NodeId) -> usize {
        match &self.pres.nodes[node].pres {
            Pres::Structure(members) => members.iter().map(|member| self.entries(member.node) + 2).sum::<usize>() + 1,
            Pres::Union { arms, default, .. } => {
                let labels = arms.iter().map(|arm| arm.labels.len()).sum::<usize>();
                labels + 4 + bodies(arms, default).map(|member| self.entries(member.node) + 1).sum::<usize>()
            }
            Pres::FixedArray { element: inner, .. }
            | Pres::CountedArray { element: inner, .. }
            | Pres::OptionalPointer { target: inner, .. } => match &self.pres.nodes[*inner].pres {
                Pres::Named(_) => 5,
                _ => 5 + self.entries(*inner),
            },
            _ => 4,
        }
    }

    fn size(&self, node: NodeId, depth: usize) -> Option<u64> {
        let depth = depth.checked_sub(1)?;
        let size = |node: NodeId| self.size(node, depth);
        match &self.pres.nodes[node].pres {
            Pres::Void => Some(0),
            Pres::Direct(kind) => self.scalar(*kind, node),
            Pres::Structure(members) => {
                members.iter().try_fold(0_u64, |sum, member| Some(sum.saturating_add(size(member.node)?)))
            }
            Pres::Union { discriminant, arms, default, .. } => {
                let largest = |most: u64, member: &Member| Some(most.max(size(member.node)?));
                let body = bodies(arms, default).try_fold(0, largest)?;
                self.is_word(discriminant.node).then(|| body.saturating_add(8))
            }
            Pres::FixedArray { element, length } => {
                let size = size(*element)?;
                (length.value != Some(0)).then(|| size.saturating_mul(length.value.unwrap_or(UNKNOWN)))
            }
            Pres::FixedBytes { length } => (length.value != Some(0)).then(|| length.value.unwrap_or(UNKNOWN)),
            Pres::CountedBytes { storage: Storage::Heap, sequence: None, .. } => Some(16),
            Pres::CountedArray { storage: Storage::Heap, sequence: None, element, .. } => {
                self.item(*element).then_some(16)
            }
            Pres::TerminatedText { storage: Storage::Heap, .. } => Some(8),
            Pres::OptionalPointer { target, storage: Storage::Heap } => self.item(*target).then_some(8),
            Pres::Named(id) => self.named(*id, depth),
            Pres::External { .. } => Some(UNKNOWN),
            _ => None,
        }
    }

    fn named(&self, id: TypeStubId, depth: usize) -> Option<u64> {
        if let Some(known) = self.sizes.borrow().get(&id) {
            return *known;
        }
        let size = self.size(self.pres.types[id].node, depth);
        self.sizes.borrow_mut().insert(id, size);
        size
    }

    fn scalar(&self, kind: ScalarKind, node: NodeId) -> Option<u64> {
        match kind {
            ScalarKind::Quadruple | ScalarKind::Enumeration { strict: true } => None,
            ScalarKind::Float { bits } if bits > 64 => None,
            // `char` has a sign on some machines and none on others.
            ScalarKind::Integer { bits: 8, signed: true } if !is_char(&self.pres.nodes[node].ty) => None,
            _ => Some(8),
        }
    }

    /// What is reached through a pointer: its own table says whether it can be one.
    fn item(&self, node: NodeId) -> bool {
        match &self.pres.nodes[node].pres {
            Pres::Named(_) | Pres::External { .. } => true,
            Pres::Structure(_) | Pres::Union { .. } => false,
            _ => self.size(node, DEEPEST).is_some(),
        }
    }

    /// The discriminant is one word in C.
    fn is_word(&self, node: NodeId) -> bool {
        match &self.pres.nodes[node].pres {
            Pres::Direct(ScalarKind::Boolean) => true,
            Pres::Named(id) => self.is_word(self.pres.types[*id].node),
            _ => word_of(self.pres, node) == Some("WORDS"),
        }
    }
}

/// The members of a union's arms.
pub(super) fn bodies<'a>(arms: &'a [pres::Arm], default: &'a DefaultArm) -> impl Iterator<Item = &'a Member> {
    let last = if let DefaultArm::Body(Some(member)) = default { Some(member) } else { None };
    arms.iter().filter_map(|arm| arm.member.as_ref()).chain(last)
}
