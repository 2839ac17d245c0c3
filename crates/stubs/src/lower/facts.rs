//! What the walk needs to know of a node before it comes to it: whether values own storage, the fewest bytes
//! they take, whether they are plain runs of words, and which pointers they hold.

use std::collections::BTreeMap;

use pres::{DefaultArm, NodeId, Pres, PresC, Storage, TypeStubId};

use super::images::Images;
use crate::encodings::{ByteOrder, Encoding};
use crate::plan::{Clear, Layout, Word};

/// More pointers than this are not cleared one by one.
const MOST_POINTERS_CLEARED_APART: usize = 8;

/// Words of the largest object that moves as one run: its bytes, counted 2^32 times, are still a number of 64 bits.
const LONGEST_RUN: u64 = 1 << 28;

pub(crate) struct Facts<'a> {
    pres: &'a PresC,
    encoding: &'a dyn Encoding,
    owning: BTreeMap<u32, bool>,
    least: BTreeMap<u32, u64>,
    layouts: BTreeMap<u32, Option<Layout>>,
    firsts: BTreeMap<u32, u64>,
    /// What has no gaps in memory, where runs are of bytes.
    images: Images<'a>,
}

fn key(id: TypeStubId) -> u32 {
    id.into_raw().into_u32()
}

impl<'a> Facts<'a> {
    pub(crate) fn new(pres: &'a PresC, encoding: &'a dyn Encoding) -> Self {
        let (owning, least, layouts, firsts) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let images = if encoding.order() == ByteOrder::Network { Images::none(pres) } else { Images::of(pres) };
        let mut facts = Facts { pres, encoding, owning, least, layouts, firsts, images };
        // Types come after the types they embed in most files; the order only decides how deep this recurses.
        for (id, _) in pres.types.iter() {
            facts.learn(id);
        }
        facts
    }

    /// Learns about a type after the types it embeds, with a stack of its own: files nest as deep as they like.
    fn learn(&mut self, root: TypeStubId) {
        let mut pending = vec![(root, false)];
        let mut begun = std::collections::BTreeSet::new();
        while let Some((id, embedded_known)) = pending.pop() {
            if self.owning.contains_key(&key(id)) {
                continue;
            }
            let node = self.pres.types[id].node;
            if !embedded_known && begun.insert(key(id)) {
                pending.push((id, true));
                let mut embedded = Vec::new();
                self.embedded(node, &mut embedded);
                pending.extend(embedded.into_iter().filter(|id| !begun.contains(&key(*id))).map(|id| (id, false)));
                continue;
            }
            let (owning, least, layout) = (self.owns_storage(node), self.least_size(node), self.layout(node));
            let first = self.first_alignment(node);
            self.firsts.insert(key(id), first);
            self.owning.insert(key(id), owning);
            self.least.insert(key(id), least);
            self.layouts.insert(key(id), layout);
        }
    }

    /// The named types that a node holds in itself, not behind a pointer.
    fn embedded(&self, node: NodeId, found: &mut Vec<TypeStubId>) {
        match &self.pres.nodes[node].pres {
            Pres::Structure(members) => members.iter().for_each(|member| self.embedded(member.node, found)),
            Pres::Union { discriminant, arms, default, .. } => {
                self.embedded(discriminant.node, found);
                let bodies = arms.iter().filter_map(|arm| arm.member.as_ref());
                let last = if let DefaultArm::Body(Some(member)) = default { Some(member) } else { None };
                bodies.chain(last).for_each(|member| self.embedded(member.node, found));
            }
            Pres::FixedArray { element, .. } | Pres::InlineArray { element, .. } => self.embedded(*element, found),
            // One that is ours is where types contain themselves: what it leads to may need to know of this one before.
            Pres::Reference { storage: Storage::Heap | Storage::Managed, .. } => {}
            Pres::Reference { target, .. } => self.embedded(*target, found),
            Pres::Named(id) => found.push(*id),
            _ => {}
        }
    }

    /// Values hold pointers to storage that decoding allocates.
    pub(crate) fn owns_storage(&self, node: NodeId) -> bool {
        match &self.pres.nodes[node].pres {
            Pres::Void
            | Pres::Direct(_)
            | Pres::FixedBytes { .. }
            | Pres::InlineBytes { .. }
            | Pres::InlineText { .. } => false,
            Pres::Structure(members) => members.iter().any(|member| self.owns_storage(member.node)),
            Pres::Union { arms, default, .. } => {
                let bodies = arms.iter().filter_map(|arm| arm.member.as_ref());
                let last = if let DefaultArm::Body(Some(member)) = default { Some(member) } else { None };
                bodies.chain(last).any(|member| self.owns_storage(member.node))
            }
            Pres::FixedArray { element, length } => length.value != Some(0) && self.owns_storage(*element),
            Pres::InlineArray { element, bound, .. } => {
                bound.as_ref().is_none_or(|bound| bound.value != Some(0)) && self.owns_storage(*element)
            }
            Pres::Reference { target, storage: Storage::Caller } => self.owns_storage(*target),
            Pres::Named(id) => self.owning.get(&key(*id)).copied().unwrap_or(false),
            Pres::CountedArray { .. }
            | Pres::CountedBytes { .. }
            | Pres::TerminatedText { .. }
            | Pres::OptionalPointer { .. }
            | Pres::Reference { .. } => true,
            Pres::External { routine, .. } => self.encoding.external_owns(routine),
        }
    }

