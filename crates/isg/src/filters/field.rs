//! What a path of a condition names in a packet: a value that may be compared, and the C that reads it. In: PRES_C, so that packets of
//! the flow and imported types are gone through in one way. Out: an expression over `it`, and the kind of the value.

use std::collections::BTreeMap;

use aoi::DefinitionKind;
use cast::build::{self, arrow, index, member, name};
use cast::{Expression, Type};
use pres::{Extent, Member, NodeId, Packet, Pres, PresC, ScalarKind, TypeStubId};
use source::{Diagnostic, Span};
use xip::filter::{FieldPath, Step};
use xip::{Known, Types};

use crate::errors;

/// What is known of a packet's type.
pub(super) struct Fields<'a> {
    pub(super) pres: &'a PresC,
    pub(super) types: &'a Types<'a>,
    pub(super) packet: &'a Packet,
    /// What the C calls it.
    pub(super) it: &'a str,
}

/// What is compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Truth,
    Integer {
        bits: u8,
        signed: bool,
        /// Of a count: the most elements that there can be.
        most: Option<u64>,
    },
    Character,
    Float {
        bits: u8,
    },
    /// At most so many bytes, where there is a bound.
    Text {
        most: Option<u64>,
    },
    /// The numbers of its members, by name.
    Enumeration {
        members: BTreeMap<String, i128>,
    },
}

impl Kind {
    /// How messages call it.
    pub(super) fn words(&self) -> String {
        match self {
            Kind::Truth => "a truth value".to_owned(),
            Kind::Integer { bits, signed, .. } => {
                format!("a whole number of {bits} bits{}", if *signed { " with a sign" } else { "" })
            }
            Kind::Character => "a character".to_owned(),
            Kind::Float { .. } => "a number with a fraction".to_owned(),
            Kind::Text { .. } => "a text".to_owned(),
            Kind::Enumeration { .. } => "a member of an enumeration".to_owned(),
        }
    }
}

/// Where a path has come to.
struct Place {
    value: Expression,
    /// `None`: a byte of an array.
    node: Option<NodeId>,
    /// The structure that it is a member of, for what counts it.
    parent: Option<(Expression, bool)>,
}

