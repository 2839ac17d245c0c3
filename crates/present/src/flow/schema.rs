//! What both sides of an edge must agree on, as text: fields with their names, types, bounds, units and ranges, in the order in which
//! they travel. In: PRES_C, and the units that only the flow knows. Out: S-expressions, the packet first, then the types
//! that it speaks of; the same for all descriptions that agree, whatever the packet itself is called. Peers compare its
//! fingerprint, tools read it.
//!
//! ```text
//! (struct (w uint16) (n uint32) (pix (bytes n 400000) (unit "pixel")) (name (text 32)) (p (array 4 @Point)))
//! (type Point (struct (x float32) (y float32 (id 7))))
//! ```
//!
//! `(range 1 30)` says which numbers a field may hold, where the description does; `(id 7)` is a field's own number. `(array 4 T)` has four elements; `(array n 9 T)` as many as the field `n` of the same structure says, at most 9;
//! `(array * 9 T)` has its count before it on the wire, as imported types do. `bytes` are arrays of one-byte elements; `*`
//! before a bound means the same there, and `unlimited` is no bound. `(text 32)` is a length and so many bytes,
//! `(optional T)` a flag and perhaps a value, `(union (tag T) (arm (label …) (name T)) … (default))` a tag and a body.

use std::collections::{BTreeMap, BTreeSet};

use pres::text::terms::{scalar_word, write_extent, write_label};
use pres::{DefaultArm, Member, NodeId, NumberForm, Pres, PresC, TypeStubId};
use sexpr::{Sexpr, atom, list, node, number, text};
use xip::Xip;

/// The units of a flow, by packet and field.
pub(super) type Units<'a> = BTreeMap<(&'a str, &'a str), &'a str>;

/// What the description says of a member for encodings whose fields have numbers.
type Numbered = (Option<u32>, Option<NumberForm>);

/// What the description says of a member beside its type.
#[derive(Clone, Copy, Default)]
struct Said {
    numbered: Numbered,
    range: Option<(i128, i128)>,
}

pub(super) fn units(xip: &Xip) -> Units<'_> {
    let mut units = Units::new();
    for packet in xip.packets() {
        for field in &packet.fields {
            let place = (packet.name.text.as_str(), field.name.text.as_str());
            units.extend(field.unit.as_ref().map(|unit| (place, unit.value.as_str())));
        }
    }
    units
}

/// The schema of a type.
pub(super) fn schema(pres: &PresC, units: &Units, stub: TypeStubId) -> String {
    let mut writer = Writer { pres, units, written: BTreeSet::new(), open: Vec::new() };
    let root = writer.original(stub);
    writer.written.insert(root);
    let mut forms = vec![writer.definition(root)];
    while let Some(stub) = writer.open.pop() {
        let definition = writer.definition(stub);
        forms.push(node("type", [atom(&pres.types[stub].name), definition]));
    }
    sexpr::print_all(&forms)
}

struct Writer<'a> {
    pres: &'a PresC,
    units: &'a Units<'a>,
    written: BTreeSet<TypeStubId>,
    /// Types that have been mentioned and not written.
    open: Vec<TypeStubId>,
}

