//! PRES to tables: one walk over the nodes of a type, which gives up where a table cannot say what is there.

use std::collections::{BTreeMap, BTreeSet};

use cast::Type;
use pres::{DefaultArm, Extent, Member, NodeId, Pres, PresC, ScalarKind, TypeStubId};

use super::fit::Fit;
use super::hangs::Hangs;
use super::{Entry, Form, Group, Number, Offset, Part};
use crate::lower::facts::Facts;

/// The words of a run are counted in 28 bits.
const LONGEST_RUN: u64 = 1 << 28;

/// Types of so many parts are written where they are used.
const FEW_PARTS: usize = 2;

/// What following allocation could use twice is owed from so many bytes on (as the pass `claims` has it).
const LITTLE: u64 = 24;

/// More bytes than these are not owed.
const MOST_OWED: u64 = 1 << 30;

/// Writes tables.
pub(super) struct Builder<'a> {
    pub(super) pres: &'a PresC,
    pub(super) facts: &'a Facts<'a>,
    /// Types with a table here: what has others as parts calls their routines.
    own: &'a BTreeSet<String>,
    hangs: Hangs<'a>,
    fit: &'a Fit<'a>,
    runs: BTreeMap<TypeStubId, Option<(&'static str, u64)>>,
    tables: Group,
    /// The routines that are called, by name.
    called: BTreeMap<String, usize>,
}

/// Where a value lies in the value of the table.
#[derive(Clone)]
struct At {
    ty: Type,
    path: Vec<String>,
    /// Offsets in the value may have more than 16 bits.
    is_far: bool,
}

impl At {
    fn member(&self, name: &str) -> At {
        At { path: self.path.iter().cloned().chain([name.to_string()]).collect(), ..self.clone() }
    }

    fn offset(&self) -> Offset {
        if self.path.is_empty() { Offset::Known(0) } else { Offset::Member(self.ty.clone(), self.path.clone()) }
    }
}