impl Fields<'_> {
    /// Whether the packet has a field of the path's first name.
    pub(super) fn has(&self, field: &str) -> bool {
        self.names().contains(&field)
    }

    /// The names of the packet's fields.
    pub(super) fn names(&self) -> Vec<&str> {
        let members = self.members(self.pres.types[self.packet.stub].node).unwrap_or_default();
        members.iter().map(|member| member.name.as_str()).collect()
    }

    /// How messages call the packet.
    pub(super) fn packet_name(&self) -> String {
        format!("`{}`", self.packet.name)
    }

    /// The value that a path names.
    pub(super) fn value(&self, path: &FieldPath) -> Result<(Expression, Kind), Box<Diagnostic>> {
        let packet = Type::named(self.packet.name.as_str()).constant().pointer();
        let root =
            Place { value: name(self.it, packet), node: Some(self.pres.types[self.packet.stub].node), parent: None };
        let mut place = self.member(&root, true, &path.field.text, path.field.span)?;
        let mut steps = path.inwards.iter();
        while let Some(step) = steps.next() {
            place = match step {
                Step::Member(name)
                    if name.text == "count" && place.node.is_none_or(|node| self.members(node).is_none()) =>
                {
                    if let Some(Step::Member(next)) = steps.next() {
                        return Err(errors::no_field(next.span, &next.text, "a count", &[]).into());
                    }
                    return self.count(&place, name.span);
                }
                Step::Member(name) => self.member(&place, false, &name.text, name.span)?,
                Step::Element(at) => {
                    place = self.element(&place, at.value, at.span)?;
                    if place.node.is_none()
                        && let Some(next) = steps.next()
                    {
                        return Err(errors::no_element(step_span(next), "a byte has nothing in it").into());
                    }
                    continue;
                }
            };
        }
        let span = path.field.span;
        let kind = self.kind(&place).map_err(|what| errors::not_compared(span, &path.to_string(), what))?;
        Ok((place.value, kind))
    }

    /// Behind all names for it; and the last of these.
    pub(super) fn behind(&self, node: NodeId) -> (&Pres, Option<TypeStubId>) {
        let (node, stub) = self.last(node);
        (&self.pres.nodes[node].pres, stub)
    }

    /// The most elements of an array.
    pub(super) fn most(&self, node: NodeId) -> Option<u64> {
        self.pres.most(self.last(node).0)
    }

    fn last(&self, node: NodeId) -> (NodeId, Option<TypeStubId>) {
        let (mut node, mut stub) = (node, None);
        // A chain of names has as many as there are types at most.
        for _ in 0..=self.pres.types.len() {
            let Pres::Named(next) = &self.pres.nodes[node].pres else { break };
            stub = Some(*next);
            node = self.pres.types[*next].node;
        }
        (node, stub)
    }

    pub(super) fn members(&self, node: NodeId) -> Option<&[Member]> {
        if let Pres::Structure(members) = self.behind(node).0 { Some(members) } else { None }
    }

    fn member(&self, of: &Place, is_packet: bool, field: &str, span: Span) -> Result<Place, Box<Diagnostic>> {
        let Some(members) = of.node.and_then(|node| self.members(node)) else {
            return Err(errors::no_field(span, field, "what is no structure", &[]).into());
        };
        let Some(found) = members.iter().find(|member| member.name == field) else {
            let known: Vec<&str> = members.iter().map(|member| member.name.as_str()).collect();
            let whose = if is_packet { self.packet_name() } else { "this structure".to_owned() };
            return Err(errors::no_field(span, field, &whose, &known).into());
        };
        let ty = self.pres.nodes[found.node].ty.clone();
        let value = within(of.value.clone(), is_packet, field, ty);
        Ok(Place { value, node: Some(found.node), parent: Some((of.value.clone(), is_packet)) })
    }

    fn element(&self, of: &Place, at: u64, span: Span) -> Result<Place, Box<Diagnostic>> {
        let (length, node) = match of.node.map(|node| self.behind(node).0) {
            Some(Pres::FixedArray { element, length }) => (length, Some(*element)),
            Some(Pres::FixedBytes { length }) => (length, None),
            _ => {
                return Err(errors::no_element(
                    span,
                    "only arrays that always have all of their elements are looked into",
                )
                .into());
            }
        };
        match length.value {
            Some(length) if at < length => {}
            Some(length) => {
                return Err(errors::no_element(span, &format!("the array has {length} elements, from 0 on")).into());
            }
            None => return Err(errors::no_element(span, "its length is known to the C compiler alone").into()),
        }
        Ok(Place { value: index(of.value.clone(), crate::shorthand::number(at)), node, parent: None })
    }

    /// How many elements an array has.
    fn count(&self, of: &Place, span: Span) -> Result<(Expression, Kind), Box<Diagnostic>> {
        let most = of.node.and_then(|node| self.most(node));
        let kind = Kind::Integer { bits: 32, signed: false, most };
        let number = |value| build::cast(Type::named("uint32_t"), value);
        match (of.node.map(|node| self.behind(node).0), &of.parent) {
            (Some(Pres::InlineArray { count, .. } | Pres::InlineBytes { count, .. }), Some((parent, is_packet))) => {
                Ok((number(within(parent.clone(), *is_packet, count, Type::Void)), kind))
            }
            (Some(Pres::CountedArray { length, .. } | Pres::CountedBytes { length, .. }), _) => {
                Ok((number(member(of.value.clone(), length.as_str(), Type::Void)), kind))
            }
            (Some(Pres::FixedArray { .. } | Pres::FixedBytes { .. }), _) => {
                Err(errors::no_count(span, "it always has all of its elements").into())
            }
            _ => Err(errors::no_count(span, "it is no array").into()),
        }
    }

    /// What may be compared; else what it is.
    fn kind(&self, of: &Place) -> Result<Kind, &'static str> {
        let Some(node) = of.node else {
            let is_text = of.value.ty == Type::CHAR;
            return Ok(if is_text { Kind::Character } else { Kind::Integer { bits: 8, signed: false, most: None } });
        };
        let (pres, stub) = self.behind(node);
        let most = |extent: &Extent| extent.value;
        Ok(match pres {
            Pres::Direct(ScalarKind::Boolean) => Kind::Truth,
            Pres::Direct(ScalarKind::Integer { bits: 8, .. }) if self.pres.nodes[node].ty == Type::CHAR => {
                Kind::Character
            }
            Pres::Direct(ScalarKind::Integer { bits, signed }) => {
                Kind::Integer { bits: *bits, signed: *signed, most: None }
            }
            Pres::Direct(ScalarKind::Long { signed }) => Kind::Integer { bits: 32, signed: *signed, most: None },
            Pres::Direct(ScalarKind::Float { bits }) => Kind::Float { bits: *bits },
            Pres::Direct(ScalarKind::Quadruple) => return Err("a number of 128 bits"),
            Pres::Direct(ScalarKind::Enumeration { .. }) => {
                let members = stub.and_then(|stub| self.enumeration(&self.pres.types[stub].name));
                Kind::Enumeration { members: members.ok_or("an enumeration without a name")? }
            }
            Pres::InlineText { bound } => Kind::Text { most: most(bound) },
            Pres::TerminatedText { bound, .. } => Kind::Text { most: bound.as_ref().and_then(most) },
            Pres::Structure(_) => return Err("a structure: name one of its members"),
            Pres::Union { .. } => return Err("a union"),
            Pres::FixedArray { .. } => return Err("an array: name one of its elements, as in `q[0]`"),
            Pres::InlineArray { .. }
            | Pres::InlineBytes { .. }
            | Pres::CountedArray { .. }
            | Pres::CountedBytes { .. } => {
                return Err("an array: name its `count`");
            }
            Pres::FixedBytes { .. } => return Err("an array of bytes"),
            Pres::OptionalPointer { .. } | Pres::Reference { .. } => return Err("a value that may be elsewhere"),
            Pres::Void | Pres::Named(_) | Pres::External { .. } => return Err("of a form of its own"),
        })
    }

    /// The members of an imported enumeration.
    pub(super) fn enumeration(&self, name: &str) -> Option<BTreeMap<String, i128>> {
        let Known::Imported { aoi, definition, .. } = self.types.get(name)? else { return None };
        let DefinitionKind::Enumeration(of) = &aoi.definitions[definition].kind else { return None };
        of.members.iter().map(|member| Some((member.name.to_string(), member.value?))).collect()
    }
}

/// A member of a structure, or of the packet behind its pointer.
fn within(of: Expression, is_packet: bool, field: &str, ty: Type) -> Expression {
    if is_packet { arrow(of, field, ty) } else { member(of, field, ty) }
}

fn step_span(step: &Step) -> Span {
    match step {
        Step::Member(name) => name.span,
        Step::Element(at) => at.span,
    }
}