    /// Somewhere in a value is a type whose routine the user supplies.
    pub(crate) fn has_external(&self, node: NodeId) -> bool {
        let mut pending = vec![node];
        let mut seen = std::collections::BTreeSet::new();
        while let Some(node) = pending.pop() {
            if !seen.insert(node.into_raw().into_u32()) {
                continue;
            }
            match &self.pres.nodes[node].pres {
                Pres::External { .. } => return true,
                Pres::Structure(members) => pending.extend(members.iter().map(|member| member.node)),
                Pres::Union { arms, default, .. } => {
                    let bodies = arms.iter().filter_map(|arm| arm.member.as_ref());
                    let last = if let DefaultArm::Body(Some(member)) = default { Some(member) } else { None };
                    pending.extend(bodies.chain(last).map(|member| member.node));
                }
                Pres::FixedArray { element, .. }
                | Pres::CountedArray { element, .. }
                | Pres::InlineArray { element, .. } => pending.push(*element),
                Pres::OptionalPointer { target, .. } | Pres::Reference { target, .. } => pending.push(*target),
                Pres::Named(id) => pending.push(self.pres.types[*id].node),
                _ => {}
            }
        }
        false
    }

    /// Values are arrays in C.
    pub(crate) fn is_array(&self, node: NodeId) -> bool {
        let mut node = node;
        // Chains of names end, or were reported.
        for _ in self.pres.types.iter() {
            let Pres::Named(id) = self.pres.nodes[node].pres else { break };
            node = self.pres.types[id].node;
        }
        matches!(
            self.pres.nodes[node].pres,
            Pres::FixedArray { .. }
                | Pres::FixedBytes { .. }
                | Pres::InlineArray { .. }
                | Pres::InlineBytes { .. }
                | Pres::InlineText { .. }
        )
    }

    /// An array of one item at most, which owns storage: it is as behind a pointer that may be NULL. Items that own nothing
    /// move as runs, or stay where they are in the message, and managed storage has an allocator that counts items.
    pub(crate) fn is_at_most_one(&self, node: NodeId) -> bool {
        let Pres::CountedArray { element, bound: Some(bound), storage, sequence: None, .. } =
            &self.pres.nodes[node].pres
        else {
            return false;
        };
        let is_ours = !matches!(storage, Storage::Managed | Storage::Caller);
        let is_named = matches!(self.pres.nodes[*element].pres, Pres::Named(_)) && !self.is_array(*element);
        bound.value == Some(1) && is_ours && is_named && self.owns_storage(*element)
    }

    /// The fewest bytes of the message that a value takes; 0 where nothing is known.
    pub(crate) fn least_size(&self, node: NodeId) -> u64 {
        let count = self.encoding.count_size();
        match &self.pres.nodes[node].pres {
            // Where the count stands is another member's business.
            Pres::Void | Pres::InlineArray { .. } | Pres::InlineBytes { .. } => 0,
            Pres::External { .. } => self.encoding.external_least(),
            Pres::Reference { target, .. } => self.least_size(*target),
            Pres::Direct(kind) => self.encoding.scalar_size(*kind),
            Pres::Structure(members) => {
                members.iter().fold(0, |sum, member| sum.saturating_add(self.least_size(member.node)))
            }
            Pres::Union { discriminant, arms, default, .. } => {
                let size = |member: &Option<pres::Member>| member.as_ref().map_or(0, |m| self.least_size(m.node));
                let last = if let DefaultArm::Body(member) = default { Some(size(member)) } else { None };
                let least = arms.iter().map(|arm| size(&arm.member)).chain(last).min().unwrap_or(0);
                self.least_size(discriminant.node).saturating_add(least)
            }
            Pres::FixedArray { element, length } => length.value.unwrap_or(0).saturating_mul(self.least_size(*element)),
            Pres::FixedBytes { length } => self.encoding.padded(length.value.unwrap_or(0)),
            Pres::CountedArray { .. }
            | Pres::CountedBytes { .. }
            | Pres::TerminatedText { .. }
            | Pres::InlineText { .. }
            | Pres::OptionalPointer { .. } => count,
            Pres::Named(id) => self.least.get(&key(*id)).copied().unwrap_or(0),
        }
    }

