//! PRES to tables: one walk over the nodes of a type, which gives up where a table cannot say what is there.

use std::collections::{BTreeMap, BTreeSet};

use cast::Type;
use pres::{DefaultArm, Extent, Member, NodeId, Pres, PresC, ScalarKind, Storage, TypeStubId};

use super::{Entry, Form, Number, Offset, Part, Tables};
use crate::lower::facts::Facts;

/// Offsets have 16 bits, and what the C compiler adds for alignment is at most double.
const LARGEST_VALUE: u64 = 24_000;

/// Cases are found by 16 bits.
const MOST_ENTRIES: usize = 20_000;

/// Types of so many parts are written where they are used.
const FEW_PARTS: usize = 2;

/// What following allocation could use twice is owed from so many bytes on (as the pass `claims` has it).
const LITTLE: u64 = 24;

/// More bytes than these are not owed.
const MOST_OWED: u64 = 1 << 30;

/// Types that hold each other more deeply have routines.
const DEEPEST: usize = 100;

/// Writes tables.
pub(super) struct Builder<'a> {
    pub(super) pres: &'a PresC,
    pub(super) facts: &'a Facts<'a>,
    /// Types with routines of their own.
    pub(super) routines: &'a BTreeSet<String>,
    tables: Tables,
    /// The routines that are called, by name.
    called: BTreeMap<String, usize>,
}

/// Where a value lies in the value of the table.
#[derive(Clone)]
struct At {
    ty: Type,
    path: Vec<String>,
}

impl At {
    fn member(&self, name: &str) -> At {
        At { ty: self.ty.clone(), path: self.path.iter().cloned().chain([name.to_string()]).collect() }
    }

    fn offset(&self) -> Offset {
        if self.path.is_empty() { Offset::Known(0) } else { Offset::Member(self.ty.clone(), self.path.clone()) }
    }
}