impl<'a> Builder<'a> {
    pub(super) fn new(
        facts: &'a Facts<'a>,
        fit: &'a Fit<'a>,
        own: &'a BTreeSet<String>,
        recursive: &'a BTreeSet<String>,
    ) -> Builder<'a> {
        Builder {
            pres: fit.pres,
            facts,
            own,
            hangs: Hangs::new(fit.pres, recursive),
            fit,
            runs: BTreeMap::new(),
            tables: Group::default(),
            called: BTreeMap::new(),
        }
    }

    /// The tables of those types, in this order.
    pub(super) fn tables(mut self, types: &[TypeStubId]) -> Group {
        types.iter().for_each(|id| self.form(*id));
        self.tables
    }

    fn form(&mut self, id: TypeStubId) {
        let stub = &self.pres.types[id];
        let entry = Some(Entry { routine: stub.routine.clone(), ty: stub.ty.clone(), is_array: stub.is_array });
        self.tables.forms.push(Form { name: Some(stub.name.clone()), entry, parts: Vec::new() });
        let index = self.tables.forms.len() - 1;
        let at = self.at(stub.node, stub.ty.clone());
        let begin = self.hangs.is_recursive(id).then_some(Part::new("DEEPER", 0));
        let parts = self.parts(stub.node, &at);
        self.tables.forms[index].parts = begin.into_iter().chain(parts).collect();
    }

    /// Where a value begins.
    fn at(&self, node: NodeId, ty: Type) -> At {
        At { ty, path: Vec::new(), is_far: self.fit.is_far(node) }
    }

    fn parts(&mut self, node: NodeId, at: &At) -> Vec<Part> {
        let mut parts = Vec::new();
        self.node(node, at, &mut parts);
        parts.push(Part::new("END", 0));
        parts
    }

    /// A part at a place; what is far has the distance before it.
    fn push(kind: &'static str, owns: bool, number: Number, at: &At, parts: &mut Vec<Part>) {
        let mut offset = at.offset();
        if at.is_far
            && let Offset::Member(ty, path) = &offset
        {
            let distance = Number::Offset(ty.clone(), path.clone());
            parts.push(Part { kind: "FAR", owns: false, offset: Offset::Known(0), number: distance });
            offset = Offset::Known(0);
        }
        parts.push(Part { kind, owns, offset, number });
    }

    /// A value that is nothing but so many numbers of one size: members without anything between them.
    fn run(&mut self, node: NodeId) -> Option<(&'static str, u64)> {
        match &self.pres.nodes[node].pres {
            Pres::Direct(kind) => Some((word_of_scalar(*kind)?, 1)),
            Pres::FixedArray { element, length } => {
                let (kind, count) = self.run(*element)?;
                Some((kind, count.checked_mul(length.value?)?)).filter(|(_, count)| *count > 0 && *count < LONGEST_RUN)
            }
            Pres::Structure(members) => {
                let (first, others) = members.split_first()?;
                let first = self.run(first.node)?;
                others.iter().try_fold(first, |(kind, sum), member| {
                    let (other, count) = self.run(member.node)?;
                    (other == kind && sum + count < LONGEST_RUN).then_some((kind, sum + count))
                })
            }
            Pres::Named(id) if !self.has_call(*id) => self.run_of(*id),
            _ => None,
        }
    }

    /// Each type once: types that hold each other twice double at each level.
    fn run_of(&mut self, id: TypeStubId) -> Option<(&'static str, u64)> {
        if let Some(known) = self.runs.get(&id) {
            return *known;
        }
        let run = self.run(self.pres.types[id].node);
        self.runs.insert(id, run);
        run
    }

    fn node(&mut self, node: NodeId, at: &At, parts: &mut Vec<Part>) {
        if let Some((kind, count)) = self.run(node) {
            return self.words(kind, Number::Known(count), at, parts);
        }
        match &self.pres.nodes[node].pres {
            Pres::Void => {}
            Pres::Direct(kind) => Self::scalar(*kind, &self.pres.nodes[node].ty, at, parts),
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
            Pres::FixedArray { element, length } => match self.run(*element) {
                Some((kind, 1)) => self.words(kind, extent(length), at, parts),
                _ => {
                    let owns = self.facts.owns_storage(*element);
                    Self::push("VECTOR", owns, extent(length), at, parts);
                    self.item(*element, parts);
                }
            },
            Pres::FixedBytes { length } => Self::push("BYTES", false, extent(length), at, parts),
            Pres::TerminatedText { bound, .. } => Self::push("STRING", false, bound_of(bound.as_ref()), at, parts),
            Pres::CountedBytes { length, bound, .. } => {
                Self::push("OPAQUE", false, bound_of(bound.as_ref()), &at.member(length), parts);
            }
            Pres::CountedArray { length, element, .. } if self.facts.is_at_most_one(node) => {
                Self::push("ONE", true, Number::Known(0), &at.member(length), parts);
                self.item(*element, parts);
            }
            Pres::CountedArray { length, element, bound, .. } => {
                let owns = self.facts.owns_storage(*element);
                Self::push("ARRAY", owns, bound_of(bound.as_ref()), &at.member(length), parts);
                self.item(*element, parts);
            }
            Pres::OptionalPointer { target, .. } => {
                Self::push("POINTER", false, Number::Known(0), at, parts);
                self.item(*target, parts);
            }
            Pres::Named(id) => self.named(*id, at, parts),
            Pres::External { routine, .. } => {
                let ty = self.pres.nodes[node].ty.clone();
                self.call("ROUTINE", routine.clone(), ty, at, parts);
            }
            // `Fit` leaves none of these.
            Pres::InlineArray { .. } | Pres::InlineBytes { .. } | Pres::InlineText { .. } | Pres::Reference { .. } => {}
        }
    }

    /// A member, and what is owed while it may allocate: `rest` bytes of the message follow.
    fn member(&mut self, member: &Member, at: &At, rest: u64, parts: &mut Vec<Part>) {
        let at = at.member(&member.name);
        let little = if self.hangs.nests(member.node) { 1 } else { LITTLE };
        let owes = rest >= little && self.hangs.amplifies(member.node);
        parts.extend(owes.then(|| Part::new("OWE", rest.min(MOST_OWED))));
        self.node(member.node, &at, parts);
        parts.extend(owes.then(|| Part::new("PAY", rest.min(MOST_OWED))));
    }

    /// A number that has another size in C than in the message.
    fn scalar(kind: ScalarKind, ty: &Type, at: &At, parts: &mut Vec<Part>) {
        let kind = match kind {
            ScalarKind::Boolean => "BOOL",
            ScalarKind::Integer { bits: 8, .. } if is_char(ty) => "CHAR",
            ScalarKind::Integer { bits: 8, .. } => "UCHAR",
            ScalarKind::Integer { signed: true, .. } => "SHORT",
            ScalarKind::Integer { .. } => "USHORT",
            ScalarKind::Long { signed: true } => "LONG",
            _ => "ULONG",
        };
        Self::push(kind, false, Number::Known(0), at, parts);
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
        Self::push(kind, false, count, at, parts);
    }

    fn item(&mut self, element: NodeId, parts: &mut Vec<Part>) {
        let ty = self.pres.nodes[element].ty.clone();
        let least = self.facts.least_size(element).min(u64::from(u16::MAX));
        let size = Number::Value(cast::build::sizeof_type(ty.clone()));
        parts.push(Part { kind: "ITEM", owns: false, offset: Offset::Known(least), number: size });
        let number = match self.pres.nodes[element].pres {
            Pres::Named(id) if !self.has_call(id) => Number::Type(self.pres.types[id].name.clone()),
            _ => {
                let at = self.at(element, ty);
                Number::Form(self.inner(element, &at))
            }
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

    /// A routine is called for values of the type.
    fn has_call(&self, id: TypeStubId) -> bool {
        !self.own.contains(&self.pres.types[id].name)
    }

    fn named(&mut self, id: TypeStubId, at: &At, parts: &mut Vec<Part>) {
        let stub = &self.pres.types[id];
        if self.has_call(id) {
            return self.call("ROUTINE", stub.routine.clone(), stub.ty.clone(), at, parts);
        }
        let own = Number::Type(stub.name.clone());
        if self.run(stub.node).is_some() || self.few_parts(stub.node) <= FEW_PARTS {
            return self.node(stub.node, at, parts);
        }
        Self::push("TYPE", false, own, at, parts);
    }

    fn call(&mut self, kind: &'static str, name: String, ty: Type, at: &At, parts: &mut Vec<Part>) {
        let next = self.called.len();
        let index = *self.called.entry(name.clone()).or_insert(next);
        if index == next {
            self.tables.routines.push(name);
        }
        Self::push(kind, false, Number::Known(index as u64), at, parts);
        let size = Number::Value(cast::build::sizeof_type(ty));
        parts.push(Part { kind: "ITEM", owns: false, offset: Offset::Known(0), number: size });
    }

    fn union(&mut self, choice: &Choice<'_>, at: &At, parts: &mut Vec<Part>) {
        let labels = choice.arms.iter().map(|arm| arm.labels.len()).sum::<usize>();
        let count = labels + usize::from(matches!(choice.default, DefaultArm::Body(_)));
        Self::push("UNION", false, Number::Known(count as u64), &at.member(&choice.discriminant.name), parts);
        let start = parts.len() - 1;
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
            Pres::Named(id) if !self.has_call(*id) => self.few_parts(self.pres.types[*id].node),
            _ => FEW_PARTS + 1,
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
    let unknown = || Number::Value(cast::build::cast(Type::named("uint32_t"), length.c.clone()));
    length.value.map_or_else(unknown, Number::Known)
}

fn bound_of(bound: Option<&Extent>) -> Number {
    bound.map_or(Number::Known(u64::from(u32::MAX)), extent)
}

/// What a number is in a run: of 4 or of 8 bytes, in C as in the message.
pub(super) fn word_of(pres: &PresC, node: NodeId) -> Option<&'static str> {
    match pres.nodes[node].pres {
        Pres::Direct(kind) => word_of_scalar(kind),
        Pres::Named(id) => word_of(pres, pres.types[id].node),
        _ => None,
    }
}

fn word_of_scalar(kind: ScalarKind) -> Option<&'static str> {
    match kind {
        ScalarKind::Integer { bits: 32, .. } | ScalarKind::Enumeration { .. } | ScalarKind::Float { bits: 32 } => {
            Some("WORDS")
        }
        ScalarKind::Integer { bits: 64, .. } | ScalarKind::Float { bits: 64 } => Some("DOUBLES"),
        _ => None,
    }
}

pub(super) fn is_char(ty: &Type) -> bool {
    cast::print_type(ty) == "char"
}