    /// What a value's first byte is aligned to; 1 where there may be none, or little is known of it.
    pub(crate) fn first_alignment(&self, node: NodeId) -> u64 {
        match &self.pres.nodes[node].pres {
            Pres::Direct(kind) => self.encoding.alignment(*kind),
            Pres::Structure(members) => members.first().map_or(1, |member| self.first_alignment(member.node)),
            Pres::Union { discriminant, .. } => self.first_alignment(discriminant.node),
            Pres::FixedArray { element, length } if length.value != Some(0) => self.first_alignment(*element),
            Pres::CountedArray { .. }
            | Pres::CountedBytes { .. }
            | Pres::TerminatedText { .. }
            | Pres::InlineText { .. }
            | Pres::OptionalPointer { .. } => self.encoding.count_alignment(),
            Pres::Reference { target, .. } => self.first_alignment(*target),
            Pres::Named(id) => self.firsts.get(&key(*id)).copied().unwrap_or(1),
            _ => 1,
        }
    }

    /// The run of words that a value is, if it is one.
    pub(crate) fn layout(&self, node: NodeId) -> Option<Layout> {
        match &self.pres.nodes[node].pres {
            Pres::Direct(kind) => {
                let word = self.encoding.run_word(*kind)?;
                let words = self.encoding.scalar_size(*kind) / word.bytes();
                Some(Layout { word, words, alignment: self.encoding.alignment(*kind) })
            }
            // Bytes are words of one byte where nothing pads them.
            Pres::FixedBytes { length } if self.encoding.padded(1) == 1 => {
                let words = length.value.filter(|length| (1..=LONGEST_RUN).contains(length))?;
                Some(Layout { word: Word::One, words, alignment: 1 })
            }
            Pres::Structure(members) => {
                let mut layouts = members.iter().map(|member| self.layout(member.node));
                let first = layouts.next()??;
                let has_gaps = first.word == Word::One && self.images.get(node).is_none();
                let whole = layouts.try_fold(first, |sum, next| {
                    let next = next?;
                    let words = sum.words.checked_add(next.words).filter(|words| *words <= LONGEST_RUN)?;
                    let alignment = sum.alignment.max(next.alignment);
                    (next.word == sum.word).then_some(Layout { word: sum.word, words, alignment })
                });
                whole.filter(|_| !has_gaps)
            }
            Pres::FixedArray { element, length } => {
                let element = self.layout(*element)?;
                let words = element.words.checked_mul(length.value.filter(|length| *length > 0)?)?;
                if words > LONGEST_RUN {
                    return None;
                }
                Some(Layout { words, ..element })
            }
            Pres::Named(id) => self.layouts.get(&key(*id)).copied().flatten(),
            _ => None,
        }
    }

    /// What must be zero in new storage so that it can be released before it is filled.
    pub(crate) fn clear(&self, node: NodeId) -> Clear {
        if !self.owns_storage(node) {
            return Clear::Nothing;
        }
        let mut pointers = Vec::new();
        match self.pointers(node, &mut Vec::new(), &mut pointers) {
            Some(()) if pointers.len() <= MOST_POINTERS_CLEARED_APART => Clear::Pointers(pointers),
            _ => Clear::Everything,
        }
    }

    /// Collects the paths of a value's pointers; `None` where they cannot be listed.
    fn pointers(&self, node: NodeId, path: &mut Vec<String>, found: &mut Vec<Vec<String>>) -> Option<()> {
        if !self.owns_storage(node) {
            return Some(());
        }
        // One more than can be used says enough: types may share parts, and paths multiply.
        if found.len() > MOST_POINTERS_CLEARED_APART {
            return None;
        }
        let with = |name: &String| path.iter().chain([name]).cloned().collect::<Vec<_>>();
        match &self.pres.nodes[node].pres {
            Pres::TerminatedText { .. } | Pres::OptionalPointer { .. } => found.push(path.clone()),
            Pres::Reference { storage, .. } if *storage != Storage::Caller => found.push(path.clone()),
            Pres::CountedArray { data, .. } | Pres::CountedBytes { data, .. } => found.push(with(data)),
            Pres::Structure(members) => {
                for member in members {
                    path.push(member.name.clone());
                    let listed = self.pointers(member.node, path, found);
                    path.pop();
                    listed?;
                }
            }
            // Which arm a release looks at, the discriminant says, which is of no type before it has arrived.
            Pres::Union { .. } => return None,
            Pres::Named(id) => self.pointers(self.pres.types[*id].node, path, found)?,
            _ => return None,
        }
        Some(())
    }
}