impl<'a> Builder<'a> {
    pub(super) fn new(pres: &'a PresC, facts: &'a Facts<'a>, routines: &'a BTreeSet<String>) -> Builder<'a> {
        Builder { pres, facts, routines, tables: Tables::default(), called: BTreeMap::new() }
    }

    /// The tables of all types that have no routines.
    pub(super) fn tables(mut self) -> Tables {
        for (id, stub) in self.pres.types.iter() {
            if !self.routines.contains(&stub.name) {
                self.form(id);
            }
        }
        self.tables
    }

    fn form(&mut self, id: TypeStubId) {
        let stub = &self.pres.types[id];
        let entry = Some(Entry { routine: stub.routine.clone(), ty: stub.ty.clone(), is_array: stub.is_array });
        self.tables.forms.push(Form { name: Some(stub.name.clone()), entry, parts: Vec::new() });
        let index = self.tables.forms.len() - 1;
        let parts = self.parts(stub.node, &At { ty: stub.ty.clone(), path: Vec::new() });
        self.tables.forms[index].parts = parts;
    }

    fn parts(&mut self, node: NodeId, at: &At) -> Vec<Part> {
        let mut parts = Vec::new();
        self.node(node, at, &mut parts);
        parts.push(Part { kind: "END", owns: false, offset: Offset::Known(0), number: Number::Known(0) });
        parts
    }

    fn node(&mut self, node: NodeId, at: &At, parts: &mut Vec<Part>) {
        let part = |kind, number| Part { kind, owns: false, offset: at.offset(), number };
        match &self.pres.nodes[node].pres {
            Pres::Void => {}
            Pres::Direct(kind) => self.scalar(*kind, node, at, parts),
            Pres::Structure(members) => {
                let least = |member: &Member| self.facts.least_size(member.node).min(MOST_OWED);
                let mut rest = members.iter().fold(0_u64, |sum, member| sum.saturating_add(least(member)));
                for member in members {
                    rest -= self.facts.least_size(member.node).min(MOST_OWED);
                    self.member(member, at, rest, parts);
                }
            }
            Pres::Union { discriminant, body, arms, default, .. } => {
                self.member(discriminant, at, 0, parts);
                let choice = Choice { discriminant, body, arms, default };
                self.union(&choice, at, parts);
            }
            Pres::FixedArray { element, length } => match word_of(self.pres, *element) {
                Some(kind) => self.words(kind, extent(length), at, parts),
                None => {
                    let owns = self.facts.owns_storage(*element);
                    parts.push(Part { owns, ..part("VECTOR", extent(length)) });
                    self.item(*element, parts);
                }
            },
            Pres::FixedBytes { length } => parts.push(part("BYTES", extent(length))),
            Pres::TerminatedText { bound, .. } => parts.push(part("STRING", bound_of(bound.as_ref()))),
            Pres::CountedBytes { length, bound, .. } => {
                let offset = at.member(length).offset();
                parts.push(Part { offset, ..part("OPAQUE", bound_of(bound.as_ref())) });
            }
            Pres::CountedArray { length, element, bound, .. } => {
                let owns = self.facts.owns_storage(*element);
                let offset = at.member(length).offset();
                parts.push(Part { owns, offset, ..part("ARRAY", bound_of(bound.as_ref())) });
                self.item(*element, parts);
            }
            Pres::OptionalPointer { target, .. } => {
                parts.push(part("POINTER", Number::Known(0)));
                self.item(*target, parts);
            }
            Pres::Named(id) => self.named(*id, at, parts),
            Pres::External { routine, .. } => {
                let ty = self.pres.nodes[node].ty.clone();
                self.routine(routine.clone(), ty, at, parts);
            }
            // `can_have_table` leaves none of these.
            Pres::InlineArray { .. } | Pres::InlineBytes { .. } | Pres::InlineText { .. } | Pres::Reference { .. } => {}
        }
    }

    /// A member, and what is owed while it may allocate: `rest` bytes of the message follow.
    fn member(&mut self, member: &Member, at: &At, rest: u64, parts: &mut Vec<Part>) {
        let at = at.member(&member.name);
        let owes = rest >= LITTLE && self.amplifies(member.node, &mut BTreeSet::new());
        let owed =
            |kind| Part { kind, owns: false, offset: Offset::Known(0), number: Number::Known(rest.min(MOST_OWED)) };
        parts.extend(owes.then(|| owed("OWE")));
        self.node(member.node, &at, parts);
        parts.extend(owes.then(|| owed("PAY")));
    }

    fn scalar(&mut self, kind: ScalarKind, node: NodeId, at: &At, parts: &mut Vec<Part>) {
        if let Some(word) = word_of(self.pres, node) {
            return self.words(word, Number::Known(1), at, parts);
        }
        let ty = &self.pres.nodes[node].ty;
        let kind = match kind {
            ScalarKind::Boolean => "BOOL",
            ScalarKind::Integer { bits: 8, .. } if is_char(ty) => "CHAR",
            ScalarKind::Integer { bits: 8, .. } => "UCHAR",
            ScalarKind::Integer { signed: true, .. } => "SHORT",
            ScalarKind::Integer { .. } => "USHORT",
            ScalarKind::Long { signed: true } => "LONG",
            _ => "ULONG",
        };
        parts.push(Part { kind, owns: false, offset: at.offset(), number: Number::Known(0) });
    }

    /// Numbers of one size; members of one structure that stand behind each other are one run.
    fn words(&mut self, kind: &'static str, count: Number, at: &At, parts: &mut Vec<Part>) {
        if let (Some(last), Number::Known(more)) = (parts.last_mut(), &count)
            && last.kind == kind
            && is_beside(&last.offset, &at.path)
            && let Number::Known(count) = &mut last.number
            && *count + more < 1 << 28
        {
            *count += more;
            return;
        }
        parts.push(Part { kind, owns: false, offset: at.offset(), number: count });
    }

    fn item(&mut self, element: NodeId, parts: &mut Vec<Part>) {
        let ty = self.pres.nodes[element].ty.clone();
        let least = self.facts.least_size(element).min(u64::from(u16::MAX));
        let size = Number::Value(cast::build::sizeof_type(ty.clone()));
        parts.push(Part { kind: "ITEM", owns: false, offset: Offset::Known(least), number: size });
        let number = match self.pres.nodes[element].pres {
            Pres::Named(id) if !self.routines.contains(&self.pres.types[id].name) => {
                Number::Type(self.pres.types[id].name.clone())
            }
            _ => Number::Form(self.inner(element, &At { ty, path: Vec::new() })),
        };
        parts.push(Part { kind: "TYPE", owns: false, offset: Offset::Known(0), number });
    }

    /// A table of its own for what is part of a type; returns which.
    fn inner(&mut self, node: NodeId, at: &At) -> usize {
        self.tables.forms.push(Form { name: None, entry: None, parts: Vec::new() });
        let index = self.tables.forms.len() - 1;
        let parts = self.parts(node, at);
        self.tables.forms[index].parts = parts;
        index
    }

    fn named(&mut self, id: TypeStubId, at: &At, parts: &mut Vec<Part>) {
        let stub = &self.pres.types[id];
        if self.routines.contains(&stub.name) {
            return self.routine(stub.routine.clone(), stub.ty.clone(), at, parts);
        }
        if self.few_parts(stub.node) <= FEW_PARTS {
            return self.node(stub.node, at, parts);
        }
        let number = Number::Type(stub.name.clone());
        parts.push(Part { kind: "TYPE", owns: false, offset: at.offset(), number });
    }

    fn routine(&mut self, name: String, ty: Type, at: &At, parts: &mut Vec<Part>) {
        let next = self.called.len();
        let index = *self.called.entry(name.clone()).or_insert(next);
        if index == next {
            self.tables.routines.push(name);
        }
        parts.push(Part { kind: "ROUTINE", owns: false, offset: at.offset(), number: Number::Known(index as u64) });
        let size = Number::Value(cast::build::sizeof_type(ty));
        parts.push(Part { kind: "ITEM", owns: false, offset: Offset::Known(0), number: size });
    }

    fn union(&mut self, choice: &Choice<'_>, at: &At, parts: &mut Vec<Part>) {
        let start = parts.len();
        let labels = choice.arms.iter().map(|arm| arm.labels.len()).sum::<usize>();
        let count = labels + usize::from(matches!(choice.default, DefaultArm::Body(_)));
        let offset = at.member(&choice.discriminant.name).offset();
        parts.push(Part { kind: "UNION", owns: false, offset, number: Number::Known(count as u64) });
        let body = at.member(choice.body);
        let arm = |builder: &mut Self, member: &Option<Member>| {
            let member =
                member.as_ref().filter(|member| !matches!(builder.pres.nodes[member.node].pres, Pres::Void))?;
            Some(builder.inner(member.node, &body.member(&member.name)))
        };
        for case in choice.arms {
            let form = arm(self, &case.member);
            for label in &case.labels {
                let number = Number::Value(cast::build::cast(Type::named("uint32_t"), label.c.clone()));
                let offset = form.map_or(Offset::Known(0), |form| Offset::Form(form, parts.len() - start));
                parts.push(Part { kind: "CASE", owns: false, offset, number });
            }
        }
        if let DefaultArm::Body(member) = choice.default {
            let form = arm(self, member);
            let offset = form.map_or(Offset::Known(0), |form| Offset::Form(form, parts.len() - start));
            parts.push(Part { kind: "DEFAULT", owns: false, offset, number: Number::Known(0) });
        }
    }

    /// How many parts a node comes to, where they are few.
    fn few_parts(&self, node: NodeId) -> usize {
        match &self.pres.nodes[node].pres {
            Pres::Void => 0,
            Pres::Direct(_) | Pres::FixedBytes { .. } | Pres::TerminatedText { .. } | Pres::CountedBytes { .. } => 1,
            Pres::FixedArray { element, .. } if word_of(self.pres, *element).is_some() => 1,
            Pres::Structure(members) => {
                let more = |parts: usize, member: &Member| Some(parts + self.few_parts(member.node));
                let count = members.iter().try_fold(0, |sum, member| more(sum, member).filter(|sum| *sum <= FEW_PARTS));
                count.unwrap_or(FEW_PARTS + 1)
            }
            Pres::Named(id) if !self.routines.contains(&self.pres.types[*id].name) => {
                self.few_parts(self.pres.types[*id].node)
            }
            _ => FEW_PARTS + 1,
        }
    }

    /// Storage may hang on its values that is larger than the bytes it came in.
    fn amplifies(&self, node: NodeId, seen: &mut BTreeSet<u32>) -> bool {
        if !seen.insert(node.into_raw().into_u32()) {
            return false;
        }
        match &self.pres.nodes[node].pres {
            Pres::CountedArray { .. } | Pres::OptionalPointer { .. } | Pres::External { .. } => true,
            Pres::Structure(members) => members.iter().any(|member| self.amplifies(member.node, seen)),
            Pres::Union { arms, default, .. } => {
                let bodies = arms.iter().filter_map(|arm| arm.member.as_ref());
                let last = if let DefaultArm::Body(Some(member)) = default { Some(member) } else { None };
                bodies.chain(last).any(|member| self.amplifies(member.node, seen))
            }
            Pres::FixedArray { element, .. } => self.amplifies(*element, seen),
            Pres::Named(id) => self.amplifies(self.pres.types[*id].node, seen),
            _ => false,
        }
    }
}