impl Writer<'_> {
    /// Behind all other names for it.
    fn original(&self, stub: TypeStubId) -> TypeStubId {
        let (mut stub, mut seen) = (stub, BTreeSet::new());
        while let Pres::Named(behind) = &self.pres.nodes[self.pres.types[stub].node].pres {
            if !seen.insert(stub) {
                break;
            }
            stub = *behind;
        }
        stub
    }

    fn definition(&mut self, stub: TypeStubId) -> Sexpr {
        let stub = &self.pres.types[stub];
        self.node(stub.node, &stub.name)
    }

    /// A value inside the type `owner`.
    fn node(&mut self, id: NodeId, owner: &str) -> Sexpr {
        let value = &self.pres.nodes[id];
        match &value.pres {
            Pres::Void => atom("void"),
            Pres::Direct(kind) => match &self.pres.mint.nodes[value.mint].node {
                mint::Node::Enumeration { members } => node("enum", members.iter().map(|member| number(*member))),
                _ => atom(scalar_word(*kind)),
            },
            Pres::Structure(members) => {
                let mut numbered = self.numbered(owner);
                let counts = counts(self.pres, members);
                let ranges = self.pres.ranges.get(owner).map_or(&[][..], Vec::as_slice);
                let mut forms = Vec::new();
                for (at, member) in members.iter().enumerate() {
                    let is_field = !counts.contains(member.name.as_str());
                    let numbered = if is_field { numbered.next().unwrap_or_default() } else { Numbered::default() };
                    let said = Said { numbered, range: ranges.get(at).copied().flatten() };
                    forms.push(self.member(member, owner, said));
                }
                node("struct", forms)
            }
            Pres::Union { discriminant, arms, default, .. } => {
                let mut numbered = self.numbered(owner);
                let mut next = || Said { numbered: numbered.next().unwrap_or_default(), range: None };
                let mut parts = vec![self.member(discriminant, owner, Said::default())];
                for arm in arms {
                    let labels = arm.labels.iter().map(write_label);
                    let mut member = |member| self.member(member, owner, next());
                    let body = arm.member.as_ref().map(&mut member);
                    parts.push(node("arm", labels.chain(body)));
                }
                if let DefaultArm::Body(last) = default {
                    let mut member = |member| self.member(member, owner, next());
                    parts.push(node("default", last.as_ref().map(&mut member)));
                }
                node("union", parts)
            }
            Pres::FixedArray { element, length } => node("array", [write_extent(length), self.node(*element, owner)]),
            Pres::FixedBytes { length } => node("bytes", [write_extent(length)]),
            Pres::InlineArray { count, element, .. } => {
                node("array", [atom(count), self.most(value.mint), self.node(*element, owner)])
            }
            Pres::InlineBytes { count, .. } => node("bytes", [atom(count), self.most(value.mint)]),
            Pres::CountedArray { element, .. } => {
                node("array", [atom("*"), self.most(value.mint), self.node(*element, owner)])
            }
            Pres::CountedBytes { .. } => node("bytes", [atom("*"), self.most(value.mint)]),
            Pres::InlineText { .. } | Pres::TerminatedText { .. } => node("text", [self.most(value.mint)]),
            Pres::OptionalPointer { target, .. } => node("optional", [self.node(*target, owner)]),
            Pres::Named(stub) => {
                let stub = self.original(*stub);
                if self.written.insert(stub) {
                    self.open.push(stub);
                }
                atom(format!("@{}", self.pres.types[stub].name))
            }
            Pres::Reference { target, .. } => self.node(*target, owner),
            Pres::External { routine, .. } => node("external", [atom(routine)]),
        }
    }

    /// What the description says of the numbers of a type's fields, and of their forms.
    fn numbered(&self, owner: &str) -> std::vec::IntoIter<Numbered> {
        let numbers = self.pres.field_numbers.get(owner).map_or(&[][..], Vec::as_slice);
        let forms = self.pres.number_forms.get(owner).map_or(&[][..], Vec::as_slice);
        let of = |at| (numbers.get(at).copied().flatten(), forms.get(at).copied().flatten());
        (0..numbers.len().max(forms.len())).map(of).collect::<Vec<Numbered>>().into_iter()
    }

    fn member(&mut self, member: &Member, owner: &str, said: Said) -> Sexpr {
        let unit = self.units.get(&(owner, member.name.as_str()));
        let unit = unit.map(|unit| node("unit", [text(*unit)]));
        let range = said.range.map(|(least, most)| node("range", [number(least), number(most)]));
        let (id, form) = said.numbered;
        let id = id.map(|id| node("id", [number(i128::from(id))]));
        let form = form.map(|form| node("form", [atom(form.word())]));
        list(
            [atom(&member.name), self.node(member.node, owner)]
                .into_iter()
                .chain(unit)
                .chain(range)
                .chain(id)
                .chain(form),
        )
    }

    /// The bound of an array.
    fn most(&self, message: mint::NodeId) -> Sexpr {
        match &self.pres.mint.nodes[message].node {
            mint::Node::Array { most: mint::Bound::Number(most), .. } => number(*most),
            mint::Node::Array { most: mint::Bound::Symbol(name), .. } => atom(name),
            _ => atom("unlimited"),
        }
    }
}

/// The members that say how many elements others have: they are no fields of their own.
pub(super) fn counts<'a>(pres: &'a PresC, members: &[Member]) -> BTreeSet<&'a str> {
    let count = |member: &Member| match &pres.nodes[member.node].pres {
        Pres::InlineArray { count, .. } | Pres::InlineBytes { count, .. } => Some(count.as_str()),
        _ => None,
    };
    members.iter().filter_map(count).collect()
}