struct Choice<'a> {
    discriminant: &'a Member,
    body: &'a str,
    arms: &'a [pres::Arm],
    default: &'a DefaultArm,
}

/// Both are members of one structure. Others may have padding between them.
fn is_beside(last: &Offset, path: &[String]) -> bool {
    match (last, path) {
        (Offset::Member(_, last), [parents @ .., _]) => last.split_last().is_some_and(|(_, others)| others == parents),
        _ => false,
    }
}

fn extent(length: &Extent) -> Number {
    length.value.map_or_else(|| Number::Value(length.c.clone()), Number::Known)
}

fn bound_of(bound: Option<&Extent>) -> Number {
    bound.map_or(Number::Known(u64::from(u32::MAX)), extent)
}

/// What a number is in a run: of 4 or of 8 bytes, in C as in the message.
pub(super) fn word_of(pres: &PresC, node: NodeId) -> Option<&'static str> {
    match pres.nodes[node].pres {
        Pres::Direct(
            ScalarKind::Integer { bits: 32, .. } | ScalarKind::Enumeration { .. } | ScalarKind::Float { bits: 32 },
        ) => Some("WORDS"),
        Pres::Direct(ScalarKind::Integer { bits: 64, .. } | ScalarKind::Float { bits: 64 }) => Some("DOUBLES"),
        Pres::Named(id) => word_of(pres, pres.types[id].node),
        _ => None,
    }
}

fn is_char(ty: &Type) -> bool {
    cast::print_type(ty) == "char"
}

/// Whether a table says all of a type: rpcgen's presentation with storage of the heap.
pub(super) fn can_have_table(pres: &PresC, node: NodeId) -> bool {
    size_in_c(pres, node, DEEPEST).is_some_and(|size| size <= LARGEST_VALUE) && entries(pres, node) <= MOST_ENTRIES
}

/// At most so many entries of tables a type comes to, others that it mentions left out.
fn entries(pres: &PresC, node: NodeId) -> usize {
    match &pres.nodes[node].pres {
        Pres::Structure(members) => members.iter().map(|member| entries(pres, member.node) + 2).sum::<usize>() + 1,
        Pres::Union { arms, default, .. } => {
            let bodies = arms.iter().filter_map(|arm| arm.member.as_ref());
            let last = if let DefaultArm::Body(Some(member)) = default { Some(member) } else { None };
            let labels = arms.iter().map(|arm| arm.labels.len()).sum::<usize>();
            labels + 3 + bodies.chain(last).map(|member| entries(pres, member.node) + 1).sum::<usize>()
        }
        Pres::FixedArray { element: inner, .. }
        | Pres::CountedArray { element: inner, .. }
        | Pres::OptionalPointer { target: inner, .. } => match &pres.nodes[*inner].pres {
            Pres::Named(_) => 4,
            _ => 4 + entries(pres, *inner),
        },
        _ => FEW_PARTS + 1,
    }
}

/// About the bytes of a value in C; none where tables do not know its parts.
fn size_in_c(pres: &PresC, node: NodeId, depth: usize) -> Option<u64> {
    let depth = depth.checked_sub(1)?;
    let size_in_c = |pres: &PresC, node: NodeId| size_in_c(pres, node, depth).filter(|size| *size <= LARGEST_VALUE);
    // Types that double are not looked at twice where they are too large.
    let sum = |members: &[Member]| {
        let more = |sum: u64, member: &Member| Some(sum + size_in_c(pres, member.node)?);
        members.iter().try_fold(0_u64, |sum, member| more(sum, member).filter(|sum| *sum <= LARGEST_VALUE))
    };
    match &pres.nodes[node].pres {
        Pres::Void => Some(0),
        Pres::Direct(ScalarKind::Quadruple | ScalarKind::Enumeration { strict: true }) => None,
        Pres::Direct(ScalarKind::Float { bits }) if *bits > 64 => None,
        // `char` has a sign on some machines and none on others.
        Pres::Direct(ScalarKind::Integer { bits: 8, signed: true }) if !is_char(&pres.nodes[node].ty) => None,
        Pres::Direct(_) => Some(8),
        Pres::Structure(members) => sum(members),
        Pres::Union { discriminant, arms, default, .. } => {
            if !is_word(pres, discriminant.node) {
                return None;
            }
            let bodies = arms.iter().filter_map(|arm| arm.member.as_ref());
            let last = if let DefaultArm::Body(Some(member)) = default { Some(member) } else { None };
            let most =
                bodies.chain(last).try_fold(0, |most: u64, member| Some(most.max(size_in_c(pres, member.node)?)))?;
            Some(8 + most)
        }
        Pres::FixedArray { element, length } => {
            let length = length.value.filter(|length| *length > 0)?;
            let most = size_in_c(pres, *element)?.checked_mul(length)?;
            (most <= LARGEST_VALUE).then_some(most)
        }
        Pres::FixedBytes { length } => length.value.filter(|length| *length > 0),
        Pres::CountedBytes { storage, sequence, .. } if *storage == Storage::Heap && sequence.is_none() => Some(16),
        Pres::CountedArray { storage, sequence, element, .. } if *storage == Storage::Heap && sequence.is_none() => {
            item_is_known(pres, *element).then_some(16)
        }
        Pres::TerminatedText { storage: Storage::Heap, .. } => Some(8),
        Pres::OptionalPointer { target, storage: Storage::Heap } => item_is_known(pres, *target).then_some(8),
        Pres::Named(id) => size_in_c(pres, pres.types[*id].node),
        // The user's type may have any size: the C compiler checks that offsets fit.
        Pres::External { .. } => Some(256),
        _ => None,
    }
}

/// What is reached through a pointer: its own table says whether it can be one.
fn item_is_known(pres: &PresC, node: NodeId) -> bool {
    match &pres.nodes[node].pres {
        Pres::Named(_) | Pres::External { .. } => true,
        Pres::Structure(_) | Pres::Union { .. } => false,
        _ => size_in_c(pres, node, DEEPEST).is_some(),
    }
}

/// The discriminant is one word in C.
fn is_word(pres: &PresC, node: NodeId) -> bool {
    match &pres.nodes[node].pres {
        Pres::Direct(ScalarKind::Boolean) => true,
        Pres::Named(id) => is_word(pres, pres.types[*id].node),
        _ => word_of(pres, node) == Some("WORDS"),
    }
}
